"""A file of scores that names the segments in their order, read without holding it."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sinobench.lid.predictions import Predictions
from sinobench.results import arrow
from sinobench.text import cells_by_column, stream_lines

if TYPE_CHECKING:
    import pyarrow as pa

_LINES_AT_ONCE = 2**14  # even: no segment of two lines is parted
_USUAL = 1e100  # what is larger is looked at by the other reader


def read_in_order(path: str | Path, ids: pa.ChunkedArray) -> Predictions | None:
    """What ``read_predictions`` gives for a plain file in the order of the ids, of which none stands twice.

    None for any other file, to be read by that function: it joins the lines by id, or says what is wrong.
    """
    scores, n_lines, lines_each = np.empty((2, len(ids))), 0, 0
    lines = stream_lines(path)
    while part := list(islice(lines, _LINES_AT_ONCE)):
        columns = cells_by_column(part, 3)
        if columns is None:
            return None
        names, second, third = columns
        lines_each = lines_each or (2 if names[:1] == names[1:2] else 1)
        start, end = (place // lines_each for place in (n_lines, n_lines + len(part)))
        n_lines += len(part)
        wanted = ids.slice(start, end - start).to_pylist()
        if any(names[i::lines_each] != wanted for i in range(lines_each)):
            return None
        if lines_each == 2 and second != ["0", "1"] * len(wanted):
            return None
        pairs = (third[::2], third[1::2]) if lines_each == 2 else (second, third)
        read = [_numbers(texts) for texts in pairs]
        if any(each is None for each in read):
            return None
        scores[:, start:end] = read
    if n_lines != lines_each * len(ids):
        return None
    return Predictions(*scores, format=3 - lines_each, order_differs=False)


def _numbers(texts: list[str]) -> np.ndarray | None:
    import pyarrow as pa

    try:
        found = arrow.numbers(pa.array(texts).cast(pa.float64()))
    except pa.ArrowInvalid:
        return None
    return found if (np.abs(found) < _USUAL).all() else None
