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
    def of(cls, outcomes: Outcomes, corpora: Sequence[str], units: Sequence[str]) -> "_Scored":
        if len(distinct := set(corpora)) == 1:  # no need of a pair for each item
            names, unit = numbered(units)
            columns = np.array([names, [*distinct] * len(names)], dtype=object)[::-1]
        else:
            names, unit = numbered(zip(corpora, units, strict=True))
            columns = np.array(names, dtype=object).reshape(-1, 2).T
        counts = {protocol: each.astype(np.uint8) for protocol, each in count(outcomes).items()}
        return cls(counts, outcomes.usable, unit, columns[1], columns[0])

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
        self.items: dict[str, list] = {name: [] for name in _COUNTED_BY}
        self._known: dict = {}
        self._outcomes = [score_items([], [])]
        self._confused: Counter = Counter()

    def add(self, items: Mapping[str, Sequence], predictions: Mapping[str, Sequence], outcomes: Outcomes) -> None:
        """Take in columns of items and of their predictions, and what came of them."""
        for name, column in self.items.items():
            column.extend(self._known.setdefault(value, value) for value in items[name])
        self._confused.update(confused(items["labels"], predictions["prediction"], outcomes))
        self._outcomes.append(replace(outcomes, nearest_label=outcomes.nearest_label.astype(np.uint8)))

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
        values, place = numbered("" if value is None else str(value) for value in items[column])
        levels = sorted(values)
        rank = {level: n for n, level in enumerate(levels)}
        group = np.array([rank[value] for value in values], np.int64)[place]
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
    rows = np.flatnonzero([corpus not in corpora for corpus in items["corpus"]])
    if len(rows) in (0, len(items["corpus"])):
        return []
    return _Scored.of(outcomes, items["corpus"], items["unit"]).scores(WITHOUT_OVERLAP, rows)


def macro_scores(outcomes: Outcomes, items: Mapping[str, Sequence]) -> list[Score]:
    """Accuracy and PER as means over the corpora of a pool, whose counts stand side by side in the statistics."""
    corpora, _ = numbered(items["corpus"])
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
