"""Tables read column by column, as long as every line is plain: no quotes, no blank row, as many cells as columns.

What is not plain is nobody's mistake yet: it is left to the reader that goes line by line, which understands more and
names what is wrong.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TypeVar

import numpy as np

from sinobench.text import stream_lines

T = TypeVar("T")

_LINES_AT_ONCE = 2**14
# Possessive: a table of many lines leaves no trail to go back on.
_MILLISECONDS = re.compile(r"(?:[0-9]{1,9}+(?:\.0*+)?+ )*+")


def blocks_of(
    path: str | Path, required: Sequence[str], optional: Sequence[str] = ()
) -> Iterator[Mapping[str, list[str]] | None]:
    """The stripped cells by column of a CSV (comma or tab), many lines at a time, the first of them line 2.

    None in the place of lines that are not plain; nothing of any other file, and of one without all required columns.
    """
    if Path(path).suffix.lower() in (".xlsx", ".xlsm"):
        return
    lines = stream_lines(path)
    first = next(lines)
    delimiter = "\t" if "\t" in first else ","
    header = [name.strip().lower() for name in first.split(delimiter)]
    wanted = [name for name in (*required, *optional) if name in header]
    if '"' in first or "\r" in first or any(header.count(name) != 1 for name in (*required, *wanted)):
        return
    places = {name: header.index(name) for name in wanted}
    while part := list(islice(lines, _LINES_AT_ONCE)):
        text = delimiter.join(part)
        is_plain = '"' not in text and "\r" not in text
        is_plain = is_plain and {line.count(delimiter) for line in part} == {len(header) - 1}
        yield _cells(text.split(delimiter), len(header), places) if is_plain else None


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


def _cells(cells: list[str], width: int, places: Mapping[str, int]) -> dict[str, list[str]]:
    return {name: list(map(str.strip, cells[place::width])) for name, place in places.items()}
