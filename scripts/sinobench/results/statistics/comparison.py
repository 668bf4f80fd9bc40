"""Models against each other on the same units: paired differences, their tests, and ranks that show ties."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations

import numpy as np

from sinobench.results.statistics.intervals import FEW_UNITS, figures, jackknives, standard_error
from sinobench.results.statistics.resampling import Bag, Settings, bag, exchanges, generator, resamples
from sinobench.score import Score, Summed, takes_summed

POWER = 0.8


@dataclass(frozen=True)
class Difference:
    """A metric of one model less that of another, with its interval and the p of approximate randomization.

    kind: of the interval, percentile or jackknife, or none, colon, and why. n_units: those that contribute to the
    metric of either; detectable: the smallest difference that units like these show at this level with ``POWER``.
    """

    difference: float | None
    low: float | None
    high: float | None
    kind: str
    p: float | None
    n_units: int
    n_undefined: int
    detectable: float | None


def differences(a: Score, b: Score, settings: Settings, *key: str) -> dict[str, Difference]:
    """The paired difference a - b of each metric that both scores have. Raises InputError where their units differ.

    Approximate randomization exchanges the outcomes of a unit between the models or not, each with probability one
    half; p is (c + 1) / (n + 1) with c exchanges of at least the observed difference. Source: Noreen 1989, "Computer
    intensive methods for testing hypotheses", chapter 2.
    """
    units = bag(a, b)
    key = (*key, a.protocol, a.subset, "paired")
    first, second = (jackknives(units, place) for place in (0, 1))
    names = [name for name in first if name in second]
    n_units = {name: int(units.size[first[name].contributes | second[name].contributes].sum()) for name in names}
    one, other = (figures(side, units.size[None]) for side in units.sides)
    observed = {name: float(one[name][0] - other[name][0]) for name in names}
    drawn: list = []
    if any(n_units[name] >= FEW_UNITS for name in names if not np.isnan(observed[name])):
        drawn = list(_resampled(units, settings, generator(settings.seed, *key, "bootstrap")))
    exchanged = list(_exchanged(units, settings, generator(settings.seed, *key, "randomization")))
    result = {}
    for name in names:
        if np.isnan(observed[name]):
            result[name] = Difference(None, None, None, "none: the metric has no value", None, n_units[name], 0, None)
            continue
        values, null = (_values_of(parts, name) for parts in (drawn, exchanged))
        without = first[name].without - second[name].without
        result[name] = _difference(observed[name], values, null, without, n_units[name], units, settings.level)
    return result


def holm(p: Sequence[float]) -> list[float]:
    """The p of a family of tests, corrected after Holm.

    Source: Holm 1979, "A simple sequentially rejective multiple test procedure".
    """
    order = np.argsort(p, kind="stable")
    steps = np.arange(len(p), 0, -1) * np.asarray(p, float)[order]
    corrected = np.empty(len(p))
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1)
    return corrected.tolist()


def ranks(values: Mapping[str, float], differing: set[frozenset[str]], better: str) -> dict[str, int]:
    """One more than the models that are better and differ; better: ``higher`` or ``lower``. Equal ranks are ties."""
    sign = {"higher": 1, "lower": -1}[better]
    return {
        model: 1
        + sum(sign * (other_value - value) > 0 and {model, other} in differing for other, other_value in values.items())
        for model, value in values.items()
    }


def letters(models: Sequence[str], differing: set[frozenset[str]]) -> dict[str, str]:
    """Letters by model, in the models' order: two models share one exactly where they do not differ."""
    import networkx

    alike = networkx.Graph()
    alike.add_nodes_from(models)
    alike.add_edges_from(pair for pair in combinations(models, 2) if frozenset(pair) not in differing)
    place = {model: i for i, model in enumerate(models)}
    groups = sorted(sorted(map(place.__getitem__, clique)) for clique in networkx.find_cliques(alike))
    return {model: "".join(_letter(i) for i, group in enumerate(groups) if place[model] in group) for model in models}


def detectable(error: float, n_units: int, n_strata: int, level: float) -> float:
    """The smallest difference that ``POWER`` of samples like this show at the level, from its standard error.

    By the normal distribution, of few units by Student's t; NaN where there are no more units than strata.
    """
    from scipy.special import ndtri, stdtrit

    shares = ((1 + level) / 2, POWER)
    if n_units >= FEW_UNITS:
        return float(sum(map(ndtri, shares))) * error
    return float(sum(stdtrit(n_units - n_strata, share) for share in shares)) * error if n_units > n_strata else np.nan


