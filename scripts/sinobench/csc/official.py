"""What the official script makes of sentences that stand more than once, and where it takes another reference."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sinobench.csc.digests import digests
from sinobench.csc.metrics import Edits, count


@dataclass(frozen=True)
class Official:
    """Which of n rows the official script scores: of each of m distinct inputs the last gold and the first prediction.

    start: the row from which it reads; gold_rows, prediction_rows: (m,) in the order in which the inputs first stand;
    takes_gold, takes_prediction: (n,) whether a row is one of them; place: (n,) which of the m its input is, -1 before
    the start.
    """

    start: int
    gold_rows: np.ndarray
    prediction_rows: np.ndarray
    takes_gold: np.ndarray
    takes_prediction: np.ndarray
    place: np.ndarray

    @classmethod
    def of(cls, inputs: Iterable[str], start: int = 0) -> Official:
        """Of the inputs of all rows, which are told apart by their digests of 128 bits."""
        halves = digests(inputs).view(np.uint64).reshape(-1, 2).T
        n = halves.shape[1]
        order = (start + np.lexsort(halves[:, start:])).astype(np.int32)
        opens, closes = np.ones((2, len(order)), bool)
        opens[1:] = False
        for half in halves:  # one at a time: sorted they take as much room as unsorted
            ordered = half[order]
            opens[1:] |= ordered[1:] != ordered[:-1]
        del halves, half, ordered
        closes[:-1] = opens[1:]
        first, last = order[opens], order[closes]
        by_first = np.argsort(first)
        rank = np.empty(len(first), np.int32)
        rank[by_first] = np.arange(len(first))
        place = np.full(n, -1, np.int32)
        place[order] = rank[np.cumsum(opens, dtype=np.int32) - 1]
        rows, taken = [of[by_first] for of in (last, first)], np.zeros((2, n), bool)
        for of, takes in zip(rows, taken, strict=True):
            takes[of] = True
        return cls(start, *rows, *taken, place)

    @property
    def repeated(self) -> np.ndarray:
        """(m,) whether gold and prediction are of two rows."""
        return self.gold_rows != self.prediction_rows


class Recombined:
    """Counts of the inputs whose gold and prediction were not compared with each other, from the edits of each."""

    def __init__(self) -> None:
        self._golds: list[np.ndarray] = []
        self._predictions: list[np.ndarray] = []

    def add(self, golds: np.ndarray, predictions: np.ndarray) -> None:
        """Edits of golds and of predictions, (k, 4): which distinct input, position, source, what stands there."""
        self._golds.append(golds)
        self._predictions.append(predictions)

    def counts(self, places: np.ndarray) -> np.ndarray:
        """(len(places), len(COUNTS)) of these distinct inputs, in ascending order."""
        none = np.empty((0, 4), np.int64)
        golds, predictions = (np.concatenate([none, *each]) for each in (self._golds, self._predictions))
        rows = np.concatenate([golds, predictions])
        _, one, of = np.unique(rows[:, 0] << 32 | rows[:, 1], return_index=True, return_inverse=True)
        place, position, source = rows[one, :3].T
        gold, prediction = source.copy(), source.copy()
        gold[of[: len(golds)]] = golds[:, 3]
        prediction[of[len(golds) :]] = predictions[:, 3]
        sentence = np.searchsorted(places, place)
        return count(Edits(np.zeros(len(places), np.int64), sentence, position, source, gold, prediction))
