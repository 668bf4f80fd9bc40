"""Columns of a table, each kept as stretches of one array of bytes: compared, told apart and read as a whole.

A cell becomes a string where one is asked for. Source of the numbers: ``float``, digit for digit.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import overload

import numpy as np

from sinobench.coded import Coded

BLOCK, BITS = 8, 8  # bytes that are looked at together, as one number; bits of a byte
_LINE_END, _SPACE = ord("\n"), ord(" ")
LEAST_BYTES = 40  # which no number needs
_BYTES_AT_ONCE = 2**18
_LARGE = 2**30
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
# The first bytes of a block, by how many they are.
_FIRST = np.array([(1 << BITS * n) - 1 for n in range(BLOCK + 1)], np.uint64)

Rows = slice | np.ndarray


class Cells(Sequence[str]):
    """n cells in UTF-8.

    data: uint8, ``LEAST_BYTES`` or more; starts, lengths: (n,) in bytes.
    """

    def __init__(self, data: np.ndarray, starts: np.ndarray, lengths: np.ndarray) -> None:
        self.data, self.starts, self.lengths = data, starts, lengths

    @classmethod
    def of(cls, texts: Sequence[str]) -> Cells:
        """The cells that texts make."""
        if isinstance(texts, cls):
            return texts
        joined = "".join(texts)
        each = texts if joined.isascii() else [text.encode("utf-8", "surrogatepass") for text in texts]
        lengths = np.fromiter(map(len, each), np.int64, len(each))
        return cls(_bytes(joined.encode("utf-8", "surrogatepass")), np.cumsum(lengths) - lengths, lengths)

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: Rows) -> Cells: ...

    def __getitem__(self, place: int | Rows) -> str | Cells:
        start, length = self.starts[place], self.lengths[place]
        if isinstance(place, slice | np.ndarray):
            return Cells(self.data, start, length)
        return self.data[start : start + length].tobytes().decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        data = memoryview(self.data)
        return (
            str(data[start:end], "utf-8", "surrogatepass")
            for start, end in zip(self.starts.tolist(), self.ends.tolist(), strict=True)
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cells):
            return list(self) == other
        if not np.array_equal(self.lengths, other.lengths):
            return False
        # Of equal lengths, so of as many blocks.
        if len(self) and self._matrices is not None:
            return all(map(np.array_equal, self._matrices, other._matrices))
        blocks = zip(self._blocks(), other._blocks(), strict=True)
        return all(np.array_equal(own, others) for (_, own), (_, others) in blocks)

    __hash__ = None

    @property
    def ends(self) -> np.ndarray:
        """(n,) the place behind each cell."""
        return self.starts + self.lengths

    @cached_property
    def hashes(self) -> np.ndarray:
        """(n,) uint64, the same of equal cells of a column, and hardly ever of others."""
        if self._is_short:
            return self._first_blocks()
        found = self.lengths.astype(np.uint64)
        for rows, block in self._blocks():
            mixed = found[rows] * _FACTOR
            found[rows] = mixed ^ (mixed >> _SHIFT) ^ block
        return found

    def are_distinct(self) -> bool:
        """Whether no cell stands twice."""
        ranked = np.sort(self.hashes)
        return not (ranked[1:] == ranked[:-1]).any() or len(set(self)) == len(self)

    def places_in(self, others: Cells) -> np.ndarray | None:
        """(n,) a place of each cell among the others; None where one is not there."""
        if not len(others):
            return None
        order = np.argsort(others.hashes)
        found = np.searchsorted(others.hashes[order], self.hashes)
        places = order[np.minimum(found, len(order) - 1)]
        return places if self == others[places] else None

    @cached_property
    def numbers(self) -> np.ndarray | None:
        """(n,) float64 of cells without spaces, each as ``float`` reads it; None where one is no finite number.

        ASCII digits alone make a number, and no underscores stand in it.
        """
        width = int(self.lengths.max(initial=0)) + 1
        if not self.lengths.all() or width > LEAST_BYTES:
            return None
        at = np.minimum(self.starts, len(self.data) - width)
        text = windows(self.data, width)[at].view(np.uint8).reshape(-1, width)
        for row in np.flatnonzero(at < self.starts):
            text[row, :-1] = list(self[row].encode().ljust(width - 1))
        text[np.arange(width) >= self.lengths[:, None]] = _SPACE
        # Of text that can't be read to its end numpy warns. Read to its end, n cells hold n numbers or more.
        with warnings.catch_warnings():
            warnings.filterwarnings("error", "string or file could not be read", DeprecationWarning)
            try:
                found = np.fromstring(text.tobytes(), sep=" ")
            except (DeprecationWarning, ValueError):
                return None
        return found if len(found) == len(self) and np.isfinite(found).all() else None

    def coded(self) -> Coded:
        """The cells by their distinct ones."""
        # What stands side by side, as segments of a recording do, is looked at once.
        new = self._new()
        if 2 * len(new) < len(self):
            coded = self[new].coded()
            return Coded(coded.values, np.repeat(coded.place, np.diff(new, append=len(self))))
        ranked = np.sort(self.hashes)  # np.unique loads masked arrays
        distinct = ranked[np.append(True, ranked[1:] != ranked[:-1])[: len(self)]]
        place = np.searchsorted(distinct, self.hashes)
        first = np.empty(len(distinct), np.int64)
        first[place[::-1]] = np.arange(len(self))[::-1]  # the last one assigned stays
        if not self._is_short and self != self[first[place]]:
            return Coded.of(list(self))
        by_first = np.argsort(first)
        rank = np.empty(len(first), np.int64)
        rank[by_first] = np.arange(len(first))
        return Coded(list(self[first[by_first]]), rank[place])

    @property
    def _is_short(self) -> bool:
        """Whether each cell is a block, which is a number of its own: no file that is read holds NUL."""
        return not len(self) or int(self.lengths.max()) <= BLOCK

    def _new(self) -> np.ndarray:
        """The places of the cells that are not the one before."""
        if self._is_short:
            return np.flatnonzero(np.append(True, self.hashes[1:] != self.hashes[:-1]))
        is_new = np.append(True, np.diff(self.lengths) != 0)
        for rows, block in self._blocks():
            if isinstance(rows, slice):
                is_new[1:] |= block[1:] != block[:-1]
            else:  # the one before is as long, or not the same
                is_new[rows[1:]] |= block[1:] != block[:-1]
        return np.flatnonzero(is_new)

    def _blocks(self) -> Iterator[tuple[Rows, np.ndarray]]:
        """The cells eight bytes at a time, uint64, and the rows that are so long.

        The last blocks of a cell end with it; a cell of fewer bytes has zeros behind them.
        """
        if not len(self):
            return
        if self._matrices is not None:
            yield from ((slice(None), block) for matrix in self._matrices for block in matrix.T)
            return
        yield slice(None), self._first_blocks()
        for place in range(BLOCK, int(self.lengths.max()), BLOCK):
            rows = np.flatnonzero(self.lengths > place)
            at = self.starts[rows] + np.minimum(self.lengths[rows] - BLOCK, place)
            yield rows, windows(self.data, BLOCK)[at].view("<u8")

    @cached_property
    def _matrices(self) -> list[np.ndarray] | None:
        """(n, k) blocks from the beginning of each cell on, and up to its end; None where lengths differ by more."""
        shortest, longest = int(self.lengths.min()), int(self.lengths.max())
        n_first = shortest // BLOCK * BLOCK
        n_last = -(-(longest - n_first) // BLOCK) * BLOCK
        if not n_first or n_last > shortest:
            return None
        widths = ((n_first, self.starts), (n_last, self.ends - n_last))
        return [windows(self.data, n)[at].view("<u8").reshape(len(self), -1) for n, at in widths if n]

    def _first_blocks(self) -> np.ndarray:
        last = len(self.data) - BLOCK
        found = windows(self.data, BLOCK)[np.minimum(self.starts, last)].view("<u8")
        beyond = np.flatnonzero(self.starts > last)
        found[beyond] >>= (BITS * (self.starts[beyond] - last)).astype(np.uint64)
        return found & _FIRST[np.minimum(self.lengths, BLOCK)]


def windows(data: np.ndarray, width: int) -> np.ndarray:
    """So many bytes from each place on, as one value."""
    return np.ndarray(max(0, len(data) - width + 1), f"V{width}", data, strides=(1,))


def columns(data: bytes, n: int, between: str, start: int = 0) -> list[Cells] | None:
    """The columns of lines of n cells with that character between; None where a line is not quite that.

    data: as ``read_utf8`` gives it, from the start on. With a space between no other white space of ASCII stands.
    """
    text = np.frombuffer(data, np.uint8)
    found, kind = [], np.int32 if len(text) < _LARGE else np.int64
    for at in range(start, len(text), _BYTES_AT_ONCE):  # as much as a processor keeps at hand
        part = text[at : at + _BYTES_AT_ONCE]
        is_mark = part <= _SPACE if between == " " else (part == ord(between)) | (part == _LINE_END)
        found.append((at + np.flatnonzero(is_mark)).astype(kind))
    ends = np.concatenate(found)
    if len(ends) % n:
        return None
    marks = text[ends].reshape(-1, n)
    if (marks[:, :-1] != ord(between)).any() or (marks[:, -1] != _LINE_END).any():
        return None
    starts = np.empty_like(ends)
    starts[0], starts[1:] = start, ends[:-1] + 1
    by_column = (np.ascontiguousarray(each.reshape(-1, n).T) for each in (starts, ends - starts))
    return [Cells(_bytes(data), *column) for column in zip(*by_column, strict=True)]


def _bytes(data: bytes) -> np.ndarray:
    return np.frombuffer(data.ljust(LEAST_BYTES, b"\0"), np.uint8)
