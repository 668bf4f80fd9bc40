"""A column of few distinct values, as their places among them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
