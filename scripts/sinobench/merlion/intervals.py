"""Intervals of time: union, intersection and difference.

An interval is [start, end) in integer ms. Every function takes any number of pairs in any order, overlapping or not,
and gives an (n, 2) int64 array of sorted, disjoint intervals that don't touch. Work and memory follow the number of
intervals, not of milliseconds.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

import numpy as np

from sinobench.errors import InputError, private

Intervals = np.ndarray | Iterable[tuple[int, int]]


def union(intervals: Intervals) -> np.ndarray:
    """The time that any interval covers. Raises InputError for an end before its start; empty intervals vanish."""
    pairs = np.array(intervals if isinstance(intervals, np.ndarray) else list(intervals), np.int64).reshape(-1, 2)
    if (backward := pairs[:, 1] < pairs[:, 0]).any():
        start, end = pairs[backward.argmax()].tolist()
        raise InputError(f"the interval {private(start, end)} ms ends before it starts; exchange or correct its times")
    pairs = pairs[pairs[:, 0] < pairs[:, 1]]
    if not len(pairs):
        return pairs
    pairs = pairs[pairs[:, 0].argsort(kind="stable")]
    reach = np.maximum.accumulate(pairs[:, 1])
    is_first = np.append(True, pairs[1:, 0] > reach[:-1])
    is_last = np.append(is_first[1:], True)
    return np.column_stack([pairs[is_first, 0], reach[is_last]])


def intersection(a: Intervals, b: Intervals) -> np.ndarray:
    """The time that both cover."""
    bounds, in_a, in_b = _elementary(a, b)
    return _join(bounds, in_a & in_b)


def difference(a: Intervals, b: Intervals) -> np.ndarray:
    """The time that ``a`` covers and ``b`` does not."""
    bounds, in_a, in_b = _elementary(a, b)
    return _join(bounds, in_a & ~in_b)


def length_ms(intervals: Intervals) -> int:
    """The time covered, each millisecond once."""
    pairs = union(intervals)
    return int((pairs[:, 1] - pairs[:, 0]).sum())


def spans_by_recording(rows: Iterable[Mapping]) -> defaultdict[str, list[tuple[int, int]]]:
    """(start_ms, end_ms) of a table's rows, as they stand there, by their recording."""
    spans = defaultdict(list)
    for row in rows:
        spans[row["recording"]].append((row["start_ms"], row["end_ms"]))
    return spans


def _elementary(a: Intervals, b: Intervals) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """All bounds in order, and whether the stretch after each lies in ``a`` and in ``b``."""
    a, b = union(a).ravel(), union(b).ravel()
    bounds = np.union1d(a, b)
    # In a sorted list start, end, start, end, ... an odd number of bounds lies at or before a point inside.
    return bounds, np.searchsorted(a, bounds, "right") % 2 == 1, np.searchsorted(b, bounds, "right") % 2 == 1


def _join(bounds: np.ndarray, inside: np.ndarray) -> np.ndarray:
    """The intervals made of the stretches that are inside; the stretch after the last bound never is."""
    at = np.flatnonzero(inside)
    return union(np.column_stack([bounds[at], bounds[at + 1]]))
