"""Rows of the result tables of spelling check for one model on one corpus, all from one comparison of the texts."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sinobench.csc.alignment import lay, misalignment
from sinobench.csc.characters import SEED_TYPE, error_type
from sinobench.csc.metrics import COUNTS, Edits, compare, count
from sinobench.csc.official import Official

_NO_PREDICTION = "no prediction"


@dataclass(frozen=True)
class Comparison:
    """n sentences of a corpus, what a model made of them, and what it should have.

    options: the references; golds: that of each sentence which its prediction meets best; predictions: None where there
    is none; outputs: they laid on their texts (``alignment.lay``), a sentence without one as unchanged; problems: why a
    sentence is not covered, None where it is; edits, counts (n, len(COUNTS)) and error_types, one an edit, None where
    the gold is the input. official: what the official script takes of the corpus, in which the first of the sentences
    stands in first_row.
    """

    item_ids: Sequence[str]
    inputs: Sequence[str]
    options: Sequence[Sequence[str]]
    golds: list[str]
    predictions: Sequence[str | None]
    outputs: list[str]
    problems: list[str | None]
    edits: Edits
    error_types: list[str | None]
    counts: np.ndarray
    official: Official
    first_row: int

    @property
    def misaligned(self) -> np.ndarray:
        """(n,) whether a sentence has a prediction that can't stand beside it."""
        return np.array([problem not in (None, _NO_PREDICTION) for problem in self.problems], bool)

    @property
    def rows(self) -> slice:
        """Where the sentences stand in their corpus."""
        return slice(self.first_row, self.first_row + len(self.item_ids))


def compare_outputs(
    item_ids: Sequence[str],
    inputs: Sequence[str],
    golds: Sequence[Sequence[str]],
    predictions: Sequence[str | None],
    official_start: int = 0,
) -> Comparison:
    """Compare n predictions, None for a sentence without, with one or more references a sentence: a whole corpus.

    official_start: the row from which the official script reads.
    """
    return compare_some(item_ids, inputs, golds, predictions, Official.of(inputs, official_start), 0)


def compare_some(
    item_ids: Sequence[str],
    inputs: Sequence[str],
    golds: Sequence[Sequence[str]],
    predictions: Sequence[str | None],
    official: Official,
    first_row: int,
) -> Comparison:
    """The same of n sentences of a corpus that stand together, from first_row on."""
    problems = [_NO_PREDICTION if p is None else misalignment(s, p) for s, p in zip(inputs, predictions, strict=True)]
    laid = [lay(s, s if p is None else p) for s, p in zip(inputs, predictions, strict=True)]
    outputs = [one.prediction for one in laid]
    chosen = choose_golds(inputs, golds, outputs)
    edits = compare(inputs, chosen, outputs, [one.n_unaligned for one in laid])
    edited = zip(edits.source.tolist(), edits.gold.tolist(), strict=True)
    types = [error_type(chr(s), chr(g)) if s != g else None for s, g in edited]
    return Comparison(
        item_ids,
        inputs,
        golds,
        chosen,
        predictions,
        outputs,
        problems,
        edits,
        types,
        count(edits),
        official,
        first_row,
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


def outcome_columns(compared: Comparison) -> dict:
    """The columns of ``csc_outcomes`` but corpus and model."""
    official = compared.official
    taken = [of[compared.rows].tolist() for of in (official.takes_gold, official.takes_prediction)]
    rows = zip(*taken, compared.misaligned.tolist(), compared.options, compared.golds, strict=True)
    notes = []
    for row, (has_gold, has_prediction, misaligned, options, gold) in enumerate(rows, start=compared.first_row):
        note = None
        if row < official.start:
            note = "first line with 原文: official takes it for a header"
        elif misaligned:
            note = "misaligned output: official refuses the whole file"
        elif not has_gold and not has_prediction:
            note = "repeated input: official takes the gold of its last line, the prediction of its first"
        elif not has_gold:
            note = "repeated input: official takes the gold of its last line"
        elif not has_prediction:
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
        "in_official": taken[0],
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


def _outcome(source: int, gold: int, prediction: int) -> str:
    if source == gold:
        return "over-correction"
    if gold == prediction:
        return "corrected"
    return "under-correction" if source == prediction else "mis-correction"
