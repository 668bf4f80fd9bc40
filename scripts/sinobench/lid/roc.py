"""The trade-off of false alarms and misses over all thresholds: sorted once, counted for any weights of units."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sinobench.score import Singled

DET_POINTS = 1000
_FEW = 64  # weights that are counted before the compiled loop is loaded


@dataclass(frozen=True)
class Det:
    """Points of the detection error trade-off, from nothing accepted to everything accepted.

    ``threshold`` is the lowest accepted score, infinite at the first point; ``on_hull`` marks the hull's vertices.
    """

    threshold: np.ndarray
    false_alarm: np.ndarray
    miss: np.ndarray
    on_hull: np.ndarray


@dataclass(frozen=True)
class Side:
    """The trials of one side, by corner and unit: at ``ends[i]:ends[i + 1]`` of corner i, ``n`` of each ``unit``."""

    ends: np.ndarray
    unit: np.ndarray
    n: np.ndarray

    @classmethod
    def of(cls, corner: np.ndarray, unit: np.ndarray, n_corners: int, n_units: int) -> "Side":
        """From the corner and the unit of each trial."""
        places, n = np.unique(corner.astype(np.int64) * n_units + unit, return_counts=True)
        ends = np.searchsorted(places, np.arange(n_corners + 1) * n_units)
        # Read once for each resample: of a large corpus more than a cache holds.
        return cls(ends, (places % n_units).astype(np.int32), n.astype(np.int32))

    def before(self, weight: np.ndarray) -> np.ndarray:
        """(n_corners + 1,) trials before each corner, and all, with each unit counted so often, (n_units,)."""
        return np.concatenate([[0], np.cumsum(weight[self.unit] * self.n)])[self.ends]


@dataclass(frozen=True)
class Roc:
    """The corners of the trade-off and the trials behind them: any weights of the units are counted without sorting.

    A corner is what can be a vertex of the lower left hull, whatever the weights: targets are accepted there, and
    other trials next. corner: of n trials, the one that they stand behind; is_target, unit: of n trials.
    """

    corner: np.ndarray
    is_target: np.ndarray
    unit: np.ndarray
    n_corners: int
    n_units: int

    @classmethod
    def of(cls, scores: np.ndarray, is_target: np.ndarray, unit: np.ndarray, n_units: int) -> "Roc":
        """From n finite scores, larger means more like the target, equal ones are one point; unit: (n,) places."""
        return cls.of_ranks(midranks(scores), is_target, unit, n_units)

    @classmethod
    def of_ranks(cls, ranks: np.ndarray, is_target: np.ndarray, unit: np.ndarray, n_units: int) -> "Roc":
        """The same from what ``midranks`` gives of the scores."""
        place = (2 * ranks).astype(np.int64)
        n = np.bincount(place)
        n_targets = np.bincount(place[is_target], minlength=len(n))
        distinct = np.flatnonzero(n)[::-1]
        n_others = (n - n_targets)[distinct]
        is_corner = np.append((n_targets[distinct][:-1] > 0) & (n_others[1:] > 0), True)
        corner = np.empty(len(n), np.int32)  # a column in memory for each trial
        corner[distinct] = np.cumsum(is_corner) - is_corner
        return cls(corner[place], is_target, unit, int(is_corner.sum()), n_units)

    @cached_property
    def others(self) -> Side:
        """The trials that are not of the target."""
        return self._side(~self.is_target)

    @cached_property
    def targets(self) -> Side:
        """The trials of the target."""
        return self._side(self.is_target)

    def eer_and_min_cllr(self, weights: np.ndarray | Singled) -> tuple[np.ndarray, np.ndarray]:
        """(r,) each by weights (r, n_units) of the units; NaN without targets or without other trials."""
        if isinstance(weights, Singled):
            if self.n_units > _FEW and (weights.size is None or (weights.size == 1).all()):
                from sinobench.lid.singled import walk_singled

                return _figures(*walk_singled(self.others, self.targets, self.n_units, weights.size is not None))
            found = [self.eer_and_min_cllr(each) for each in weights.in_full(self.n_units)]
            return tuple(map(np.concatenate, zip(*found, strict=True)))
        if len(weights) <= _FEW:
            found = np.full((2, len(weights)), np.nan)
            for of_bag, (x, y) in zip(found.T, self.counts(weights), strict=True):
                if x[-1] and y[0]:
                    of_bag[:] = eer(x, y), min_cllr(x, y)
            return found[0], found[1]
        from sinobench.lid.hulls import walk_hulls

        flat = (array for side in (self.others, self.targets) for array in (side.ends, side.unit, side.n))
        return _figures(*walk_hulls(weights.astype(np.int64, copy=False), *flat))

    def counts(self, weights: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """False alarms and misses, (n_corners + 1,) each from nothing accepted on, by each of weights (r, n_units)."""
        if len(weights) == 1:
            # Nothing is sorted by unit for a single sum.
            each = weights[0][self.unit]
            false_alarms, hits = np.zeros((2, self.n_corners + 1), np.int64)
            for before, of in ((false_alarms, ~self.is_target), (hits, self.is_target)):
                # Whole numbers below 2**53, as which bincount sums, are exact.
                np.cumsum(np.bincount(self.corner[of], each[of], self.n_corners).astype(np.int64), out=before[1:])
            yield false_alarms, hits[-1] - hits
            return
        for weight in weights:
            false_alarms, hits = (side.before(weight) for side in (self.others, self.targets))
            yield false_alarms, hits[-1] - hits

    def _side(self, of: np.ndarray) -> Side:
        return Side.of(self.corner[of], self.unit[of], self.n_corners, self.n_units)


def eer(false_alarms: np.ndarray, misses: np.ndarray) -> float:
    """Where the convex hull of the points has as many false alarms as misses, in rates.

    Counts of a falling staircase from nothing accepted to everything. Never above 0.5, as the hull holds both trivial
    systems.
    """
    n_other, n_target = int(false_alarms[-1]), int(misses[0])
    start, end = 0, len(misses) - 1
    while True:
        # The point farthest below the chord is a vertex; the edge that crosses the diagonal has none below.
        x, y = (counts[start : end + 1] - counts[start] for counts in (false_alarms, misses))
        depth = x * y[-1] - y * x[-1]
        vertex = start + int(np.argmax(depth))
        if depth[vertex - start] <= 0:
            break
        if int(misses[vertex]) * n_other > int(false_alarms[vertex]) * n_target:
            start = vertex
        else:
            end = vertex
    ends = (int(counts[place]) for place in (start, end) for counts in (false_alarms, misses))
    return _crossing(*ends, n_other, n_target)


def min_cllr(false_alarms: np.ndarray, misses: np.ndarray) -> float:
    """Cllr after the best monotone calibration, by pool adjacent violators: an edge of the hull is a pool."""
    at = hull(false_alarms, misses)
    target, other = -np.diff(misses[at]) / misses[0], np.diff(false_alarms[at]) / false_alarms[-1]
    bits = 0.0
    for share in (target, other):
        some = share > 0
        bits += float((share[some] * np.log2((target + other)[some] / share[some])).sum())
    return bits / 2


def once(of: Callable[[np.ndarray, np.ndarray], float], scores: np.ndarray, is_target: np.ndarray) -> float:
    """A figure of n trials, each counted once; NaN without targets or without other trials."""
    roc = Roc.of(scores, is_target, np.zeros(len(scores), np.int64), 1)
    [(false_alarms, misses)] = roc.counts(np.ones((1, 1), np.int64))
    return of(false_alarms, misses) if false_alarms[-1] and misses[0] else np.nan


def midranks(scores: np.ndarray) -> np.ndarray:
    """(n,) the rank of each score from 1 on, of equal ones the mean of theirs."""
    order, ends = _ranked(scores)
    sizes = np.diff(ends, prepend=-1)
    found = np.empty(len(scores))
    found[order] = np.repeat(len(scores) - ends + (sizes - 1) / 2, sizes)
    return found


def det_points(scores: np.ndarray, is_target: np.ndarray) -> Det | None:
    """The detection error trade-off in about ``DET_POINTS`` points, all of the hull's vertices among them.

    The other points lie evenly along the curve as it is drawn, on scales that widen towards 0 and 1. None without
    targets or without other trials.
    """
    order, ends = _ranked(scores)
    hits = np.cumsum(is_target[order])[ends]
    false_alarms, misses = np.append(0, ends + 1 - hits), np.append(hits[-1], hits[-1] - hits)
    n_other, n_target = false_alarms[-1], misses[0]
    if not n_other or not n_target:
        return None
    vertices = hull(false_alarms, misses)
    along = _log_odds(false_alarms, n_other) - _log_odds(misses, n_target)
    chosen = np.arange(len(along))
    if len(along) > DET_POINTS:
        wanted = np.linspace(along[0], along[-1], max(DET_POINTS - len(vertices), 0))
        chosen = np.union1d(np.searchsorted(along, wanted), vertices)
    thresholds = np.append(np.inf, scores[order][ends])[chosen]
    return Det(thresholds, false_alarms[chosen] / n_other, misses[chosen] / n_target, np.isin(chosen, vertices))


def hull(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Indices of the vertices of the lower left hull of a falling staircase in whole numbers, both ends included.

    Each pass drops every point on or above the chord of its two neighbours: none of those is a vertex.
    """
    # Of equal points the first: each would lie on the chord of its neighbours.
    kept = np.flatnonzero(np.append(True, (np.diff(x) != 0) | (np.diff(y) != 0)))
    while True:
        a, b = x[kept], y[kept]
        below = (a[1:-1] - a[:-2]) * (b[2:] - b[:-2]) > (b[1:-1] - b[:-2]) * (a[2:] - a[:-2])
        if below.all():
            return kept
        kept = kept[np.concatenate([[True], below, [True]])]


def _figures(edges: np.ndarray, bits: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Equal error rates and minimal Cllr, (r,) each, of what ``walk_hulls`` gives."""
    found = zip(edges.tolist(), bits, strict=True)
    return np.array([np.nan if np.isnan(cost) else _crossing(*edge) for edge, cost in found], np.float64), bits


def _crossing(x1: int, y1: int, x2: int, y2: int, n_other: int, n_target: int) -> float:
    """Where an edge crosses the diagonal, in rates; Python's integers, so that the division is the only rounding."""
    above, below = y1 * n_other - x1 * n_target, y2 * n_other - x2 * n_target
    return (x1 * (above - below) + above * (x2 - x1)) / (n_other * (above - below))


def _ranked(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The trials in falling order, (n,), and the places in it where a distinct score ends."""
    order = np.argsort(scores)[::-1]
    ranked = scores[order]
    return order, np.append(np.flatnonzero(ranked[1:] != ranked[:-1]), len(ranked) - 1)


def _log_odds(counts: np.ndarray, whole: int) -> np.ndarray:
    return np.log((counts + 0.5) / (whole - counts + 0.5))
