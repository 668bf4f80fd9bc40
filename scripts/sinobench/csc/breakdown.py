"""Rows of the result tables of spelling check for one model on one corpus, all from one comparison of the texts."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sinobench.csc.alignment import lay, misalignment
from sinobench.csc.characters import ERROR_TYPES, SEED_TYPE, error_type
from sinobench.csc.metrics import (
    COUNTS,
    Edits,
    compare,
    count,
    ignoring,
    official_formula,
    strict_formula,
    unrounded_official_formula,
)
from sinobench.csc.pairs import official_rows
from sinobench.score import Formula, Score, by_totals, ratio, totals

WITHOUT_OVERLAP = "overlap=none"
_NO_PREDICTION = "no prediction"


@dataclass(frozen=True)
class Comparison:
    """n sentences, what a model made of them, and what it should have.

    golds: the reference of each that its prediction meets best; predictions: None where there is none; problems: why a
    sentence is not covered, None where it is; edits, counts (n, len(COUNTS)) and error_types, one an edit, None where
    the gold is the input: a sentence without prediction counts as unchanged, a misaligned one as laid on its text
    (``alignment.lay``).
    official_rows: (m,), of the distinct inputs those whose gold the official script takes, which begins to read in row
    official_start; official_predicted: those whose prediction it takes; official_counts: (m, len(COUNTS)).
    """

    item_ids: Sequence[str]
    inputs: Sequence[str]
    options: Sequence[Sequence[str]]
    golds: list[str]
    predictions: Sequence[str | None]
    problems: list[str | None]
    edits: Edits
    error_types: list[str | None]
    counts: np.ndarray
    official_start: int
    official_rows: list[int]
    official_predicted: list[int]
    official_counts: np.ndarray

    @property
    def misaligned(self) -> np.ndarray:
        """(n,) whether a sentence has a prediction that can't stand beside it."""
        return np.array([problem not in (None, _NO_PREDICTION) for problem in self.problems], bool)


def compare_outputs(
    item_ids: Sequence[str],
    inputs: Sequence[str],
    golds: Sequence[Sequence[str]],
    predictions: Sequence[str | None],
    official_start: int = 0,
) -> Comparison:
    """Compare n predictions, None for a sentence without, with one or more references a sentence.

    Strict takes the reference that the prediction meets best, official the last of them; official_start: the row from
    which the official script reads.
    """
    problems = [_NO_PREDICTION if p is None else misalignment(s, p) for s, p in zip(inputs, predictions, strict=True)]
    laid = [lay(s, s if p is None else p) for s, p in zip(inputs, predictions, strict=True)]
    outputs = [one.prediction for one in laid]
    chosen = choose_golds(inputs, golds, outputs)
    edits = compare(inputs, chosen, outputs, [one.n_unaligned for one in laid])
    counts = count(edits)
    gold_rows, prediction_rows = official_rows(inputs, official_start)
    official_counts = counts[gold_rows]
    pairs = zip(gold_rows, prediction_rows, strict=True)
    # The others are compared already.
    differing = [i for i, (row, of) in enumerate(pairs) if row != of or golds[row][-1] != chosen[row]]
    texts = ((inputs[gold_rows[i]], golds[gold_rows[i]][-1], outputs[prediction_rows[i]]) for i in differing)
    if differing:
        official_counts[differing] = count(compare(*zip(*texts, strict=True)))
    edited = zip(edits.source.tolist(), edits.gold.tolist(), strict=True)
    return Comparison(
        item_ids,
        inputs,
        golds,
        chosen,
        predictions,
        problems,
        edits,
        [error_type(chr(s), chr(g)) if s != g else None for s, g in edited],
        counts,
        official_start,
        gold_rows,
        prediction_rows,
        official_counts,
    )


def choose_golds(inputs: Sequence[str], golds: Sequence[Sequence[str]], predictions: Sequence[str]) -> list[str]:
    """The reference of each sentence that its prediction meets best: most corrections, then fewest edits apart."""

    def merit(source: str, gold: str, prediction: str) -> tuple[int, int]:
        corrected = sum(s != g and g == p for s, g, p in zip(source, gold, prediction, strict=True))
        return corrected, -sum(g != p for g, p in zip(gold, prediction, strict=True))

    return [
        options[0] if len(options) == 1 else max(options, key=lambda gold, s=s, p=p: merit(s, gold, p))
        for s, options, p in zip(inputs, golds, predictions, strict=True)
    ]


def scores(compared: Comparison, ignored_characters: str = "", overlapping: Collection[str] = ()) -> list[Score]:
    """The scores; the unit is the sentence, under official the distinct input.

    ``official`` has no value where an output is misaligned, because the script refuses the whole file; ``misaligned``
    is the share of such outputs. The subset ``ignoring=…`` is without the edits among the ignored characters,
    WITHOUT_OVERLAP without the items whose ids are overlapping, where some are and others are not. ``error_type=…`` and
    ``seed_type=…`` hold recall and share of the gold edits of a type, which are their items.
    """
    misaligned = compared.misaligned
    coverage = compared.problems.count(None) / len(compared.problems)
    found = [
        strict_score(compared.item_ids, compared.counts, coverage),
        _score(
            compared.item_ids, "all", np.column_stack([misaligned, np.ones_like(misaligned)]), _misaligned, coverage
        ),
        official_score(
            [compared.item_ids[row] for row in compared.official_rows],
            compared.official_counts,
            coverage,
            _official_misaligned(compared),
        ),
    ]
    if ignored_characters:
        without = count(ignoring(compared.edits, ignored_characters))
        found.append(strict_score(compared.item_ids, without, coverage, f"ignoring={ignored_characters}"))
    return found + _scores_without(compared, overlapping) + _type_scores(compared, coverage)


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


