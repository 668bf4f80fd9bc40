"""Precision, recall, F1 and false-positive rate of Chinese spelling check, under both protocols.

``official`` equals csc_evaluation.py of NLPCC 2023 Task 8 to the printed digit; ``strict`` is the definition without
its rounding and its matching by sentence. s, g and p are the input, gold and predicted character of a position.
Source: "Evaluation Metrics" of the task's README.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from sinobench.csc.columns import code_points, differing, lengths_of
from sinobench.score import Score, by_totals, ratio, totals


@dataclass(frozen=True)
class Counts:
    """What every metric is made of, summed over sentences: whole numbers, or arrays (r,) of as many sums.

    Positions: ``true`` s≠g, ``found`` s≠p, ``detected`` s≠g and s≠p, ``corrected`` s≠g and g=p. Sentences: n, with an
    error, altered, and so on; ``*_exact`` are those whose set of positions, or whole text, equals the gold.
    """

    n: np.ndarray | int = 0
    true: np.ndarray | int = 0
    found: np.ndarray | int = 0
    detected: np.ndarray | int = 0
    corrected: np.ndarray | int = 0
    sentences_correct: np.ndarray | int = 0
    sentences_correct_altered: np.ndarray | int = 0
    sentences_wrong: np.ndarray | int = 0
    sentences_altered: np.ndarray | int = 0
    sentences_detected_exact: np.ndarray | int = 0
    sentences_corrected_exact: np.ndarray | int = 0


COUNTS = tuple(field.name for field in fields(Counts))


@dataclass(frozen=True)
class Edits:
    """The positions where the gold or the prediction differs from the input: arrays of an edit table.

    n_unaligned: (n,) by sentence, the edits of a misaligned output that have no position.
    """

    n_unaligned: np.ndarray
    sentence: np.ndarray
    position: np.ndarray
    source: np.ndarray  # code points, as are gold and prediction
    gold: np.ndarray
    prediction: np.ndarray


def compare(
    inputs: Sequence[str], golds: Sequence[str], predictions: Sequence[str], n_unaligned: Sequence[int] | None = None
) -> Edits:
    """Compare n inputs with n golds and n predictions, each of the length of its input (ValueError otherwise).

    n_unaligned: by sentence the edits of a misaligned output that are on no position (``alignment.lay``): all are
    wrong; None: none.
    """
    lengths = lengths_of(inputs)
    if not all(np.array_equal(lengths, lengths_of(others)) for others in (golds, predictions)):
        raise ValueError("inputs, golds and predictions differ in number or length")
    sentence, position, *codes = differing((inputs, golds, predictions))
    none = np.zeros(len(inputs), np.int64)
    of_none = none if n_unaligned is None else np.asarray(n_unaligned, np.int64)
    return Edits(of_none, sentence, position, *(of.astype(np.uint32) for of in codes))


def ignoring(edits: Edits, characters: str) -> Edits:
    """The edits less those from one of the characters to another, in the gold or in the prediction.

    Papers leave such edits out on SIGHAN 2013 (的地得).
    """
    codes = code_points(characters)
    within = np.isin(edits.source, codes)
    gold, prediction = (
        np.where(within & np.isin(of, codes), edits.source, of) for of in (edits.gold, edits.prediction)
    )
    return Edits(edits.n_unaligned, edits.sentence, edits.position, edits.source, gold, prediction)


def count(edits: Edits) -> np.ndarray:
    """(n, len(COUNTS)) int64: the counts of each sentence."""
    s, g, p, n = edits.source, edits.gold, edits.prediction, len(edits.n_unaligned)
    is_true, is_found = s != g, s != p
    true, found, detected, corrected = (
        np.bincount(edits.sentence[chosen], minlength=n)
        for chosen in (is_true, is_found, is_true & is_found, is_true & (g == p))
    )
    found += edits.n_unaligned
    wrong, altered = true > 0, found > 0
    detected_exact = wrong & (detected == true) & (found == true)
    sentences = (~wrong, ~wrong & altered, wrong, altered, detected_exact, detected_exact & (corrected == true))
    return np.column_stack([np.ones(n, np.int64), true, found, detected, corrected, *sentences])


@by_totals
def strict_formula(score: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
    """``strict_metrics`` of a weighted bag of sentences, rows of ``count``."""
    return strict_metrics(Counts(*totals(score, weights)))


@by_totals
def official_formula(score: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
    """``official_metrics`` as the fractions of the tables, of rows of ``count`` with the misaligned outputs behind.

    Undefined with any misaligned output: the script refuses the whole file.
    """
    *counts, misaligned = totals(score, weights)
    printed = official_metrics(Counts(*counts))
    return {name: np.where(misaligned > 0, np.nan, fractions(values)) for name, values in printed.items()}


@by_totals
def unrounded_official_formula(score: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
    """``official_formula`` without rounding, undefined where that is."""
    exact = strict_metrics(Counts(*totals(score, weights)[:-1]))
    printed = official_formula(score, weights)
    return {name: np.where(np.isnan(values), np.nan, exact[name]) for name, values in printed.items()}


def strict_metrics(c: Counts) -> dict[str, np.ndarray]:
    """Every metric as a fraction; NaN where its denominator is zero.

    Unprefixed: character level, as NLPCC 2023 defines it. ``sighan_``: sentence level, a sentence counts when its whole
    set of positions (detection) or its whole text (correction) is right. ``pycorrector_``: sentence level, where a
    wrong fix of a wrong sentence is only a miss and not a false alarm too. ``conditional_``: correction over the
    correctly detected positions only.
    """
    return {
        "sentence_fpr": ratio(c.sentences_correct_altered, c.sentences_correct),
        **_prf("detection", c.detected, c.found, c.true),
        **_prf("correction", c.corrected, c.found, c.true),
        **_prf("sighan_detection", c.sentences_detected_exact, c.sentences_altered, c.sentences_wrong),
        **_prf("sighan_correction", c.sentences_corrected_exact, c.sentences_altered, c.sentences_wrong),
        **_prf(
            "pycorrector_correction",
            c.sentences_corrected_exact,
            c.sentences_corrected_exact + c.sentences_correct_altered,
            c.sentences_wrong,
        ),
        "conditional_correction_accuracy": ratio(c.corrected, c.detected),
    }


def official_metrics(c: Counts) -> dict[str, np.ndarray]:
    """What csc_evaluation.py prints: percentages of two decimals, F1 from the rounded ones; NaN for ``-``."""
    result = {"sentence_fpr": _percent(c.sentences_correct_altered, c.sentences_correct)}
    for level, hits in (("detection", c.detected), ("correction", c.corrected)):
        precision, recall = _percent(hits, c.found), _percent(hits, c.true)
        f1 = _rounded(ratio(precision * recall * 2, precision + recall), 2)
        result |= {f"{level}_precision": precision, f"{level}_recall": recall, f"{level}_f1": f1}
    return result


def fractions(percentages: np.ndarray) -> np.ndarray:
    """Printed percentages as the fractions of the tables: 44.75 % is the double nearest to .4475 and no neighbour."""
    return _rounded(np.asarray(percentages) / 100, 4)


def official_counts(c: Counts) -> dict[str, tuple[int, int]]:
    """Numerator and denominator of each official metric that is a ratio of counts."""
    return {
        "sentence_fpr": (c.sentences_correct_altered, c.sentences_correct),
        "detection_precision": (c.detected, c.found),
        "detection_recall": (c.detected, c.true),
        "correction_precision": (c.corrected, c.found),
        "correction_recall": (c.corrected, c.true),
    }


def _prf(prefix: str, hits: np.ndarray, found: np.ndarray, true: np.ndarray) -> dict[str, np.ndarray]:
    precision, recall = ratio(hits, found), ratio(hits, true)
    f1 = ratio(2 * hits, found + true)
    return {
        f"{prefix}_precision": precision,
        f"{prefix}_recall": recall,
        f"{prefix}_f1": np.where(np.isnan(precision + recall), np.nan, f1),
    }


def _percent(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return _rounded(ratio(part, whole) * 100, 2)


def _rounded(values: np.ndarray, digits: int) -> np.ndarray:
    """Rounded as Python does, by the exact value; NumPy rounds a product that is itself rounded."""
    values = np.asarray(values)
    scaled = values * 10**digits
    result = np.asarray(np.rint(scaled) / 10**digits)
    near_half = np.abs(scaled - np.floor(scaled) - 0.5) < 1e-6
    if near_half.any():
        result[near_half] = [round(value, digits) for value in values[near_half].tolist()]
    return result
