"""Rows of the result tables of spelling check for one model on one corpus."""

from collections.abc import Mapping, Sequence

import numpy as np

from sinobench.csc.alignment import Laid, lay, misalignment
from sinobench.csc.characters import ERROR_TYPES, SEED_TYPE, error_type
from sinobench.csc.metrics import Counts, Edits, compare, count, official_metrics, strict_metrics
from sinobench.csc.pairs import official_rows

_NO_PREDICTION = "no prediction"


def choose_golds(inputs: Sequence[str], golds: Sequence[Sequence[str]], predictions: Sequence[str]) -> list[str]:
    """The reference of each sentence that its prediction meets best: most corrections, then fewest edits apart."""

    def merit(source: str, gold: str, prediction: str) -> tuple[int, int]:
        corrected = sum(s != g and g == p for s, g, p in zip(source, gold, prediction, strict=True))
        return corrected, -sum(g != p for g, p in zip(gold, prediction, strict=True))

    return [
        options[0] if len(options) == 1 else max(options, key=lambda gold, s=s, p=p: merit(s, gold, p))
        for s, options, p in zip(inputs, golds, predictions, strict=True)
    ]


def metric_rows(
    inputs: Sequence[str],
    golds: Sequence[Sequence[str]],
    predictions: Sequence[str | None],
    ignored_characters: str = "",
    official_start: int = 0,
) -> list[dict]:
    """Rows of ``metrics`` but task, corpus and model.

    golds: one or more references a sentence; strict takes the one that the prediction meets best, official the last.
    predictions: None for a sentence without, which counts as unchanged; a misaligned one counts under strict as laid on
    its text (``alignment.lay``), and official has no value, because the script refuses the whole file. Both lower the
    coverage; ``misaligned`` is the share of the latter. official_start: the row from which the official script reads.
    The subsets ``error_type=…`` and ``seed_type=…`` hold recall and share of the gold edits of a type; n is their
    number.
    """
    problems = list(map(_problem, inputs, predictions))
    coverage = problems.count(None) / len(inputs)
    misaligned = [problem not in (None, _NO_PREDICTION) for problem in problems]
    laid, unaligned = _lay(inputs, predictions)
    chosen = choose_golds(inputs, golds, laid)
    edits = compare(inputs, chosen, laid, unaligned=unaligned)
    strict = {**strict_metrics(count(edits)), "misaligned": sum(misaligned) / len(inputs)}
    rows = _rows("strict", "all", strict, len(inputs), coverage)
    official = _official_counts(inputs, golds, laid, official_start)
    printed = official_metrics(official)
    if any(misaligned[official_start:]):
        printed = dict.fromkeys(printed)
    rows += _rows("official", "all", fractions(printed), official.n, coverage)
    if ignored_characters:
        without = count(compare(inputs, chosen, laid, ignored_characters, unaligned))
        rows += _rows("strict", f"ignoring={ignored_characters}", strict_metrics(without), len(inputs), coverage)
    return rows + _type_rows(edits, coverage)


def outcome_columns(
    item_ids: Sequence[str],
    inputs: Sequence[str],
    golds: Sequence[Sequence[str]],
    predictions: Sequence[str | None],
    official_start: int = 0,
) -> dict:
    """The columns of ``csc_outcomes`` but corpus and model; official_start as for ``metric_rows``."""
    problems = list(map(_problem, inputs, predictions))
    laid, unaligned = _lay(inputs, predictions)
    chosen = choose_golds(inputs, golds, laid)
    edits = compare(inputs, chosen, laid, unaligned=unaligned)
    gold_rows, prediction_rows = map(set, official_rows(inputs, official_start))
    notes = []
    for row, (options, gold) in enumerate(zip(golds, chosen, strict=True)):
        note = None
        if row < official_start:
            note = "first line with 原文: official takes it for a header"
        elif problems[row] not in (None, _NO_PREDICTION):
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
    return {
        "item_id": item_ids,
        "input": inputs,
        "gold": chosen,
        "prediction": predictions,
        "n_gold_edits": edits.true,
        "n_predicted_edits": edits.found,
        "n_detected": edits.detected,
        "n_corrected": edits.corrected,
        "covered": [problem is None for problem in problems],
        "in_official": [row in gold_rows for row in range(len(inputs))],
        "official_note": notes,
        "problem": problems,
    }


