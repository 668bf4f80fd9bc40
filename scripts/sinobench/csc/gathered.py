"""The scores of spelling check, from comparisons that are taken in some sentences at a time.

A sentence is held as its name and some counts in the smallest type that they fit, its edits as their kinds: some tens
of bytes, whatever its length.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np

from sinobench.csc.breakdown import Comparison
from sinobench.csc.characters import ERROR_TYPES, SEED_TYPE
from sinobench.csc.metrics import (
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
_EDIT = np.dtype([("sentence", np.int32), ("kind", np.uint8), ("detected", bool), ("corrected", bool)])


class Gathered:
    """What the scores of a model on a corpus need of its sentences.

    ignored_characters: a further subset is without the edits among them; overlapping: ids of the items that another is
    without.
    """

    def __init__(self, ignored_characters: str = "", overlapping: Collection[str] = ()) -> None:
        self._ignored, self._overlapping = ignored_characters, overlapping
        self._official: Official | None = None
        self._parts: dict[str, list[np.ndarray]] = {}
        self._recombined = Recombined()

    def add(self, compared: Comparison) -> None:
        """Take in the sentences that follow those before."""
        self._official = compared.official
        part = {
            "names": np.array(compared.item_ids, _NAMES),
            "counts": _smallest(compared.counts),
            "covered": np.array([problem is None for problem in compared.problems], bool),
            "misaligned": compared.misaligned,
            "apart": np.array([item not in self._overlapping for item in compared.item_ids], bool),
            "edits": _gold_edits(compared),
        }
        if self._ignored:
            part["ignoring"] = _smallest(count(ignoring(compared.edits, self._ignored)))
        part["recombined"] = self._recombine(compared)
        for name, values in part.items():
            self._parts.setdefault(name, []).append(values)

    def scores(self) -> Iterator[Score]:
        """The scores; the unit is the sentence, under official the distinct input.

        ``official`` has no value where an output is misaligned, because the script refuses the whole file;
        ``misaligned`` is the share of such outputs. The subset ``ignoring=…`` is without the edits among the ignored
        characters, WITHOUT_OVERLAP without the overlapping items, where some are and others are not. ``error_type=…``
        and ``seed_type=…`` hold recall and share of the gold edits of a type, which are their items.
        """
        names, counts, misaligned, covered = map(self._all, ("names", "counts", "misaligned", "covered"))
        coverage, official = int(covered.sum()) / len(covered), self._official
        yield strict_score(names, counts, coverage)
        yield _score(names, "all", np.column_stack([misaligned, np.ones_like(misaligned)]), _misaligned, coverage)
        of_inputs = (names[official.gold_rows], self.official_counts, self._official_misaligned())
        yield official_score(*of_inputs[:2], coverage, of_inputs[2])
        if self._ignored:
            yield strict_score(names, self._all("ignoring"), coverage, f"ignoring={self._ignored}")
        apart = self._all("apart")
        if 0 < apart.sum() < len(apart):
            coverage_apart = int(covered[apart].sum()) / int(apart.sum())
            yield strict_score(names[apart], counts[apart], coverage_apart, WITHOUT_OVERLAP)
            units, of_units, refused = (of[apart[official.gold_rows]] for of in of_inputs)
            yield official_score(units, of_units, coverage_apart, refused, WITHOUT_OVERLAP)
        yield from self._type_scores(names, coverage)

    @property
    def official_counts(self) -> np.ndarray:
        """(m, len(COUNTS)) of each distinct input, with the gold and the prediction that the official script takes."""
        counts = self._all("counts")[self._official.gold_rows]
        places = np.union1d(np.flatnonzero(self._official.repeated), self._all("recombined"))
        recombined = self._recombined.counts(places)
        counts = counts.astype(np.promote_types(counts.dtype, _smallest(recombined).dtype), copy=False)
        counts[places] = recombined
        return counts

    @property
    def misaligned(self) -> np.ndarray:
        """(n,) whether a sentence has a prediction that can't stand beside it."""
        return self._all("misaligned")

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

    def _official_misaligned(self) -> np.ndarray:
        """(m,) misaligned outputs of each distinct input that official reads, whether it would take them or not."""
        place = self._official.place[self._all("misaligned")]
        return _smallest(np.bincount(place[place >= 0], minlength=len(self._official.gold_rows)))

    def _type_scores(self, names: np.ndarray, coverage: float) -> Iterator[Score]:
        edits = self._all("edits")
        everything = np.ones(len(edits), bool)
        for name, of in (("error_type", lambda kind: kind), ("seed_type", SEED_TYPE.get)):
            for kind in dict.fromkeys(map(of, ERROR_TYPES)):
                chosen = np.isin(edits["kind"], [_TYPE_OF[each] for each in ERROR_TYPES if of(each) == kind])
                columns = (chosen & edits["detected"], chosen & edits["corrected"], chosen, everything)
                statistics = np.column_stack(
                    [_smallest(np.bincount(edits["sentence"][each], minlength=len(names))) for each in columns]
                )
                yield _score(names, f"{name}={kind}", statistics, _type_formula, coverage, int(statistics[:, 2].sum()))

    def _all(self, name: str) -> np.ndarray:
        """What is held of all sentences, in one array from then on."""
        parts = self._parts[name]
        if len(parts) > 1:
            parts[:] = [np.concatenate(parts)]
        return parts[0]


def scores(compared: Comparison, ignored_characters: str = "", overlapping: Collection[str] = ()) -> list[Score]:
    """The scores of a corpus that was compared as a whole."""
    held = Gathered(ignored_characters, overlapping)
    held.add(compared)
    return list(held.scores())


def strict_score(units: Sequence[str], counts: np.ndarray, coverage: float, subset: str = "all") -> Score:
    """The score of sentences by their counts (n, len(COUNTS))."""
    return _score(units, subset, counts, strict_formula, coverage)


def official_score(
    units: Sequence[str], counts: np.ndarray, coverage: float, misaligned: np.ndarray | int = 0, subset: str = "all"
) -> Score:
    """The score of distinct inputs by their counts (m, len(COUNTS)) and their misaligned outputs (m,)."""
    statistics = np.column_stack([counts, np.broadcast_to(misaligned, len(counts))])
    score = _score(units, subset, statistics, official_formula, coverage, protocol="official")
    return replace(score, unrounded=unrounded_official_formula)


def _score(
    units: Sequence[str],
    subset: str,
    statistics: np.ndarray,
    formula: Formula,
    coverage: float,
    n_items: int | None = None,
    protocol: str = "strict",
) -> Score:
    n = len(units)
    return Score(
        protocol, subset, units, np.arange(n), statistics, formula, n if n_items is None else n_items, coverage
    )


def _smallest(numbers: np.ndarray) -> np.ndarray:
    """Whole numbers from 0 in the smallest type that they fit."""
    return numbers.astype(np.min_scalar_type(numbers.max(initial=0)))


def _gold_edits(compared: Comparison) -> np.ndarray:
    """What is held of the edits that the gold has."""
    edits = compared.edits
    is_gold = edits.source != edits.gold
    found = np.empty(int(is_gold.sum()), _EDIT)
    found["sentence"] = compared.first_row + edits.sentence[is_gold]
    found["kind"] = [_TYPE_OF[kind] for kind in compared.error_types if kind]
    found["detected"] = (edits.source != edits.prediction)[is_gold]
    found["corrected"] = (edits.gold == edits.prediction)[is_gold]
    return found


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
