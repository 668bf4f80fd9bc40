"""The hulls of many reweighted trade-offs, one after the other in a compiled loop; imported where there are many."""

import numpy as np
from numba import njit


@njit(cache=True)
def walk_hulls(
    weights: np.ndarray,
    other_ends: np.ndarray,
    other_unit: np.ndarray,
    others: np.ndarray,
    target_ends: np.ndarray,
    target_unit: np.ndarray,
    targets: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """The edge of each lower left hull that crosses the diagonal, and the minimal Cllr, NaN where a side has no trial.

    weights: (r, n_units) whole numbers. ``others`` are trials by corner and unit, those of corner i in
    other_ends[i]:other_ends[i + 1] and of the units ``other_unit``; ``targets`` likewise. Edges: (r, 6) false alarms
    and misses of both ends, and all other trials and all targets; then (r,) bits.
    """
    n_corners = len(other_ends) - 1
    edges = np.zeros((len(weights), 6), np.int64)
    bits = np.full(len(weights), np.nan)
    pool_others, pool_targets = np.empty(n_corners, np.int64), np.empty(n_corners, np.int64)
    other_sums, target_sums = np.zeros(len(others) + 1, np.int64), np.zeros(len(targets) + 1, np.int64)
    for row in range(len(weights)):
        # Running sums first: the loop over corners is short then, and has no inner one to mispredict.
        weight = weights[row]
        for i in range(len(others)):
            other_sums[i + 1] = other_sums[i] + weight[other_unit[i]] * others[i]
        for i in range(len(targets)):
            target_sums[i + 1] = target_sums[i] + weight[target_unit[i]] * targets[i]
        n_other, n_target = other_sums[-1], target_sums[-1]
        if n_other == 0 or n_target == 0:
            continue
        last = -1
        for corner in range(n_corners):
            other = other_sums[other_ends[corner + 1]] - other_sums[other_ends[corner]]
            target = target_sums[target_ends[corner + 1]] - target_sums[target_ends[corner]]
            if other + target == 0:
                continue
            # A pool with no smaller share of targets than the one before it joins that one.
            while last >= 0 and target * pool_others[last] >= pool_targets[last] * other:
                other += pool_others[last]
                target += pool_targets[last]
                last -= 1
            last += 1
            pool_others[last], pool_targets[last] = other, target
        false_alarms, misses, crossed, cost = 0, n_target, False, 0.0
        for pool in range(last + 1):
            other, target = pool_others[pool], pool_targets[pool]
            if not crossed and (misses - target) * n_other <= (false_alarms + other) * n_target:
                edges[row, 0], edges[row, 1] = false_alarms, misses
                edges[row, 2], edges[row, 3] = false_alarms + other, misses - target
                edges[row, 4], edges[row, 5] = n_other, n_target
                crossed = True
            false_alarms += other
            misses -= target
            share_of_others, share_of_targets = other / n_other, target / n_target
            if other:
                cost += share_of_others * np.log2((share_of_others + share_of_targets) / share_of_others)
            if target:
                cost += share_of_targets * np.log2((share_of_others + share_of_targets) / share_of_targets)
        bits[row] = cost / 2
    return edges, bits
