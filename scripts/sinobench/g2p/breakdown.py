"""Rows of the result tables for one model on one corpus, or on a pool of them."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sinobench.g2p.metrics import COUNTS, Outcomes, confused, confusion_table, count, main_rates, problem, rates
from sinobench.g2p.metrics import score as score_items
from sinobench.score import Formula, Score, by_totals, numbered, plain, totals

WITHOUT_OVERLAP = "overlap=none"
_COUNTED_BY = ("corpus", "unit", "register", "pos", "n_readings", "character")


@dataclass(frozen=True)
class _Coded:
    """A column of n values: its distinct ones in order of first appearance, and (n,) the place of each among them."""

    values: list
    place: np.ndarray

    @classmethod
    def of(cls, column: "Sequence | _Coded") -> "_Coded":
        if isinstance(column, cls):
            return column
        if len(distinct := set(column)) == 1:
            return cls([*distinct], np.zeros(len(column), np.uint8))
        return cls(*numbered(column))

    def pairs(self, other: "_Coded") -> "_Coded":
        """The same of the pairs of the values of two columns."""
        if len(self.values) == 1:
            return _Coded([(self.values[0], value) for value in other.values], other.place)
        n = len(other.values)
        pair = self.place.astype(np.int64) * n + other.place
        first = np.full(len(self.values) * n, -1)
        first[pair[::-1]] = np.arange(len(pair))[::-1]  # the last one assigned stays
        found = np.flatnonzero(first >= 0)
        found = found[np.argsort(first[found])]
        rank = np.empty(len(first), np.uint32)
        rank[found] = np.arange(len(found))
        return _Coded([(self.values[i // n], other.values[i % n]) for i in found.tolist()], rank[pair])


@dataclass(frozen=True)
class _Scored:
    """n items: counts (n, len(COUNTS)) by protocol, whether usable, and the place of each one's unit.

    units, corpora: (n_units,) names, of each unit and of the corpus that it is of.
    """

    counts: Mapping[str, np.ndarray]
    usable: np.ndarray
    unit: np.ndarray
    units: np.ndarray
    corpora: np.ndarray

    @classmethod
    def of(cls, outcomes: Outcomes, corpora: Sequence[str] | _Coded, units: Sequence[str] | _Coded) -> "_Scored":
        pairs = _Coded.of(corpora).pairs(_Coded.of(units))
        columns = np.array(pairs.values, dtype=object).reshape(-1, 2).T
        return cls(count(outcomes), outcomes.usable, pairs.place, columns[1], columns[0])

    def scores(
        self, subset: str, rows: np.ndarray | slice = slice(None), formula: Formula | None = None
    ) -> list[Score]:
        """Strict and official of some rows."""
        is_all = isinstance(rows, slice) and rows == slice(None)
        own, place = (
            (np.arange(len(self.units)), self.unit) if is_all else np.unique(self.unit[rows], return_inverse=True)
        )
        usable = self.usable[rows]
        found = []
        for protocol, counts in self.counts.items():
            sums = (np.bincount(place, column, len(own)) for column in counts[rows].T)  # exact below 2**53
            statistics = np.column_stack([column.astype(np.int64) for column in sums])
            score = Score(
                protocol,
                subset,
                self.units[own],
                np.arange(len(own)),
                statistics,
                formula or _formula,
                int(statistics[:, 0].sum()),
                float(usable.mean()) if len(usable) else None,
                self.corpora[own],
            )
            found.append(score)
        return found


class Gathered:
    """What the scores of items need of them, taken in some at a time: a few bytes an item."""

    def __init__(self) -> None:
        self._known: dict[str, dict] = {name: {} for name in _COUNTED_BY}
        self._places: dict[str, list[np.ndarray]] = {name: [] for name in _COUNTED_BY}
        self._outcomes = [score_items([], [])]
        self._confused: Counter = Counter()

    def add(self, items: Mapping[str, Sequence], predictions: Mapping[str, Sequence], outcomes: Outcomes) -> None:
        """Take in columns of items and of their predictions, and what came of them."""
        for name, known in self._known.items():
            place = np.array([known.setdefault(value, len(known)) for value in items[name]], np.uint32)
            self._places[name].append(place.astype(np.min_scalar_type(len(known))))
        self._confused.update(confused(items["labels"], predictions["prediction"], outcomes))
        self._outcomes.append(replace(outcomes, nearest_label=outcomes.nearest_label.astype(np.uint8)))

    @property
    def items(self) -> dict[str, _Coded]:
        """What items are counted by, of all of them."""
        none = np.empty(0, np.uint8)
        return {
            name: _Coded(list(known), np.concatenate([none, *self._places[name]]))
            for name, known in self._known.items()
        }

    @property
    def outcomes(self) -> Outcomes:
        """Those of all items."""
        names = vars(self._outcomes[0])
        return Outcomes(**{name: np.concatenate([getattr(each, name) for each in self._outcomes]) for name in names})

    def confusion_rows(self) -> list[dict]:
        """Rows of ``g2p_confusions`` but corpus and model."""
        names = ("component", "expected", "predicted", "n")
        return [dict(zip(names, row, strict=True)) for row in confusion_table(self._confused)]


def score_table(items: Mapping[str, Sequence], predictions: Mapping[str, Sequence]) -> Outcomes:
    """Score columns of ``g2p_items`` with columns of ``g2p_predictions``, row by row the same items."""
    return score_items(
        items["labels"],
        predictions["prediction"],
        items["position"],
        [len(text) for text in items["text"]],
        predictions["output_length"],
    )


def outcome_columns(items: Mapping[str, Sequence], predictions: Mapping[str, Sequence], outcomes: Outcomes) -> dict:
    """The columns of ``g2p_outcomes`` but corpus and model."""
    official_errors = outcomes.official_wrong.sum(axis=1)
    return {
        "item_id": items["item_id"],
        "prediction": predictions["prediction"],
        "nearest_label": [labels[i] for labels, i in zip(items["labels"], outcomes.nearest_label, strict=True)],
        "strict_correct": ~outcomes.wrong.any(axis=1),
        "strict_errors": outcomes.wrong.sum(axis=1),
        "official_correct": [None if d else e == 0 for d, e in zip(outcomes.dropped, official_errors, strict=True)],
        "official_errors": [None if d else int(e) for d, e in zip(outcomes.dropped, official_errors, strict=True)],
        "official_dropped": outcomes.dropped,
        "problem": [
            problem(prediction, len(text), length)
            for prediction, text, length in zip(
                predictions["prediction"], items["text"], predictions["output_length"], strict=True
            )
        ],
    }


def scores(outcomes: Outcomes, items: Mapping[str, Sequence]) -> Iterator[Score]:
    """The scores over all items and by register, POS, readings and character; items: columns of ``g2p_items``."""
    scored = _Scored.of(outcomes, items["corpus"], items["unit"])
    yield from scored.scores("all")
    subsets = {"register": "register", "pos": "pos", "readings": "n_readings", "character": "character"}
    for name, column in subsets.items():
        coded = _Coded.of(items[column])
        values = ["" if value is None else str(value) for value in coded.values]
        levels = sorted(set(values))
        rank = {level: n for n, level in enumerate(levels)}
        group = np.array([rank[value] for value in values], np.min_scalar_type(len(levels)))[coded.place]
        ends = np.cumsum(np.bincount(group, minlength=len(levels)))
        groups = np.split(np.argsort(group, kind="stable"), ends[:-1])
        formula = _brief_formula if name == "character" else _formula
        for level, rows in zip(levels, groups, strict=False):
            if level:
                yield from scored.scores(f"{name}={level}", rows, formula)


def whole_scores(outcomes: Outcomes, corpora: Sequence[str], units: Sequence[str]) -> list[Score]:
    """Strict and official over all n items, each of a corpus and of one of its units."""
    return _Scored.of(outcomes, corpora, units).scores("all")


def scores_without(outcomes: Outcomes, items: Mapping[str, Sequence], corpora: Collection[str]) -> list[Score]:
    """Strict and official over the items of a pool that are of none of the corpora; none where that is all or none."""
    coded = _Coded.of(items["corpus"])
    rows = np.flatnonzero(np.array([corpus not in corpora for corpus in coded.values], bool)[coded.place])
    if len(rows) in (0, len(coded.place)):
        return []
    return _Scored.of(outcomes, items["corpus"], items["unit"]).scores(WITHOUT_OVERLAP, rows)


def macro_scores(outcomes: Outcomes, items: Mapping[str, Sequence]) -> list[Score]:
    """Accuracy and PER as means over the corpora of a pool, whose counts stand side by side in the statistics."""
    corpora = _Coded.of(items["corpus"]).values
    found = []
    for whole in whole_scores(outcomes, items["corpus"], items["unit"]):
        apart = [whole.statistics * (whole.strata == corpus)[:, None] for corpus in corpora]
        found.append(replace(whole, statistics=np.hstack(apart), formula=_macro_formula))
    return found


def figures(outcomes: Outcomes, units: Sequence[str]) -> dict[str, dict]:
    """By protocol n_items, the metrics and coverage over all n items; official also has the number of dropped ones."""
    return figures_of(whole_scores(outcomes, [""] * len(units), units))


def figures_of(scores: Iterable[Score]) -> dict[str, dict]:
    """By protocol what ``figures`` gives, of the scores over all items."""
    found = {
        whole.protocol: {"n_items": whole.n_items, **plain(whole.metrics()), "coverage": whole.coverage}
        for whole in scores
    }
    found["official"]["dropped"] = found["strict"]["n_items"] - found["official"]["n_items"]
    return found


@by_totals
def _formula(score: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
    return rates(totals(score, weights))


@by_totals
def _brief_formula(score: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
    """Of thousands of characters: the rates of their components can be had from the outcomes."""
    return main_rates(totals(score, weights))


@by_totals
def _macro_formula(score: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
    summed = totals(score, weights)
    each = [main_rates(part) for part in np.split(summed, len(summed) // len(COUNTS))]
    return {f"{name}_macro": sum(found[name] for found in each) / len(each) for name in each[0]}
