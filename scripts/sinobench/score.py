"""The one shape of a score, for every task: rows of independent units, and a formula over a weighted bag of them.

A unit that counts w times gives the figures of a corpus that holds it w times, official rounding and all: that is what
a resample of units is.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sinobench.coded import Coded, CodedRows

# A score and weights (r, n_units) of its units to arrays (r,) by metric, NaN where undefined.
Formula = Callable[["Score", np.ndarray], dict[str, np.ndarray]]

_CELLS_AT_ONCE = 2**23
_UNITS_AT_ONCE = 2**17


@dataclass(frozen=True)
class Score:
    """Metrics of one model on a subset of one corpus under one protocol, all of them from the same rows.

    statistics: (n_rows, k), what a row contributes; unit: (n_rows,) the place in ``units`` of the independent unit that
    it belongs to, a range where each is one of its own; strata: (n_units,) the part of a pool that a unit is of, None
    without parts; n_items: how many items the figures are over; coverage: the share of them that has a usable output;
    counts: the metrics that are numbers of units or items, which grow with the corpus and so have no interval;
    unrounded: the formula without the rounding of a script, by which a single unit of many can be told, None where the
    formula does not round.
    """

    protocol: str
    subset: str
    units: Sequence[str]
    unit: np.ndarray | range
    statistics: np.ndarray | CodedRows
    formula: Formula
    n_items: int
    coverage: float | None
    strata: Sequence[str] | None = None
    warning: str | None = None
    counts: Sequence[str] = ()
    unrounded: Formula | None = None

    @property
    def in_rows(self) -> bool:
        """Whether each row is a unit of its own, in the order of the units."""
        n = len(self.units)
        return self.unit == range(n) if isinstance(self.unit, range) else np.array_equal(self.unit, np.arange(n))

    def metrics(self, weights: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Each metric with every unit counted so often, NaN where it is undefined.

        weights: whole numbers, (n_units,) for one figure a metric, (r, n_units) for r of them; None: each unit once.
        Raises ValueError for other shapes and for fractions.
        """
        weights = np.ones(len(self.units), np.int64) if weights is None else np.asarray(weights)
        if weights.dtype.kind not in "iu" or weights.ndim not in (1, 2) or weights.shape[-1] != len(self.units):
            raise ValueError(
                f"expected whole weights of {len(self.units)} units, found {weights.shape} {weights.dtype}"
            )
        if weights.ndim == 1:
            return {name: values[0] for name, values in self.metrics(weights[None]).items()}
        weights = weights.astype(np.int64, copy=False)
        step = max(1, _CELLS_AT_ONCE // max(1, len(self.unit)))
        starts = range(0, max(1, len(weights)), step)
        parts = [self.formula(self, weights[start : start + step]) for start in starts]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def metric_rows(scores: Iterable[Score], **key: str) -> list[dict]:
    """Rows of ``metrics``; key: task, corpus and model."""
    return [
        {
            **key,
            "protocol": score.protocol,
            "subset": score.subset,
            "metric": metric,
            "value": value,
            "n_items": score.n_items,
            "coverage": score.coverage,
            "warning": score.warning,
        }
        for score in scores
        for metric, value in plain(score.metrics()).items()
    ]


def plain(metrics: Mapping[str, np.ndarray]) -> dict[str, float | None]:
    """Single figures as numbers, None where undefined."""
    return {name: None if np.isnan(value) else float(value) for name, value in metrics.items()}


def numbered(names: Iterable[str]) -> tuple[list[str], np.ndarray]:
    """The distinct names in order of first appearance, and the place of each name among them."""
    coded = Coded.of(names)
    return coded.values, coded.place.astype(np.int64, copy=False)


def by_totals(formula: Formula) -> Formula:
    """Mark a formula that takes nothing of its weights but ``totals``, and so ``Singled`` and ``Summed`` of counts."""
    formula.takes_singled = formula.takes_summed = lambda score: score.statistics.dtype.kind in "iu"
    return formula


def by_unit(formula: Formula) -> Formula:
    """Mark a formula that knows ``Singled`` weights."""
    formula.takes_singled = lambda score: True
    return formula


@dataclass(frozen=True)
class Singled:
    """The weights of as many bags as there are units: in each one unit alone, or, with their sizes, all but one."""

    size: np.ndarray | None = None

    def totals(self, summed: np.ndarray) -> np.ndarray:
        """(k, n_units) sums of the statistics (n_units, k) of the units."""
        summed = summed.astype(np.float64)
        return (summed if self.size is None else self.size.astype(np.float64) @ summed - summed).T

    def in_full(self, n_units: int) -> Iterator[np.ndarray]:
        """(r, n_units) weights in full, some bags at a time."""
        step = max(1, _CELLS_AT_ONCE // 4 // n_units)
        for start in range(0, n_units, step):
            one = np.eye(min(step, n_units - start), n_units, start, dtype=np.int32)
            yield one if self.size is None else self.size - one


@dataclass(frozen=True)
class Summed:
    """The weights of some bags of which the sums (k, r) of the statistics are known."""

    sums: np.ndarray


def takes_summed(score: Score) -> bool:
    """Whether the figures of ``Summed`` weights are exactly those of the same weights in full."""
    return getattr(score.formula, "takes_summed", lambda score: False)(score)


def takes_singled(score: Score) -> bool:
    """Whether the figures of ``Singled`` weights are exactly those of the same weights in full."""
    return getattr(score.formula, "takes_singled", lambda score: False)(score)


def totals(score: Score, weights: np.ndarray | Singled | Summed) -> np.ndarray:
    """(k, r) sums of the statistics, float64; exact below 2**53 where they are whole numbers."""
    if isinstance(weights, Summed):
        return weights.sums
    summed = score.statistics
    if not score.in_rows:
        n_units = len(score.units)
        summed = np.column_stack([np.bincount(score.unit, column, n_units) for column in score.statistics.T])
    if isinstance(weights, Singled):
        return weights.totals(summed)
    # Whole numbers have the same sum in parts, and take less room.
    step = _UNITS_AT_ONCE if summed.dtype.kind in "iu" else max(1, len(summed))
    parts = [slice(start, start + step) for start in range(0, max(1, len(summed)), step)]
    return sum(weights[:, part].astype(np.float64) @ np.asarray(summed[part], np.float64) for part in parts).T


def of_rows(score: Score, weights: np.ndarray) -> np.ndarray:
    """The weights (r, n_rows) of the rows, each that of its unit."""
    return np.take(weights, score.unit, axis=1)


def ratio(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    """The share; NaN of nothing."""
    part, whole = np.asarray(part, np.float64), np.asarray(whole, np.float64)
    return np.divide(part, whole, out=np.full(np.broadcast(part, whole).shape, np.nan), where=whole != 0)


def mean(values: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """(r,) means of values (n_rows,), weighted; NaN of nothing."""
    return ratio((weights * values).sum(axis=1), weights.sum(axis=1))


def worst_decile(worst_first: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """What the weights (r, n_rows) of rows are within the worst tenth of them, rounded up.

    worst_first: (m,) the rows that count, from the worst on.
    """
    ranked = weights[:, worst_first]
    quota = -(-ranked.sum(axis=1, keepdims=True) // 10)
    taken = np.zeros_like(weights)
    taken[:, worst_first] = np.clip(quota - (np.cumsum(ranked, axis=1) - ranked), 0, ranked)
    return taken
