"""The models of one corpus against each other, in each figure of their board: rows of the tables of comparison."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import combinations
from operator import eq
from statistics import median

import numpy as np

from sinobench.results.boards import Board
from sinobench.results.statistics.comparison import (
    POWER,
    Difference,
    detectable,
    differences,
    holm,
    letters,
    ranks,
)
from sinobench.results.statistics.intervals import jackknives, standard_error
from sinobench.results.statistics.resampling import Settings, bag
from sinobench.score import Score, plain

Pair = tuple[str, str]
Family = tuple[str, ...]  # protocol, subset, and the metrics that come from one score


@dataclass(frozen=True)
class _Figure:
    """A metric of one model: its value, the units that contribute, its standard error and the parts of a pool."""

    value: float | None
    n_units: int
    error: float
    n_strata: int


class Contest:
    """Scores of the models of one corpus, taken in one model after the other: only what the board compares is kept."""

    def __init__(self, board: Board, corpus: str) -> None:
        self._board, self._corpus = board, corpus
        self._better = {measure.metric: measure.better for measure in board.measures if measure.better}
        self._scores: dict[str, dict[Family, Score]] = {}
        self._figures: dict[str, dict[Family, dict[str, _Figure]]] = {}
        self._named: list[Score] = []  # whose units others have too

    def add(self, model: str, scores: Iterable[Score]) -> None:
        """Take a model in with its scores of both protocols and of the subsets that the board ranks."""
        kept, figures = self._scores.setdefault(model, {}), self._figures.setdefault(model, {})
        patterns = ["all", *([self._board.subsets.replace("%", "*")] if self._board.subsets else [])]
        for score in scores:
            if any(fnmatchcase(score.subset, pattern) for pattern in patterns):
                found = _figures(score)
                if metrics := [name for name in found if name in self._better]:
                    family = (score.protocol, score.subset, *metrics)
                    kept[family], figures[family] = self._compact(score), found

    def _compact(self, score: Score) -> Score:
        """The same score in as little memory as it needs: all models of a corpus are held at once.

        Whole numbers stand in the smallest type, or as places among distinct rows; names of units once.
        """
        statistics = score.statistics
        is_counts = isinstance(statistics, np.ndarray) and statistics.dtype.kind in "iu" and statistics.size
        if is_counts and statistics.min() >= 0:
            statistics = statistics.astype(np.min_scalar_type(statistics.max()))
        same = (each for each in self._named if _equal(each.units, score.units) and _equal(each.strata, score.strata))
        named = next(same, score)
        if named is score:
            self._named.append(replace(score, statistics=np.empty((0, 0))))
        same_rows = (named.in_rows and score.in_rows) or np.array_equal(named.unit, score.unit)
        unit = named.unit if same_rows else score.unit
        return replace(score, statistics=statistics, units=named.units, strata=named.strata, unit=unit)

    def rows(self, settings: Settings) -> tuple[list[dict], list[dict], list[dict]]:
        """Rows of ``comparisons``, each pair in alphabetical order, of ``ranks``, and of ``detectable_differences``.

        Models without a value have no rank. Raises InputError where two models are scored on other items.
        """
        compared, ranked, shown = [], [], []
        task, models = self._board.task, sorted(self._scores)
        for family in dict.fromkeys(family for model in models for family in self._scores[model]):
            scores = {model: self._scores[model][family] for model in models if family in self._scores[model]}
            found = {
                (a, b): differences(scores[a], scores[b], settings, task, self._corpus, a, b)
                for a, b in combinations(scores, 2)
            }
            protocol, subset, *metrics = family
            for metric in metrics:
                key = {"task": task, "corpus": self._corpus, "protocol": protocol, "subset": subset, "metric": metric}
                pairs = {pair: of_metrics[metric] for pair, of_metrics in found.items()}
                figures = {model: self._figures[model][family][metric] for model in scores}
                tested = [pair for pair, each in pairs.items() if each.p is not None]
                p_holm = dict(zip(tested, holm([pairs[pair].p for pair in tested]), strict=True))
                differing = {frozenset(pair) for pair, p in p_holm.items() if p <= 1 - settings.level}
                compared += [
                    key | _columns(pair, each) | {"p_holm": p_holm.get(pair)} | vars(settings)
                    for pair, each in pairs.items()
                ]
                ranked += [key | row for row in _ranks(figures, differing, self._better[metric])]
                shown.append(key | _detectable(figures.values(), pairs.values(), settings.level))
        return compared, ranked, shown


def _equal(a: Sequence[str] | None, b: Sequence[str] | None) -> bool:
    return a is b or (a is not None and b is not None and len(a) == len(b) and all(map(eq, a, b)))


def _figures(score: Score) -> dict[str, _Figure]:
    units = bag(score)
    n_strata, values = len(np.unique(units.stratum)), plain(score.metrics())
    return {
        name: _Figure(
            values[name],
            int(units.size[metric.contributes].sum()),
            standard_error(units, metric.without),
            n_strata,
        )
        for name, metric in jackknives(units).items()
    }


def _columns(pair: Pair, found: Difference) -> dict:
    return {
        "model": pair[0],
        "other": pair[1],
        "difference": found.difference,
        "ci_low": found.low,
        "ci_high": found.high,
        "interval": found.kind,
        "p": found.p,
        "n_units": found.n_units,
        "n_undefined": found.n_undefined,
        "detectable": found.detectable,
    }


def _ranks(figures: Mapping[str, _Figure], differing: set[frozenset[str]], better: str) -> list[dict]:
    values = {model: figure.value for model, figure in figures.items() if figure.value is not None}
    best_first = sorted(values, key=values.__getitem__, reverse=better == "higher")
    rank, shared = ranks(values, differing, better), letters(best_first, differing)
    rows = []
    for model in best_first:
        ties = [other for other in best_first if other != model and frozenset((model, other)) not in differing]
        row = {"model": model, "rank": rank[model], "letters": shared[model], "tied_with": ", ".join(ties) or None}
        rows.append(row)
    return rows


def _detectable(figures: Iterable[_Figure], pairs: Iterable[Difference], level: float) -> dict:
    """Of pairs as they are; and of models whose errors are independent: their variances add up."""
    figures = list(figures)
    paired = [pair.detectable for pair in pairs if pair.detectable is not None]
    alone = [detectable(np.sqrt(2) * each.error, each.n_units, each.n_strata, level) for each in figures]
    unpaired = [value for value in alone if value > 0]  # neither NaN nor of units that do not differ
    return {
        "n_units": max((each.n_units for each in figures if each.value is not None), default=0),
        "n_pairs": len(paired),
        "paired": median(paired) if paired else None,
        "unpaired": median(unpaired) if unpaired else None,
        "power": POWER,
        "level": level,
    }
