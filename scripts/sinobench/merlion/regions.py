"""Intervals of time: union, intersection and difference, and what is left of the evaluated regions.

An interval is [start, end) in integer ms. Every function takes any number of pairs in any order, overlapping or not,
and gives an (n, 2) int64 array of sorted, disjoint intervals that don't touch. Work and memory follow the number of
intervals, not of milliseconds.
"""

from collections.abc import Iterable

import numpy as np

from sinobench.errors import InputError, private

REDACTION, NON_EVALUATED = "redaction", "non-evaluated speech"

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


def plan_regions(
    regions: Intervals, redactions: Intervals, non_evaluated: Intervals
) -> tuple[np.ndarray, list[tuple[int, int, str]]]:
    """Evaluated regions less redactions and non-evaluated speech, and each piece that was taken, with its reason.

    Kept intervals and pieces are disjoint and together cover the regions; what is redacted and non-evaluated at once
    counts as redacted. Pieces are (start_ms, end_ms, reason), sorted. Source: plan, "Scoring" and "Personal
    Identifying Information".
    """
    redacted = intersection(regions, redactions)
    other = difference(intersection(regions, non_evaluated), redactions)
    kept = difference(regions, np.concatenate([redacted, other]))
    pieces = [
        (*map(int, pair), reason) for pairs, reason in ((redacted, REDACTION), (other, NON_EVALUATED)) for pair in pairs
    ]
    return kept, sorted(pieces)


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
