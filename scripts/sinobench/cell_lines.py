"""Lines made of columns of cells, and their order, without a string of any."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from itertools import pairwise
from json.encoder import encode_basestring

import numpy as np

from sinobench.cells import BITS, BLOCK, LEAST_BYTES, Cells, windows

_BYTES_AT_ONCE = 2**18
_LINES_AT_ONCE = 2**14
_TAB, _LINE_END, _SPACE, _QUOTE, _BACKSLASH = b'\t\n "\\'
# The highest bytes of a block, by how many they are.
_HIGHEST = np.array([2**64 - 2 ** (BITS * (BLOCK - n)) for n in range(BLOCK + 1)], np.uint64)


def sorted_hash(columns: Sequence[Cells]) -> str:
    """The hash that ``hashes.of_lines`` gives of the lines that the cells of each row make, of n rows.

    The last cells end with a line end, and no line begins with another one.
    """
    lines, found, between = _joined(columns), hashlib.sha256(), b""
    order = _order(lines)
    for start in range(0, len(lines), _LINES_AT_ONCE):
        part = lines[order[start : start + _LINES_AT_ONCE]]
        found.update(between + _joined([part]).data[: int(part.lengths.sum()) - 1].tobytes())
        between = b"\n"
    return found.hexdigest()


def _order(cells: Cells) -> np.ndarray:
    """(n,) the places of the cells in the order of their characters."""
    keys = _keys(cells, 0)
    found = np.argsort(keys)
    keys = keys[found]
    is_new = np.append(True, keys[1:] != keys[:-1])
    longest = int(cells.lengths.max(initial=0))
    for place in range(BLOCK, longest, BLOCK):
        # Those that have been the same so far as another one.
        rows = np.flatnonzero(~(is_new & np.append(is_new[1:], True)))
        if not len(rows):
            break
        keys = _keys(cells[found[rows]], place)
        group = np.cumsum(is_new[rows])
        within = np.lexsort((keys, group))
        found[rows], keys = found[rows][within], keys[within]
        is_new[rows[1:]] |= keys[1:] != keys[:-1]
    return found


def as_json(cells: Cells) -> Cells:
    """The cells of a table, in the order of their data, as JSON writes them between quotes."""
    special = []
    for start in range(0, len(cells.data), _BYTES_AT_ONCE):
        part = cells.data[start : start + _BYTES_AT_ONCE]
        is_special = (part < _SPACE) & (part != _TAB) & (part != _LINE_END) | (part == _QUOTE) | (part == _BACKSLASH)
        special.append(start + np.flatnonzero(is_special))
    special = np.concatenate(special)
    rows = np.searchsorted(cells.starts, special, side="right") - 1
    rows = np.unique(rows[(rows >= 0) & (special < cells.ends[rows])])
    if not len(rows):
        return cells
    own = Cells.of([encode_basestring(text)[1:-1] for text in cells[rows]])
    starts, lengths = cells.starts.astype(np.int64), cells.lengths.astype(np.int64)
    starts[rows], lengths[rows] = own.starts + len(cells.data), own.lengths
    return Cells(np.concatenate([cells.data, own.data]), starts, lengths)


def _joined(columns: Sequence[Cells]) -> Cells:
    """The cells of a row one after the other."""
    lengths = sum(column.lengths for column in columns)
    starts = np.cumsum(lengths) - lengths
    data = np.zeros(int(lengths.sum()) + LEAST_BYTES, np.uint8)
    at = starts.copy()
    for column in columns:
        for rows, length in _by_length(column.lengths):
            windows(data, length)[at[rows]] = windows(column.data, length)[column.starts[rows]]
        at += column.lengths
    return Cells(data, starts, lengths)


def _by_length(lengths: np.ndarray) -> Iterator[tuple[np.ndarray | slice, int]]:
    """The rows of each length but 0: bytes are copied so many at once."""
    if len(lengths) and (lengths == lengths[0]).all():
        if lengths[0]:
            yield slice(None), int(lengths[0])
        return
    rows = np.argsort(lengths.astype(np.min_scalar_type(int(lengths.max(initial=0)))), kind="stable")
    ends = np.cumsum(np.bincount(lengths))
    for length, (start, end) in enumerate(pairwise(ends.tolist()), start=1):
        if end > start:
            yield rows[start:end], length


def _keys(cells: Cells, place: int) -> np.ndarray:
    """(n,) the eight bytes from a place on, as numbers in their order; of cells with eight bytes behind them."""
    at = np.minimum(cells.starts + place, len(cells.data) - BLOCK)
    left = np.clip(cells.lengths - place, 0, BLOCK)
    return windows(cells.data, BLOCK)[at].view("<u8").byteswap() & _HIGHEST[left]