def outcome_columns(compared: Comparison) -> dict:
    """The columns of ``csc_outcomes`` but corpus and model."""
    gold_rows, prediction_rows = set(compared.official_rows), set(compared.official_predicted)
    misaligned = compared.misaligned
    notes = []
    for row, (options, gold) in enumerate(zip(compared.options, compared.golds, strict=True)):
        note = None
        if row < compared.official_start:
            note = "first line with 原文: official takes it for a header"
        elif misaligned[row]:
            note = "misaligned output: official refuses the whole file"
        elif row not in gold_rows and row not in prediction_rows:
            note = "repeated input: official takes the gold of its last line, the prediction of its first"
        elif row not in gold_rows:
            note = "repeated input: official takes the gold of its last line"
        elif row not in prediction_rows:
            note = "repeated input: official takes the prediction of its first line"
        elif options[-1] != gold:
            note = "several references: official takes the last"
        notes.append(note)
    by_name = dict(zip(COUNTS, compared.counts.T, strict=True))
    return {
        "item_id": compared.item_ids,
        "input": compared.inputs,
        "gold": compared.golds,
        "prediction": compared.predictions,
        "n_gold_edits": by_name["true"],
        "n_predicted_edits": by_name["found"],
        "n_detected": by_name["detected"],
        "n_corrected": by_name["corrected"],
        "covered": [problem is None for problem in compared.problems],
        "in_official": [row in gold_rows for row in range(len(compared.inputs))],
        "official_note": notes,
        "problem": compared.problems,
    }


def edit_columns(compared: Comparison) -> dict:
    """The columns of ``csc_edits`` but corpus and model: a row for each position that the gold or the model alters."""
    edits, types = compared.edits, compared.error_types
    return {
        "item_id": [compared.item_ids[row] for row in edits.sentence],
        "position": edits.position,
        "source": list(map(chr, edits.source)),
        "gold": list(map(chr, edits.gold)),
        "prediction": list(map(chr, edits.prediction)),
        "outcome": [_outcome(*row) for row in zip(edits.source, edits.gold, edits.prediction, strict=True)],
        "error_type": types,
        "seed_type": [SEED_TYPE.get(kind) for kind in types],
    }


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


def _official_misaligned(compared: Comparison) -> np.ndarray:
    """(m,) misaligned outputs of each distinct input that official reads, whether it would take them or not."""
    place = {compared.inputs[row]: i for i, row in enumerate(compared.official_rows)}
    rows = np.flatnonzero(compared.misaligned)
    rows = rows[rows >= compared.official_start]
    return np.bincount([place[compared.inputs[row]] for row in rows], minlength=len(place)).astype(np.int64)


def _scores_without(compared: Comparison, overlapping: Collection[str]) -> list[Score]:
    """Strict and official over the items that are not overlapping; none where that is all of them or none."""
    rows = [row for row, item in enumerate(compared.item_ids) if item not in overlapping]
    if len(rows) in (0, len(compared.item_ids)):
        return []
    coverage = sum(compared.problems[row] is None for row in rows) / len(rows)
    left = set(rows)
    official = [place for place, row in enumerate(compared.official_rows) if row in left]
    return [
        strict_score([compared.item_ids[row] for row in rows], compared.counts[rows], coverage, WITHOUT_OVERLAP),
        official_score(
            [compared.item_ids[compared.official_rows[place]] for place in official],
            compared.official_counts[official],
            coverage,
            _official_misaligned(compared)[official],
            WITHOUT_OVERLAP,
        ),
    ]


@by_totals
def _misaligned(score: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
    return {"misaligned": ratio(*totals(score, weights))}


def _type_scores(compared: Comparison, coverage: float) -> list[Score]:
    edits, n = compared.edits, len(compared.inputs)
    is_gold = edits.source != edits.gold
    detected, corrected = is_gold & (edits.source != edits.prediction), is_gold & (edits.gold == edits.prediction)
    found = []
    for name, of in (("error_type", lambda kind: kind), ("seed_type", SEED_TYPE.get)):
        kinds = np.array([of(kind) for kind in compared.error_types], dtype=object)
        for kind in dict.fromkeys(map(of, ERROR_TYPES)):
            chosen = kinds == kind
            columns = (chosen & detected, chosen & corrected, chosen, is_gold)
            statistics = np.column_stack([np.bincount(edits.sentence[each], minlength=n) for each in columns])
            n_items = int(statistics[:, 2].sum())
            found.append(_score(compared.item_ids, f"{name}={kind}", statistics, _type_formula, coverage, n_items))
    return found


@by_totals
def _type_formula(score: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
    detected, corrected, of_type, of_all = totals(score, weights)
    return {
        "detection_recall": ratio(detected, of_type),
        "correction_recall": ratio(corrected, of_type),
        "share_of_gold_edits": ratio(of_type, of_all),
    }


def _outcome(source: int, gold: int, prediction: int) -> str:
    if source == gold:
        return "over-correction"
    if gold == prediction:
        return "corrected"
    return "under-correction" if source == prediction else "mis-correction"
