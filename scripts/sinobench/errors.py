"""The one exception for wrong input: its message is all that a user sees."""

import difflib
from collections.abc import Iterable
from pathlib import Path


class InputError(ValueError):
    """Wrong input: says where it stands, what was found, what was expected and what to do."""

    def __init__(self, message: str, file: str | Path | None = None, line: int | None = None) -> None:
        place = "" if file is None else f"{file}: " if line is None else f"{file}, line {line}: "
        super().__init__(place + message)


def nearest(name: str, known: Iterable[str]) -> str:
    """A clause that names the known name nearest to ``name``, or all of them."""
    known = sorted(known)
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    if close:
        return f"did you mean '{close[0]}'?"
    return f"known are: {', '.join(known)}" if known else "none is known"