def _difference(
    observed: float,
    values: np.ndarray,
    null: np.ndarray,
    without: np.ndarray,
    n_units: int,
    units: Bag,
    level: float,
) -> Difference:
    from scipy.special import stdtrit

    # A sum of the same counts in another order may differ in its last digits.
    reached = np.abs(null[~np.isnan(null)]) >= abs(observed) - 1e-12
    p = (int(reached.sum()) + 1) / (len(reached) + 1)
    few = n_units < FEW_UNITS
    defined = values[~np.isnan(values)]
    n_undefined = int(units.size[np.isnan(without)].sum()) if few else len(values) - len(defined)
    n_strata = len(np.unique(units.stratum))
    error = standard_error(units, without)
    shown = partial(Difference, observed, p=p, n_units=n_units, n_undefined=n_undefined)
    if error == 0 and observed == 0:
        return shown(low=None, high=None, kind="none: no unit differs", detectable=None)
    if n_units < 2:
        return shown(low=None, high=None, kind="none: fewer than two units", detectable=None)
    if error <= 1e-12 * abs(observed):
        return shown(low=None, high=None, kind="none: every unit differs alike", detectable=None)
    if not few:
        low, high = (float(bound) for bound in np.quantile(defined, [(1 - level) / 2, (1 + level) / 2]))
        shown_from = detectable(float(defined.std()), n_units, n_strata, level)
        return shown(low=low, high=high, kind="percentile", detectable=shown_from)
    if n_units <= n_strata:
        return shown(low=None, high=None, kind="none: one unit in each part", detectable=None)
    if np.isnan(error):
        return shown(low=None, high=None, kind="none: undefined without one of the units", detectable=None)
    half = float(stdtrit(n_units - n_strata, (1 + level) / 2)) * error
    shown_from = detectable(error, n_units, n_strata, level)
    return shown(low=observed - half, high=observed + half, kind="jackknife", detectable=shown_from)


def _resampled(units: Bag, settings: Settings, random: np.random.Generator) -> Iterator[dict[str, np.ndarray]]:
    """The differences in resamples of the units, the same units for both."""
    a, b = units.sides
    counts = _by_kind(units)
    counts = None if counts is None else np.hstack(counts)
    for weights in resamples(units, settings.resamples, random):
        if counts is None:
            yield _less(figures(a, weights), figures(b, weights))
        else:
            yield _less_of(units, np.split((weights.astype(np.float64) @ counts).T, 2))


def _exchanged(units: Bag, settings: Settings, random: np.random.Generator) -> Iterator[dict[str, np.ndarray]]:
    """The differences with the outcomes of a random half of the units exchanged."""
    if (counts := _by_kind(units)) is not None:
        yield from _exchanged_counts(units, counts, settings, random)
        return
    a, b = units.sides
    both = replace(
        a,
        units=[*a.units, *b.units],
        unit=np.concatenate([a.unit, len(units.size) + b.unit]),
        statistics=np.concatenate([a.statistics, b.statistics]),
    )
    exchanged = replace(both, unit=(both.unit + len(units.size)) % len(both.units))
    for swapped in exchanges(units, settings.resamples, random):
        weights = np.hstack([units.size.astype(np.int32) - swapped, swapped])
        yield _less(figures(both, weights), figures(exchanged, weights))


def _exchanged_counts(
    units: Bag, counts: tuple[np.ndarray, np.ndarray], settings: Settings, random: np.random.Generator
) -> Iterator[dict[str, np.ndarray]]:
    """The same of figures that come from sums of counts: what the units that change sides take with them moves."""
    one, other = (units.size @ each for each in counts)
    moved = counts[1] - counts[0]
    for swapped in exchanges(units, settings.resamples, random):
        gained = swapped.astype(np.float64) @ moved
        yield _less_of(units, ((one + gained).T, (other - gained).T))


def _by_kind(units: Bag) -> tuple[np.ndarray, np.ndarray] | None:
    """The counts of each kind on either side, where the figures of both come from their sums by the same formula."""
    a, b = units.sides
    is_so = (
        a.formula == b.formula
        and a.statistics.shape == b.statistics.shape
        and all(takes_summed(side) and side.in_rows for side in units.sides)
    )
    return (a.statistics.astype(np.float64), b.statistics.astype(np.float64)) if is_so else None


def _less_of(units: Bag, sums: Sequence[np.ndarray]) -> dict[str, np.ndarray]:
    """The differences of figures by the sums of each side."""
    return _less(*(figures(side, Summed(of)) for side, of in zip(units.sides, sums, strict=True)))


def _values_of(parts: Sequence[Mapping[str, np.ndarray]], name: str) -> np.ndarray:
    return np.concatenate([part[name] for part in parts]) if parts else np.empty(0)


def _less(a: Mapping[str, np.ndarray], b: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    return {name: values - b[name] for name, values in a.items() if name in b}


def _letter(place: int) -> str:
    return chr(ord("a") + place) if place < 26 else f"({place + 1})"
