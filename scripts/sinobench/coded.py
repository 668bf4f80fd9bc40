"""Columns of few distinct values, and rows of few distinct counts, as their places among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


class Coded(Sequence):
    """n values: the distinct ones in order of first appearance, and (n,) the place of each one's among them."""

    def __init__(self, values: list, place: np.ndarray) -> None:
        self.values, self.place = values, place

    @classmethod
    def of(cls, column: Iterable) -> Coded:
        """Of a column of what can be hashed."""
        if isinstance(column, cls):
            return column
        column = list(column)
        places = {value: place for place, value in enumerate(dict.fromkeys(column))}
        if len(places) == 1:
            return cls(list(places), np.zeros(len(column), np.uint8))
        return cls(list(places), np.fromiter(map(places.__getitem__, column), np.int64, len(column)))

    def __len__(self) -> int:
        return len(self.place)

    def __getitem__(self, row: int | slice) -> Any:
        return Coded(self.values, self.place[row]) if isinstance(row, slice) else self.values[self.place[row]]

    def __iter__(self) -> Iterator:
        return map(self.values.__getitem__, self.place.tolist())

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.values, dtype)[self.place]

    def pairs(self, other: Coded) -> Coded:
        """The same of the pairs of the values of two columns."""
        if len(self.values) == 1:
            return Coded([(self.values[0], value) for value in other.values], other.place)
        n = len(other.values)
        pair = self.place.astype(np.int64) * n + other.place
        first = np.full(len(self.values) * n, -1)
        first[pair[::-1]] = np.arange(len(pair))[::-1]  # the last one assigned stays
        found = np.flatnonzero(first >= 0)
        found = found[np.argsort(first[found])]
        rank = np.empty(len(first), np.uint32)
        rank[found] = np.arange(len(found))
        return Coded([(self.values[i // n], other.values[i % n]) for i in found.tolist()], rank[pair])


@dataclass(frozen=True)
class CodedRows:
    """n rows of counts: the distinct ones (n_distinct, k), some of which may be equal, and (n,) the place of each one's
    among them."""

    distinct: np.ndarray
    place: np.ndarray

    def __len__(self) -> int:
        return len(self.place)

    def __getitem__(self, rows: slice | np.ndarray) -> CodedRows:
        return CodedRows(self.distinct, self.place[rows])

    def __array__(self, dtype: np.dtype | None = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.distinct, dtype)[self.place]

    @property
    def dtype(self) -> np.dtype:
        """Of the counts."""
        return self.distinct.dtype

    @property
    def shape(self) -> tuple[int, int]:
        """n and k."""
        return len(self.place), self.distinct.shape[1]

    def sums(self) -> np.ndarray:
        """(k,) of all rows."""
        return np.bincount(self.place, minlength=len(self.distinct)) @ self.distinct


class RowCoder:
    """Takes in rows of counts some at a time."""

    def __init__(self, n_columns: int) -> None:
        self._known: dict[tuple[int, ...], int] = {}
        self._n_columns = n_columns
        self._places: list[np.ndarray] = []

    def add(self, rows: np.ndarray) -> None:
        """Take in rows (m, k) that follow those before: whole numbers from 0."""
        _, first, of = np.unique(_keys(rows), return_index=True, return_inverse=True)
        places = [self._known.setdefault(tuple(row), len(self._known)) for row in rows[first].tolist()]
        self._places.append(np.array(places, np.min_scalar_type(len(self._known)))[of])

    @property
    def rows(self) -> CodedRows:
        """All that were taken in."""
        distinct = np.array(list(self._known), np.int64).reshape(-1, self._n_columns)
        return CodedRows(distinct, joined(self._places))


def _keys(rows: np.ndarray) -> np.ndarray:
    """(m,) int64, equal where rows of whole numbers from 0 are."""
    keys, n_keys = np.zeros(len(rows), np.int64), 1
    for column in rows.T:
        n_values = int(column.max(initial=0)) + 1
        if n_keys * n_values > 2**62:
            distinct, keys = np.unique(keys, return_inverse=True)
            n_keys = len(distinct)
        keys, n_keys = keys * n_values + column, n_keys * n_values
    return keys


def joined(parts: list[np.ndarray]) -> np.ndarray:
    """Some arrays in one, which takes their place in the list; each is let go of when it is copied."""
    if len(parts) == 1:
        return parts[0]
    whole = np.empty(sum(map(len, parts)), np.result_type(*parts or [np.uint8]))
    start = 0
    parts.reverse()
    while parts:
        part = parts.pop()
        whole[start : start + len(part)] = part
        start += len(part)
    parts.append(whole)
    return whole
