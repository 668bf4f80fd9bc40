"""A column of few distinct values, as their places among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np


class Coded(Sequence):
    """n values: the distinct ones in order of first appearance, and (n,) the place of each among them."""

    def __init__(self, values: Sequence, place: np.ndarray) -> None:
        self.values, self.place = values, place

    @classmethod
    def of(cls, column: Iterable) -> Coded:
        """Of a column of what can be hashed."""
        if isinstance(column, cls):
            return column
        column = list(column)
        places = {value: place for place, value in enumerate(dict.fromkeys(column))}
        return cls(list(places), np.fromiter(map(places.__getitem__, column), np.int64, len(column)))

    def __len__(self) -> int:
        return len(self.place)

    def __getitem__(self, row: int | slice) -> Any:
        return Coded(self.values, self.place[row]) if isinstance(row, slice) else self.values[self.place[row]]

    def __iter__(self):
        return map(self.values.__getitem__, self.place.tolist())

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    __hash__ = None
