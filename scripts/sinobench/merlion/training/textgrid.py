"""Praat TextGrids in the long and the short text format, UTF-8 or UTF-16.

Read as Praat does: only quoted texts, free-standing numbers and ``<exists>`` count, all other words are remarks. The
libraries at hand drop intervals silently (a truncated file, a number that is none) or can't name the line.
Source: "TextGrid file formats" in Praat's manual.
"""

import codecs
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from sinobench.errors import InputError, private, short
from sinobench.guard import regular

_ROUNDING_S = 0.001  # writers that print few decimals let neighbours overlap by less
_LARGEST = 1_000_000  # eleven days in seconds
_TOKEN = re.compile(
    r"""(?<!\S)!.*                                                          # a remark to the end of the line
    |"(?P<text>[^"]*(?:""[^"]*)*)"
    |(?<!\S)(?P<flag><exists>|<absent>)(?!\S)
    |(?<!\S)(?P<number>[-+]?(?:\d++\.?+\d*+|\.\d++)(?:[eE][-+]?\d++)?+)(?!\S)""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Interval:
    """One interval of a tier, in seconds, and the line of the file on which its text begins."""

    start_s: float
    end_s: float
    text: str
    line: int


@dataclass
class Tier:
    name: str
    intervals: list[Interval] = field(default_factory=list)


def read_textgrid(path: str | Path) -> list[Tier]:
    """The interval tiers of a TextGrid; point tiers are checked and left out.

    Raises InputError with the line for anything that is no TextGrid: another encoding, a declared number of tiers or
    intervals that the file does not hold, an interval that ends before it starts or overlaps the one before it.
    """
    path = Path(path)
    tokens = _Tokens(path, _decode(path))
    if not tokens.text("the file type").startswith("ooTextFile") or tokens.text("the object class") != "TextGrid":
        raise InputError("is no TextGrid; expected 'ooTextFile' and 'TextGrid' in its first lines", path, 1)
    tokens.span("file")
    tiers = []
    if tokens.flag() == "<exists>":
        for _ in range(tokens.count("tiers")):
            tiers += _read_tier(tokens, path)
    tokens.finish()
    return tiers


def read_one_tier(path: str | Path, name: str | None = None) -> list[Interval]:
    """The intervals of the only interval tier, or of the only one with the name; InputError where it isn't one."""
    tiers = [tier for tier in read_textgrid(path) if name is None or tier.name == name]
    if len(tiers) != 1:
        found = f"{len(tiers)} interval tiers{'' if name is None else f' named {short(name)}'}"
        raise InputError(f"has {found}; expected one, so name the one to read", path)
    return tiers[0].intervals


def _read_tier(tokens: "_Tokens", path: Path) -> list[Tier]:
    kind = tokens.text("the class of a tier")
    if kind not in ("IntervalTier", "TextTier"):
        raise InputError(f"tier class '{private(kind)}'; expected IntervalTier or TextTier", path, tokens.line)
    tier = Tier(tokens.text("the name of a tier"))
    tokens.span("tier")
    end = -math.inf
    for _ in range(tokens.count("intervals")):
        start = tokens.number("a start")
        if kind == "TextTier":
            tokens.text("the mark of a point")
            continue
        line = tokens.line
        previous_end, end = end, tokens.number("an end")
        if end <= start:
            raise InputError(
                f"interval {private(f'{start:g} to {end:g}')} s; expected an end after the start", path, line
            )
        if start < previous_end - _ROUNDING_S:
            raise InputError(
                f"interval from {private(f'{start:g}')} s overlaps the one before it, which ends at "
                f"{private(f'{previous_end:g}')} s",
                path,
                line,
            )
        text = tokens.text("the text of an interval")
        tier.intervals.append(Interval(start, end, text, tokens.line))
    return [tier] if kind == "IntervalTier" else []


def _decode(path: Path) -> str:
    try:
        data = regular(path).read_bytes()
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror}); give an existing, readable TextGrid", path) from None
    # A TextGrid starts with an ASCII letter, so a zero byte beside it is UTF-16 that lacks its byte order mark.
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif b"\0" in data[:2]:
        encoding = "utf-16-be" if data.startswith(b"\0") else "utf-16-le"
    else:
        encoding = "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte {error.start + 1} is not {encoding.removesuffix('-sig').upper()}; save it as UTF-8 or UTF-16", path
        ) from None


class _Tokens:
    """The texts, numbers and flags of a file, one after the other; ``line`` is that of the latest."""

    def __init__(self, path: Path, content: str) -> None:
        self.path, self.line = path, 1
        self._found = self._scan(content)

    def _scan(self, content: str) -> Iterator[re.Match]:
        line, place = 1, 0
        for match in _TOKEN.finditer(content):
            line += content.count("\n", place, match.start())
            place = match.start()
            if match.lastgroup:
                self.line = line
                yield match

    def _next(self, kind: str, expected: str) -> str:
        match = next(self._found, None)
        if match is None:
            raise InputError(f"ends after line {self.line} where {expected} was expected; is the file cut?", self.path)
        if match.lastgroup != kind:
            raise InputError(f"expected {expected}, found {private(match[0])}", self.path, self.line)
        return match[kind]

    def text(self, what: str) -> str:
        return self._next("text", what).replace('""', '"')

    def flag(self) -> str:
        return self._next("flag", "<exists> or <absent>")

    def number(self, named: str) -> float:
        value = float(self._next("number", f"{named}, a number"))
        if not abs(value) < _LARGEST:
            raise InputError(f"expected {named}, a number below {_LARGEST}", self.path, self.line)
        return value

    def span(self, named: str) -> tuple[float, float]:
        return self.number(f"the start of the {named}"), self.number(f"the end of the {named}")

    def count(self, named: str) -> int:
        value = self.number(f"the number of {named}")
        if value < 0 or value != int(value):
            raise InputError(f"{private(f'{value:g}')} {named}; expected a whole number from 0", self.path, self.line)
        return int(value)

    def finish(self) -> None:
        """Raises InputError where more follows than the file declares."""
        match = next(self._found, None)
        if match is not None:
            raise InputError(f"{private(match[0])} follows the last declared tier or interval", self.path, self.line)
