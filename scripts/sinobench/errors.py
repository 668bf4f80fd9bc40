"""The one exception for wrong input: its message is all that a user sees."""

import difflib
import re
from collections.abc import Iterable
from pathlib import Path

MAX_LINE = 500  # characters of a line of a message
_OPEN, _CLOSE = "\x0e", "\x0f"
_PRIVATE = re.compile(f"{_OPEN}[^{_CLOSE}]*{_CLOSE}")


class InputError(ValueError):
    """Wrong input: says where it stands, what was found, what was expected and what to do.

    ``str()`` leaves out what ``private`` marks, so that it may go to logs, tables and whoever reads them; ``shown`` has
    it, for the terminal of those whose file it is. Each line is cut in its middle to MAX_LINE characters, and neither
    holds a character that a terminal would obey.
    """

    def __init__(self, message: str, file: str | Path | None = None, line: int | None = None) -> None:
        file = file if file is None else printable(str(file))
        place = "" if file is None else f"{file}: " if line is None else f"{file}, line {line}: "
        super().__init__(place + _lines(_PRIVATE.sub("…", message)))
        self.shown = place + _lines(re.sub(f"[{_OPEN}{_CLOSE}]", "", message))


def private(*values: object) -> str:
    """A cell, tier, transcript or name out of people's files, or several with a hyphen between; for an InputError."""
    return f"{_OPEN}{short('-'.join(map(str, values)), 100)}{_CLOSE}"


def short(text: str, limit: int = 60) -> str:
    """The text, cut to ``limit`` characters and printable, for a message."""
    return printable(text if len(text) <= limit else text[: limit - 1] + "…")


def printable(text: str) -> str:
    """The text with what can't be printed as escapes: control and direction characters, lone surrogates."""
    # The ideographic space is a character of Chinese text.
    return "".join(c if c.isprintable() or c == "\u3000" else ascii(c)[1:-1] for c in text)


def is_not_text(path: str | Path) -> bool:
    """Whether a path has bytes that are not UTF-8, for which Python writes lone surrogates."""
    return not str(path).isascii() and any("\ud800" <= c <= "\udfff" for c in str(path))


def nearest(name: str, known: Iterable[str]) -> str:
    """A clause that names the known name nearest to ``name``, or all of them."""
    known = sorted(known)
    close = difflib.get_close_matches(name[:MAX_LINE], known, n=1, cutoff=0.5)
    if close:
        return f"did you mean '{close[0]}'?"
    return f"known are: {', '.join(known)}" if known else "none is known"


def _lines(message: str) -> str:
    half = MAX_LINE // 2
    lines = (line if len(line) <= MAX_LINE else f"{line[:half]}…{line[1 - half :]}" for line in message.split("\n"))
    return "\n".join(map(printable, lines))