def edit_columns(
    item_ids: Sequence[str], inputs: Sequence[str], golds: Sequence[Sequence[str]], predictions: Sequence[str | None]
) -> dict:
    """The columns of ``csc_edits`` but corpus and model: a row for each position that the gold or the model alters."""
    laid, _ = _lay(inputs, predictions)
    edits = compare(inputs, choose_golds(inputs, golds, laid), laid)
    types = [error_type(chr(s), chr(g)) if s != g else None for s, g in zip(edits.source, edits.gold, strict=True)]
    return {
        "item_id": [item_ids[row] for row in edits.sentence],
        "position": edits.position,
        "source": list(map(chr, edits.source)),
        "gold": list(map(chr, edits.gold)),
        "prediction": list(map(chr, edits.prediction)),
        "outcome": [_outcome(*row) for row in zip(edits.source, edits.gold, edits.prediction, strict=True)],
        "error_type": types,
        "seed_type": [SEED_TYPE.get(kind) for kind in types],
    }


def _lay(inputs: Sequence[str], predictions: Sequence[str | None]) -> tuple[list[str], list[int]]:
    """The predictions at the length of their inputs, the input where there is none; and their edits on no position."""
    laid = [Laid(s, 0) if p is None else lay(s, p) for s, p in zip(inputs, predictions, strict=True)]
    return [one.prediction for one in laid], [one.n_unaligned for one in laid]


def _problem(source: str, prediction: str | None) -> str | None:
    """Why a sentence is not covered."""
    return _NO_PREDICTION if prediction is None else misalignment(source, prediction)


def _official_counts(
    inputs: Sequence[str], golds: Sequence[Sequence[str]], filled: Sequence[str], start: int
) -> Counts:
    gold_rows, prediction_rows = official_rows(inputs, start)
    kept = [inputs[row] for row in gold_rows]
    return count(compare(kept, [golds[row][-1] for row in gold_rows], [filled[row] for row in prediction_rows]))


def fractions(percentages: Mapping[str, float | None]) -> dict[str, float | None]:
    """Printed percentages as the fractions of the tables."""
    # Rounded, so that 44.75 % is the double nearest to .4475 and not a neighbour.
    return {name: None if value is None else round(value / 100, 4) for name, value in percentages.items()}


def _rows(protocol: str, subset: str, metrics: Mapping[str, float | None], n: int, coverage: float) -> list[dict]:
    common = {"protocol": protocol, "subset": subset, "n_items": n, "coverage": coverage}
    return [{**common, "metric": metric, "value": value} for metric, value in metrics.items()]


def _type_rows(edits: Edits, coverage: float) -> list[dict]:
    gold = np.flatnonzero(edits.source != edits.gold)
    detected = edits.source[gold] != edits.prediction[gold]
    corrected = edits.gold[gold] == edits.prediction[gold]
    pairs = zip(edits.source[gold], edits.gold[gold], strict=True)
    types = np.array([error_type(chr(s), chr(g)) for s, g in pairs], dtype=object)
    rows = []
    for name, of in (("error_type", lambda t: t), ("seed_type", SEED_TYPE.get)):
        kinds = np.array([of(t) for t in types], dtype=object)
        for kind in dict.fromkeys(map(of, ERROR_TYPES)):
            chosen = kinds == kind
            n = int(chosen.sum())
            metrics = {
                "detection_recall": float(detected[chosen].mean()) if n else None,
                "correction_recall": float(corrected[chosen].mean()) if n else None,
                "share_of_gold_edits": n / len(gold) if len(gold) else None,
            }
            rows += _rows("strict", f"{name}={kind}", metrics, n, coverage)
    return rows


def _outcome(source: int, gold: int, prediction: int) -> str:
    if source == gold:
        return "over-correction"
    if gold == prediction:
        return "corrected"
    return "under-correction" if source == prediction else "mis-correction"
