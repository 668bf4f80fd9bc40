"""The scores of spelling check, from comparisons that are taken in some sentences at a time.

A sentence is held as its name and the places of its counts among the distinct ones: some tens of bytes, whatever its
length.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from sinobench.coded import CodedRows, RowCoder, joined
from sinobench.csc.breakdown import Comparison
from sinobench.csc.characters import ERROR_TYPES, SEED_TYPE
from sinobench.csc.metrics import (
    COUNTS,
    compare,
    count,
    ignoring,
    official_formula,
    strict_formula,
    unrounded_official_formula,
)
from sinobench.csc.official import Official, Recombined
from sinobench.score import Formula, Score, by_totals, ratio, totals

WITHOUT_OVERLAP = "overlap=none"
_NAMES = np.dtypes.StringDType()  # short ones stand in the array itself
_TYPE_OF = {kind: place for place, kind in enumerate(ERROR_TYPES)}
_ROWS_AT_ONCE = 2**13


class Gathered:
    """What the scores of a model on a corpus need of its sentences.

    ignored_characters: a further subset is without the edits among them; overlapping: ids of the items that another is
    without.
    """

    def __init__(self, ignored_characters: str = "", overlapping: Collection[str] = ()) -> None:
        self._ignored, self._overlapping = ignored_characters, overlapping
        self._official: Official | None = None
        self._names: list[np.ndarray] = []
        self._apart: list[np.ndarray] = []
        self._other: list[np.ndarray] = []
        self._states = RowCoder(len(COUNTS) + 2)  # covered and misaligned beside
        self._ignoring = RowCoder(len(COUNTS))
        self._types = RowCoder(3 * len(ERROR_TYPES))
        self._recombined = Recombined()

    def add(self, compared: Comparison) -> None:
        """Take in the sentences that follow those before."""
        self._official = compared.official
        self._names.append(np.array(compared.item_ids, _NAMES))
        self._apart.append(np.array([item not in self._overlapping for item in compared.item_ids], bool))
        covered = [problem is None for problem in compared.problems]
        self._states.add(np.column_stack([compared.counts, covered, compared.misaligned]))
        if self._ignored:
            self._ignoring.add(count(ignoring(compared.edits, self._ignored)))
        self._types.add(_of_types(compared))
        self._other.append(self._recombine(compared))

    def scores(self) -> Iterator[Score]:
        """The scores; the unit is the sentence, under official the distinct input.

        ``official`` has no value where an output is misaligned, because the script refuses the whole file;
        ``misaligned`` is the share of such outputs. The subset ``ignoring=…`` is without the edits among the ignored
        characters, WITHOUT_OVERLAP without the overlapping items, where some are and others are not. ``error_type=…``
        and ``seed_type=…`` hold recall and share of the gold edits of a type, which are their items.
        """
        names, states, official = joined(self._names), self._states.rows, self._official
        counts = replace(states, distinct=states.distinct[:, : len(COUNTS)])
        coverage = _coverage(states)
        yield strict_score(names, counts, coverage)
        misaligned = np.column_stack([states.distinct[:, -1], np.ones_like(states.distinct[:, -1])])
        yield _score(names, "all", replace(states, distinct=misaligned), _misaligned, coverage)
        repeats = len(official.gold_rows) < len(names)
        units, of_units = names[official.gold_rows] if repeats else names, self._of_inputs
        yield official_score(units, of_units, coverage)
        if self._ignored:
            yield strict_score(names, self._ignoring.rows, coverage, f"ignoring={self._ignored}")
        apart = joined(self._apart)
        if 0 < apart.sum() < len(apart):
            coverage_apart = _coverage(states[apart])
            yield strict_score(names[apart], counts[apart], coverage_apart, WITHOUT_OVERLAP)
            kept = apart[official.gold_rows]
            yield official_score(units[kept], of_units[kept], coverage_apart, WITHOUT_OVERLAP)
        yield from self._type_scores(names, coverage)

    @property
    def official_counts(self) -> CodedRows:
        """(m, len(COUNTS)) of each distinct input, with the gold and the prediction that the official script takes."""
        return replace(self._of_inputs, distinct=self._of_inputs.distinct[:, :-1])

    @cached_property
    def _of_inputs(self) -> CodedRows:
        """(m, len(COUNTS) + 1) these, and how many misaligned outputs official is given, whether it would take them."""
        official, states, found = self._official, self._states.rows, RowCoder(len(COUNTS) + 1)
        places = np.union1d(np.flatnonzero(official.repeated), joined(self._other))
        recombined = self._recombined.counts(places)
        of_misaligned = official.place[states.distinct[:, -1].astype(bool)[states.place]]
        misaligned = np.unique_counts(of_misaligned[of_misaligned >= 0])
        for start in range(0, len(official.gold_rows), _ROWS_AT_ONCE):
            end = start + _ROWS_AT_ONCE
            rows = np.asarray(states[official.gold_rows[start:end]])[:, : len(COUNTS) + 1]
            rows[:, -1] = 0
            for at, columns, values in ((places, slice(-1), recombined), (misaligned.values, -1, misaligned.counts)):
                first, last = np.searchsorted(at, [start, end])
                rows[at[first:last] - start, columns] = values[first:last]
            found.add(rows)
        return found.rows

    def _recombine(self, compared: Comparison) -> np.ndarray:
        """Which distinct inputs are scored with another reference than that which their prediction meets best.

        Of those and of repeated ones, the edits of gold and prediction are kept apart.
        """
        official, rows = compared.official, compared.rows
        place = official.place[rows]
        takes_gold, takes_prediction = official.takes_gold[rows], official.takes_prediction[rows]
        last = [options[-1] for options in compared.options]
        other = takes_gold & [a != b for a, b in zip(last, compared.golds, strict=True)]
        wanted = other | ((place >= 0) & official.repeated[place] if len(official.repeated) else other)
        sides = []
        for taken, texts in ((takes_gold, last), (takes_prediction, compared.outputs)):
            chosen = np.flatnonzero(wanted & taken)
            inputs, others = ([of[row] for row in chosen] for of in (compared.inputs, texts))
            edits = compare(inputs, others, inputs)
            sides.append(np.column_stack([place[chosen][edits.sentence], edits.position, edits.source, edits.gold]))
        self._recombined.add(*(side.astype(np.int64) for side in sides))
        return place[other]

    def _type_scores(self, names: np.ndarray, coverage: float) -> Iterator[Score]:
        rows = self._types.rows
        detected, corrected, of_type = np.hsplit(rows.distinct, 3)
        for name, of in (("error_type", lambda kind: kind), ("seed_type", SEED_TYPE.get)):
            for kind in dict.fromkeys(map(of, ERROR_TYPES)):
                chosen = [place for each, place in _TYPE_OF.items() if of(each) == kind]
                columns = [counts[:, chosen].sum(axis=1) for counts in (detected, corrected, of_type)]
                statistics = replace(rows, distinct=np.column_stack([*columns, of_type.sum(axis=1)]))
                n_items = int(statistics.sums()[2])
                yield _score(names, f"{name}={kind}", statistics, _type_formula, coverage, n_items)


def scores(compared: Comparison, ignored_characters: str = "", overlapping: Collection[str] = ()) -> list[Score]:
    """The scores of a corpus that was compared as a whole."""
    held = Gathered(ignored_characters, overlapping)
    held.add(compared)
    return list(held.scores())


def strict_score(units: Sequence[str], counts: np.ndarray | CodedRows, coverage: float, subset: str = "all") -> Score:
    """The score of sentences by their counts (n, len(COUNTS))."""
    return _score(units, subset, counts, strict_formula, coverage)


def official_score(units: Sequence[str], counts: np.ndarray | CodedRows, coverage: float, subset: str = "all") -> Score:
    """The score of distinct inputs by their counts (m, len(COUNTS)), with or without a column of misaligned outputs."""
    if counts.shape[1] == len(COUNTS):
        counts = np.pad(counts, ((0, 0), (0, 1)))
    score = _score(units, subset, counts, official_formula, coverage, protocol="official")
    return replace(score, unrounded=unrounded_official_formula)


def _score(
    units: Sequence[str],
    subset: str,
    statistics: np.ndarray | CodedRows,
    formula: Formula,
    coverage: float,
    n_items: int | None = None,
    protocol: str = "strict",
) -> Score:
    n = len(units)
    return Score(protocol, subset, units, range(n), statistics, formula, n if n_items is None else n_items, coverage)


def _coverage(states: CodedRows) -> float:
    return int(states.sums()[len(COUNTS)]) / len(states)


def _of_types(compared: Comparison) -> np.ndarray:
    """(n, 3 * len(ERROR_TYPES)) gold edits of each type that each sentence has: detected ones, corrected ones, all."""
    edits, n_types = compared.edits, len(ERROR_TYPES)
    is_gold = edits.source != edits.gold
    kinds = np.array([_TYPE_OF[kind] for kind in compared.error_types if kind], np.int64)
    cell = edits.sentence[is_gold] * n_types + kinds
    chosen = ((edits.source != edits.prediction)[is_gold], (edits.gold == edits.prediction)[is_gold], slice(None))
    n = len(compared.item_ids)
    return np.hstack([np.bincount(cell[of], minlength=n * n_types).reshape(n, n_types) for of in chosen])


@by_totals
def _misaligned(score: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
    return {"misaligned": ratio(*totals(score, weights))}


@by_totals
def _type_formula(score: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
    detected, corrected, of_type, of_all = totals(score, weights)
    return {
        "detection_recall": ratio(detected, of_type),
        "correction_recall": ratio(corrected, of_type),
        "share_of_gold_edits": ratio(of_type, of_all),
    }
