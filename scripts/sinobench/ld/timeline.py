"""Recordings laid one after the other on one line of time, so that one sort serves all of them.

Intervals on the line are (n, 2) int64 arrays of [start, end) in ms, disjoint and sorted where a function says
*covered*. Work and memory follow the number of turns, never that of milliseconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sinobench.ld.turns import TurnTable
from sinobench.merlion.intervals import union


@dataclass(frozen=True)
class Timeline:
    """Recording i takes the time from i × span_ms; every bound of a recording is below span_ms."""

    n_recordings: int
    span_ms: int

    @classmethod
    def over(cls, reference: TurnTable, predictions: TurnTable, *spans: np.ndarray) -> "Timeline":
        """The line for two tables of the same recordings and (k, 3) spans of recording, start_ms, end_ms.

        Raises ValueError for tables of different recordings.
        """
        if reference.recordings != predictions.recordings:
            raise ValueError("reference and predictions are not of the same recordings")
        ends = [reference.end_ms, predictions.end_ms, *(each[:, 2] for each in spans)]
        # One ms for the last one that English occupies under the official protocol, one to keep recordings apart.
        return cls(len(reference.recordings), max(int(each.max(initial=0)) for each in ends) + 2)

    def place(self, spans: np.ndarray) -> np.ndarray:
        """(k, 3) spans as intervals on the line, in their order; bounds outside the recording are moved to its ends."""
        return np.clip(spans[:, 1:], 0, self.span_ms - 1) + spans[:, :1] * self.span_ms

    def scored(self, regions: np.ndarray, subtracted: np.ndarray) -> np.ndarray:
        """What spans of regions cover and subtracted spans do not, covered."""
        at, state = sweep([union(self.place(regions)), union(self.place(subtracted))])
        kept = np.flatnonzero(state == 0b01)  # never the last bound, where everything has ended
        return union(np.column_stack([at[kept], at[kept + 1]]))

    def ms_by_state(self, channels: Sequence[np.ndarray]) -> np.ndarray:
        """(n_recordings, 2**len(channels)) int64: the ms that a recording spends in each state but 0; see ``sweep``."""
        at, state = sweep(channels)
        if not len(at):
            return np.zeros((self.n_recordings, 2 ** len(channels)), np.int64)
        # Every interval ends in its recording, so what reaches the next one is in state 0.
        cell = (at[:-1] // self.span_ms << len(channels)) + state[:-1]
        ms = np.bincount(cell, np.diff(at), self.n_recordings << len(channels))  # float64 is exact below 2**53
        return ms.astype(np.int64).reshape(self.n_recordings, -1)


def sweep(channels: Sequence[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Bounds (k,) int64 in order, and the state (k,) from each to the next.

    channels: disjoint intervals each. Bit c of a state is set where channel c covers. A bound may stand several times;
    only the last state of it lasts.
    """
    bits = max(len(channels) - 1, 1).bit_length()
    keys = np.concatenate([(pairs.ravel() << bits) + channel for channel, pairs in enumerate(channels)])
    keys.sort(kind="stable")  # merges the channels, which are sorted each
    # In a disjoint channel every bound turns its bit over.
    return keys >> bits, np.bitwise_xor.accumulate(np.left_shift(1, keys & ((1 << bits) - 1)))
