"""The hulls of one unit's trials alone, or of all others', for each unit in turn; imported where there are many units.

The units are halved again and again. For a half, trials that all of its bags have or that none has are decided: where
no unit of the half has a trial in between, corners join pools at once, as they would in each of these bags. So a half
keeps about as much as it has trials, and all bags together take n log n steps, not n for each bag.
"""

from itertools import chain

import numpy as np
from numba import njit

from sinobench.lid.hulls import walk_hulls
from sinobench.lid.roc import Side

Slots = tuple[np.ndarray, ...]


def walk_singled(others: Side, targets: Side, n_units: int, is_rest: bool) -> tuple[np.ndarray, np.ndarray]:
    """What ``walk_hulls`` gives for bags of a single unit, or with ``is_rest`` of all but one, (n_units, 6) and
    (n_units,); others, targets: as of ``Roc``."""
    n_corners = len(others.ends) - 1
    edges, bits = np.zeros((n_units, 6), np.int64), np.full(n_units, np.nan)
    corners = np.arange(n_corners + 1) * n_units
    keys = [np.repeat(corners[:-1], np.diff(side.ends)) + side.unit for side in (others, targets)]
    pairs = np.union1d(*keys)
    # No count is above that of the trials; half of the room is that of most of this job.
    unit, ends = (pairs % n_units).astype(np.int32), np.searchsorted(pairs, corners)
    own = [np.zeros(len(pairs), np.int32) for _ in keys]
    for counts, key, side in zip(own, keys, (others, targets), strict=True):
        counts[np.searchsorted(pairs, key)] = side.n
    del keys, pairs, corners
    none = np.zeros(n_corners, np.int32)
    waiting: list[tuple[int, int, Slots]] = [(0, n_units, (ends, none, none, unit, *own))]
    while waiting:
        low, high, slots = waiting.pop()
        if high - low > 1:
            middle = (low + high) // 2
            waiting += ((*half, narrowed(*slots, *half, is_rest)) for half in ((low, middle), (middle, high)))
            continue
        _, other, target, *_ = narrowed(*slots, 0, 0, not is_rest)
        ends, of = np.arange(len(other) + 1), np.zeros(len(other), np.int64)
        counts = (each.astype(np.int64) for each in (other, target))
        found = walk_hulls(np.ones((1, 1), np.int64), *chain.from_iterable((ends, of, n) for n in counts))
        edges[low], bits[low] = (each[0] for each in found)
    return edges, bits


@njit(cache=True)
def narrowed(
    ends: np.ndarray,
    others: np.ndarray,
    targets: np.ndarray,
    unit: np.ndarray,
    unit_others: np.ndarray,
    unit_targets: np.ndarray,
    low: int,
    high: int,
    is_counted: bool,
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The slots for the units from low to below high: those with trials of theirs, and pools of what lies between.

    A slot has ``others`` and ``targets`` that every bag has, and in ends[i]:ends[i + 1] trials by unit. Those of units
    that are no longer looked at count for every bag, or for none.
    """
    new_ends = np.zeros(len(others) + 1, np.int64)
    new_others, new_targets = np.empty(len(others), np.int32), np.empty(len(others), np.int32)
    new_unit = np.empty(len(unit), np.int32)
    new_unit_others, new_unit_targets = np.empty(len(unit), np.int32), np.empty(len(unit), np.int32)
    n, n_own, pools_from = 0, 0, 0
    for slot in range(len(others)):
        other, target, n_before = np.int64(others[slot]), np.int64(targets[slot]), n_own
        for i in range(ends[slot], ends[slot + 1]):
            if low <= unit[i] < high:
                new_unit[n_own], new_unit_others[n_own], new_unit_targets[n_own] = (
                    unit[i],
                    unit_others[i],
                    unit_targets[i],
                )
                n_own += 1
            elif is_counted:
                other += unit_others[i]
                target += unit_targets[i]
        if n_own == n_before:
            if other + target == 0:
                continue
            while n > pools_from and target * new_others[n - 1] >= new_targets[n - 1] * other:
                n -= 1
                other += new_others[n]
                target += new_targets[n]
        new_others[n], new_targets[n] = other, target
        n += 1
        new_ends[n] = n_own
        if n_own > n_before:
            pools_from = n
    # Copies: what is cut off would be kept with the rest.
    return (
        new_ends[: n + 1].copy(),
        new_others[:n].copy(),
        new_targets[:n].copy(),
        new_unit[:n_own].copy(),
        new_unit_others[:n_own].copy(),
        new_unit_targets[:n_own].copy(),
    )
