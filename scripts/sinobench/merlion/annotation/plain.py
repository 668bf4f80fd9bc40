"""Tables read column by column, as long as every line is plain: no quotes, no blank row, as many cells as columns.

What is not plain is nobody's mistake yet: it is left to the reader that goes line by line, which understands more and
names what is wrong.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import numpy as np

from sinobench.text import read_text

T = TypeVar("T")

_CHARACTERS_AT_ONCE = 2**22
# Possessive: a table of many lines leaves no trail to go back on.
_MILLISECONDS = re.compile(r"(?:[0-9]{1,9}+(?:\.0*+)?+ )*+")


def blocks_of(
    path: str | Path, required: Sequence[str], optional: Sequence[str] = ()
) -> Iterator[Mapping[str, list[str]]] | None:
    """The stripped cells by column of a CSV (comma or tab), many lines at a time, the first of them line 2.

    None for any other file, one without all required columns or without a row, and one that is not plain.
    """
    if Path(path).suffix.lower() in (".xlsx", ".xlsm"):
        return None
    text = read_text(path)
    first, _, rest = text.partition("\n")
    if not rest or '"' in text or "\r" in text:
        return None
    delimiter = "\t" if "\t" in first else ","
    header = [name.strip().lower() for name in first.split(delimiter)]
    wanted = [name for name in (*required, *optional) if name in header]
    if any(header.count(name) != 1 for name in (*required, *wanted)):
        return None
    n_delimiters, places = len(header) - 1, {name: header.index(name) for name in wanted}
    if any({line.count(delimiter) for line in lines} != {n_delimiters} for lines in _lines(rest)):
        return None
    return (_cells(delimiter.join(lines).split(delimiter), len(header), places) for lines in _lines(rest))


def milliseconds(cells: Sequence[str]) -> np.ndarray | None:
    """(n,) int64 of times as whole milliseconds; None where one is not."""
    text = " ".join([*cells, ""])
    if not _MILLISECONDS.fullmatch(text):
        return None
    return np.fromstring(re.sub(r"\.0*", "", text) if "." in text else text, np.int64, sep=" ")


def translated(cells: Sequence[str], meaning: Callable[[str], T | None]) -> list[T] | None:
    """What each cell means, each distinct text looked at once; None where one means nothing."""
    known = {text: meaning(text) for text in set(cells)}
    return None if None in known.values() else [known[text] for text in cells]


def _lines(text: str) -> Iterator[list[str]]:
    start = 0
    while start < len(text):
        end = text.find("\n", start + _CHARACTERS_AT_ONCE)
        end = len(text) if end < 0 else end
        yield text[start:end].split("\n")
        start = end + 1


def _cells(cells: list[str], width: int, places: Mapping[str, int]) -> dict[str, list[str]]:
    return {name: list(map(str.strip, cells[place::width])) for name, place in places.items()}
