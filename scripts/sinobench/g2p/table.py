"""The scorer's TSV: one target character a line, with its label and a model's prediction."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sinobench.cells import Cells, columns
from sinobench.coded import Coded
from sinobench.errors import InputError, nearest, short
from sinobench.g2p.syllables import parse_labels
from sinobench.text import lines_of, read_utf8, whole_number

COLUMNS = ("text", "position", "label", "prediction", "output_length")
_OF_FOUR_BYTES = 0xF0  # the first byte of such a character, or more
_NO_NUMBER = 10**9  # more than nine digits


@dataclass(frozen=True)
class Items:
    """n rows of the TSV. ``labels``, ``predictions`` and ``output_lengths`` are None without their column."""

    texts: Cells
    positions: Sequence[int]
    labels: Sequence[list[str]] | None
    predictions: Sequence[str | None] | None
    output_lengths: Sequence[int] | None


def read_items(path: str | Path, need_labels: bool = True, need_predictions: bool = True) -> Items:
    """Read a TSV with a header naming text, position (0-based code point), label, prediction[, output_length].

    Columns may stand in any order; an empty prediction is none. Raises InputError, naming file and line, for an unknown
    or missing column, a row of another width, a position outside the text, a label that is no Jyutping, a bad length.
    """
    path = Path(path)
    data = read_utf8(path)
    n_header = data.index(b"\n") + 1
    header = data[: n_header - 1].decode("utf-8").split("\t")
    for name in header:
        if name not in COLUMNS:
            raise InputError(f"unknown column '{name}' in the header; {nearest(name, COLUMNS)}", path, 1)
        if header.count(name) > 1:
            raise InputError(f"column '{name}' stands twice in the header", path, 1)
    needless = {"label": not need_labels, "prediction": not need_predictions, "output_length": True}
    wanted = [name for name in COLUMNS if not needless.get(name)]
    for name in wanted:
        if name not in header:
            raise InputError(f"no column '{name}' in the header; expected tab-separated {', '.join(wanted)}", path, 1)
    if len(data) == n_header:
        raise InputError("holds a header and no item", path, 1)
    cells = columns(data, len(header), "\t", n_header)
    if cells is None:
        widths = (row.count("\t") + 1 for row in lines_of(data))
        line, width = next((line, width) for line, width in enumerate(widths, start=1) if width != len(header))
        raise InputError(f"expected {len(header)} tab-separated fields as in the header, found {width}", path, line)
    found = dict(zip(header, cells, strict=True))
    return Items(
        texts=found["text"],
        labels=_labels(found["label"].coded(), path) if "label" in found else None,
        positions=_positions(found["position"].coded(), found["text"], path),
        predictions=predicted(found["prediction"]) if "prediction" in found else None,
        output_lengths=_lengths(found["output_length"].coded(), path) if "output_length" in found else None,
    )


def predicted(cells: Cells) -> Coded:
    """Predictions as they stand in a file, where nothing is None."""
    coded = cells.coded()
    return Coded([value or None for value in coded.values], coded.place)


def _labels(coded: Coded, path: Path) -> Coded:
    lines = _first_lines(coded)
    labels = [parse_labels(text, path, line) for text, line in zip(coded.values, lines, strict=True)]
    return Coded(labels, coded.place)


def _positions(coded: Coded, texts: Cells, path: Path) -> Coded:
    numbers = [whole_number(text) for text in coded.values]
    position = np.array([_NO_NUMBER if number is None else number for number in numbers], np.int64)[coded.place]
    # Of most texts the bytes tell that they are long enough.
    widest = 4 if texts.data.max() >= _OF_FOUR_BYTES else 3
    rows = np.flatnonzero(widest * position >= texts.lengths)
    rows = rows[position[rows] >= list(map(len, texts[rows]))]
    if len(rows):
        text, value = texts[rows[0]], coded[rows[0]]
        raise InputError(
            f"position '{short(value)}' is not in '{short(text)}'; expected a whole number from 0 to {len(text) - 1}",
            path,
            int(rows[0]) + 2,
        )
    return Coded(numbers, coded.place)


def _lengths(coded: Coded, path: Path) -> Coded:
    numbers = [whole_number(text) for text in coded.values]
    if None in numbers:
        place = numbers.index(None)
        value, line = coded.values[place], _first_lines(coded)[place]
        raise InputError(f"output_length '{short(value)}' is no whole number from 0", path, line)
    return Coded(numbers, coded.place)


def _first_lines(coded: Coded) -> list[int]:
    """The line in which each value stands first, below a header."""
    lines = np.empty(len(coded.values), np.int64)
    lines[coded.place[::-1]] = np.arange(len(coded), 0, -1) + 1  # the last one assigned stays
    return lines.tolist()
