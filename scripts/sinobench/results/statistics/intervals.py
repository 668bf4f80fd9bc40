"""Intervals of the metrics of a score, over its independent units.

``mid-p``: of a share of the units, from the binomial distribution itself. ``percentile``: percentile bootstrap over
units, where ``FEW_UNITS`` or more contribute. It is too short for fewer, and where a metric is biased, as the minimal
Cllr is by its calibration on the same segments: there it is ``jackknife``, Student's t over units around the value,
less its bias where that is no noise, with the error that each possible true value would have.
Which holds its level where is measured by benchmarks/simulate_coverage.py.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np

from sinobench.results.statistics.resampling import Bag, Settings, bag, generator, resamples
from sinobench.score import Score, Singled, takes_singled

FEW_UNITS = 100
_FEW_ALIKE = 10  # a share of units has few of its rarer kind
_BIASED = 0.25  # a bias of so many standard errors moves an interval off its level; a smaller one is mostly noise
_N_ALIKE, _BYTES_OF_ALIKE = 2**10, 2**13  # bags whose intervals are kept, and the most that one takes
_SAME = 1e-12  # sums of the same numbers in another order
_ROUNDING = 5.1e-5  # of official rates, which are printed as percentages of two decimals


@dataclass(frozen=True)
class Interval:
    """``kind`` is mid-p, percentile or jackknife; or none, colon, and why: then low and high are None.

    n_units: the units that contribute to the metric; n_undefined: the resamples, of units left out one by one for
    ``jackknife``, in which the metric has no value.
    """

    low: float | None
    high: float | None
    kind: str
    n_units: int
    n_undefined: int = 0


@dataclass(frozen=True)
class Jackknife:
    """One metric with each kind of unit alone and left out, (n_kinds,), and which kinds contribute to it."""

    value: float
    alone: np.ndarray
    without: np.ndarray
    contributes: np.ndarray


def intervals(score: Score, settings: Settings, *key: str) -> dict[str, Interval]:
    """The interval of each metric of a score; key: what names its random stream, such as task, corpus and model."""
    units = bag(score)
    alike = _Alike.of(units)
    n_units, found = _of_alike(alike, settings.level) if alike else _without_draws(units, settings.level)
    found = dict(found)
    for name in found.keys() & set(score.counts):
        found[name] = Interval(None, None, "none: a count", units.n_units)
    wanted = [name for name, interval in found.items() if interval is None]
    if wanted:
        random = generator(settings.seed, *key, score.protocol, score.subset)
        drawn = [figures(units.sides[0], weights) for weights in resamples(units, settings.resamples, random)]
        for name in wanted:
            values = np.concatenate([part[name] for part in drawn])
            found[name] = percentile(values, settings.level, n_units[name])
    return found


@dataclass(frozen=True)
class _Alike:
    """A bag of one score, equal to those of the same formula and the same units: all that its figures come from.

    Most characters are seldom, and what came of them repeats; strict and official often have the same counts.
    """

    key: tuple
    units: Bag = field(compare=False)

    @classmethod
    def of(cls, units: Bag) -> "_Alike | None":
        """None for a bag that is too large to be kept."""
        [side] = units.sides
        arrays = (units.size, units.stratum, side.statistics, side.unit)
        if sum(each.nbytes for each in arrays) > _BYTES_OF_ALIKE:
            return None
        of_arrays = [(each.shape, each.dtype.str, each.tobytes()) for each in arrays]
        return cls((side.formula, side.unrounded, len(side.units), *of_arrays), units)


@lru_cache(_N_ALIKE)
def _of_alike(alike: _Alike, level: float) -> tuple[dict[str, int], dict[str, Interval | None]]:
    return _without_draws(alike.units, level)


def _without_draws(units: Bag, level: float) -> tuple[dict[str, int], dict[str, Interval | None]]:
    """Of each metric how many units contribute, and the interval that needs no resamples."""
    metrics = jackknives(units)
    n_units = {name: int(units.size[metric.contributes].sum()) for name, metric in metrics.items()}
    return n_units, {name: _of_few(units, metric, level) for name, metric in metrics.items()}


def figures(score: Score, weights: np.ndarray | Singled) -> dict[str, np.ndarray]:
    """Each metric, (r,), with every unit counted so often: weights (r, n_units)."""
    return score.formula(score, weights)


def jackknives(units: Bag, place: int = 0) -> dict[str, Jackknife]:
    """Each metric of one of the bag's scores with each unit alone, and left out.

    Without the rounding of official scripts, which would hide one unit of many.
    """
    n_kinds, side = len(units.size), units.sides[place]
    side = replace(side, formula=side.unrounded or side.formula)
    bags = [Singled(size) for size in (None, units.size)]
    if takes_singled(side):
        alone, without = ([figures(side, each)] for each in bags)
    else:
        alone, without = ([figures(side, weights) for weights in each.in_full(n_kinds)] for each in bags)
    result = {}
    for name, (value,) in figures(side, units.size[None]).items():
        own, rest = (np.concatenate([part[name] for part in parts]) for parts in (alone, without))
        result[name] = Jackknife(float(value), own, rest, ~np.isnan(own) | ~np.isclose(rest, value, rtol=_SAME, atol=0))
    return result


def percentile(values: np.ndarray, level: float, n_units: int) -> Interval:
    """The percentile interval of the values (r,) of a metric in resamples, of those in which it has one."""
    defined = values[~np.isnan(values)]
    low, high = np.quantile(defined, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), "percentile", n_units, len(values) - len(defined))


def standard_error(units: Bag, without: np.ndarray) -> float:
    """By the jackknife from a metric (n_kinds,) with one unit of each kind left out, within the strata.

    NaN where it is undefined without some unit.
    """
    variance = 0.0
    for n, size, values in _by_stratum(units, without):
        variance += (n - 1) / n * float(size @ (values - size @ values / n) ** 2)
    return float(np.sqrt(variance))


def bias(units: Bag, value: float, without: np.ndarray) -> float:
    """By the jackknife, as ``standard_error``."""
    return sum((n - 1) * float(size @ values / n - value) for n, size, values in _by_stratum(units, without))


def _by_stratum(units: Bag, without: np.ndarray) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    for stratum in np.unique(units.stratum):
        of = units.stratum == stratum
        yield int(units.size[of].sum()), units.size[of], without[of]


def _of_few(units: Bag, metric: Jackknife, level: float) -> Interval | None:
    """The interval that needs no resamples; None where the percentile bootstrap holds its level."""
    size = units.size[metric.contributes]
    n_units = int(size.sum())
    if np.isnan(metric.value):
        return Interval(None, None, "none: the metric has no value", n_units)
    if n_units < 2:
        return Interval(None, None, "none: fewer than two units", n_units)
    n_strata = len(np.unique(units.stratum[metric.contributes]))
    if (n_right := _n_right(metric, size)) is not None:
        # The binomial knows of no parts.
        if n_strata > 1 and n_units >= FEW_UNITS and min(n_right, n_units - n_right) >= _FEW_ALIKE:
            return None
        return Interval(*_mid_p(n_right, n_units, level), "mid-p", n_units)
    undefined = int(units.size[np.isnan(metric.without)].sum())
    error = standard_error(units, metric.without)
    if error <= _SAME * abs(metric.value):
        return Interval(None, None, "none: the units do not differ", n_units)
    off = bias(units, metric.value, metric.without)
    if n_units >= FEW_UNITS and (undefined or abs(off) <= _BIASED * error):
        return None
    if undefined:
        return Interval(None, None, "none: undefined without one of the units", n_units, undefined)
    if n_units == n_strata:
        return Interval(None, None, "none: one unit in each part", n_units)
    is_share = not (metric.alone > 1).any()
    centre = metric.value - off
    if abs(off) <= _BIASED * error or centre <= 0 or (is_share and centre >= 1):
        centre = metric.value
    n_free = _n_free(n_units - n_strata, size, metric.without[metric.contributes])
    # How far off the value is, is uncertain too.
    low, high = _student(centre, float(np.hypot(error, off)), n_free, level, is_share)
    return Interval(low, high, "jackknife", n_units)


def _n_right(metric: Jackknife, size: np.ndarray) -> int | None:
    """How many units have the value 1 where each has 0 or 1 and the metric is their mean; None where it is not."""
    alone = metric.alone[metric.contributes]
    if not np.isin(alone, (0, 1)).all() or not np.isclose(
        size @ alone / size.sum(), metric.value, rtol=0, atol=_ROUNDING
    ):
        return None
    return int(size @ alone)


@lru_cache(4096)
def _mid_p(n_right: int, n_units: int, level: float) -> tuple[float, float]:
    """Clopper and Pearson's, but with the units as many as there are right counted half in each tail, not whole.

    Source: Lancaster 1961, "Significance tests in discrete distributions".
    """
    from scipy.special import bdtr

    def bound(least: int) -> float:
        """The share at which the tail from ``least`` right units on has what it may have."""
        low, high = 0.0, 1.0 if least else 0.0
        # Bisection, to the last digit of a double; scipy's own, in a module that takes a third of a second to load.
        for _ in range(53):
            share = (low + high) / 2
            at_most, fewer = (bdtr(n, n_units, share) for n in (least, least - 1))
            low, high = (share, high) if 1 - (at_most + fewer) / 2 < (1 - level) / 2 else (low, share)
        return (low + high) / 2

    return bound(n_right), 1 - bound(n_units - n_right)


def _n_free(n_free: int, size: np.ndarray, without: np.ndarray) -> float:
    """Degrees of freedom of the standard error, fewer where few of the units make most of it, but at least half.

    After Satterthwaite, by the kurtosis of a metric with one unit of each kind left out.
    """
    n = int(size.sum())
    off = without - size @ without / n
    kurtosis = float(size @ off**4) / n / (float(size @ off**2) / n) ** 2
    return float(np.clip(2 * n / (kurtosis - (n - 3) / (n - 1)), n_free / 2, n_free))


def _student(centre: float, error: float, n_free: float, level: float, is_share: bool) -> tuple[float, float]:
    """Wilson's score interval with Student's t for a share; on the logarithm for what may exceed 1."""
    from scipy.special import stdtrit

    half = float(stdtrit(n_free, (1 + level) / 2)) * error
    if is_share and 0 < centre < 1:
        grown = half**2 / (centre * (1 - centre))
        middle, reach = (centre + grown / 2) / (1 + grown), np.sqrt(half**2 + grown**2 / 4) / (1 + grown)
        return float(middle - reach), float(middle + reach)
    if is_share:  # 0 or 1 by rounding
        return max(0.0, centre - half), min(1.0, centre + half)
    if centre > 0:
        return float(centre * np.exp(-half / centre)), float(centre * np.exp(half / centre))
    return centre - half, centre + half
