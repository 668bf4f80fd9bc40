"""Precision, recall, F1 and false-positive rate of Chinese spelling check, under both protocols.

``official`` equals csc_evaluation.py of NLPCC 2023 Task 8 to the printed digit; ``strict`` is the definition without
its rounding and its matching by sentence. s, g and p are the input, gold and predicted character of a position.
Source: "Evaluation Metrics" of the task's README.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Counts:
    """What every metric is made of, summed over sentences; add two to pool them, never average rates.

    Positions: ``true`` s≠g, ``found`` s≠p, ``detected`` s≠g and s≠p, ``corrected`` s≠g and g=p. Sentences: n, with an
    error, altered, and so on; ``*_exact`` are those whose set of positions, or whole text, equals the gold.
    """

    n: int = 0
    true: int = 0
    found: int = 0
    detected: int = 0
    corrected: int = 0
    sentences_correct: int = 0
    sentences_correct_altered: int = 0
    sentences_wrong: int = 0
    sentences_altered: int = 0
    sentences_detected_exact: int = 0
    sentences_corrected_exact: int = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(a + b for a, b in zip(_values(self), _values(other), strict=True)))


@dataclass(frozen=True)
class Edits:
    """Per sentence (n,) counts, and per edited position the arrays of an edit table.

    An edit is a position where the gold or the prediction differs from the input; ``found`` also counts the edits of
    misaligned outputs that have no position.
    """

    true: np.ndarray
    found: np.ndarray
    detected: np.ndarray
    corrected: np.ndarray
    sentence: np.ndarray
    position: np.ndarray
    source: np.ndarray  # code points, as are gold and prediction
    gold: np.ndarray
    prediction: np.ndarray


def compare(
    inputs: Sequence[str],
    golds: Sequence[str],
    predictions: Sequence[str],
    ignored: str = "",
    unaligned: Sequence[int] | None = None,
) -> Edits:
    """Compare n inputs with n golds and n predictions, each of the length of its input (ValueError otherwise).

    unaligned: by sentence the edits of a misaligned output that are on no position (``alignment.lay``): all are wrong.
    ignored: characters that papers leave out on SIGHAN 2013 (的地得): an edit from one of them to another, in the gold
    or in the prediction, is taken back before anything is counted.
    """
    lengths = np.fromiter(map(len, inputs), np.int64, len(inputs))
    for others in (golds, predictions):
        if len(others) != len(inputs) or not np.array_equal(lengths, np.fromiter(map(len, others), np.int64)):
            raise ValueError("inputs, golds and predictions differ in number or length")
    s, g, p = (_code_points(texts) for texts in (inputs, golds, predictions))
    if ignored:
        codes = _code_points([ignored])
        within = np.isin(s, codes)
        g = np.where(within & np.isin(g, codes), s, g)
        p = np.where(within & np.isin(p, codes), s, p)
    places = np.flatnonzero((s != g) | (s != p))
    ends = np.cumsum(lengths)
    sentence = np.searchsorted(ends, places, side="right")
    s, g, p = s[places], g[places], p[places]
    true, found, n = s != g, s != p, len(inputs)
    return Edits(
        np.bincount(sentence[true], minlength=n),
        np.bincount(sentence[found], minlength=n) + (0 if unaligned is None else np.asarray(unaligned, np.int64)),
        np.bincount(sentence[true & found], minlength=n),
        np.bincount(sentence[true & (g == p)], minlength=n),
        sentence,
        places - (ends - lengths)[sentence],
        s,
        g,
        p,
    )


def count(edits: Edits, sentences: np.ndarray | None = None) -> Counts:
    """The counts over all sentences, or over those of a boolean mask or index."""
    rows = slice(None) if sentences is None else sentences
    true, found, detected, corrected = (a[rows] for a in (edits.true, edits.found, edits.detected, edits.corrected))
    wrong, altered = true > 0, found > 0
    detected_exact = (detected == true) & (found == true)
    return Counts(
        n=len(true),
        true=int(true.sum()),
        found=int(found.sum()),
        detected=int(detected.sum()),
        corrected=int(corrected.sum()),
        sentences_correct=int((~wrong).sum()),
        sentences_correct_altered=int((~wrong & altered).sum()),
        sentences_wrong=int(wrong.sum()),
        sentences_altered=int(altered.sum()),
        sentences_detected_exact=int((wrong & detected_exact).sum()),
        sentences_corrected_exact=int((wrong & detected_exact & (corrected == true)).sum()),
    )


def strict_metrics(c: Counts) -> dict[str, float | None]:
    """Every metric as a fraction; None where its denominator is zero.

    Unprefixed: character level, as NLPCC 2023 defines it. ``sighan_``: sentence level, a sentence counts when its whole
    set of positions (detection) or its whole text (correction) is right. ``pycorrector_``: sentence level, where a
    wrong fix of a wrong sentence is only a miss and not a false alarm too. ``conditional_``: correction over the
    correctly detected positions only.
    """
    return {
        "sentence_fpr": _ratio(c.sentences_correct_altered, c.sentences_correct),
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
        "conditional_correction_accuracy": _ratio(c.corrected, c.detected),
    }


def official_metrics(c: Counts) -> dict[str, float | None]:
    """What csc_evaluation.py prints: percentages of two decimals, F1 from the rounded ones; None for ``-``."""
    result: dict[str, float | None] = {"sentence_fpr": None}
    if c.sentences_correct:
        result["sentence_fpr"] = float(f"{c.sentences_correct_altered / c.sentences_correct * 100:.2f}")
    for level, hits in (("detection", c.detected), ("correction", c.corrected)):
        precision, recall = _percent(hits, c.found), _percent(hits, c.true)
        f1 = None
        if precision is not None and recall is not None and precision + recall > 0:
            f1 = round(precision * recall * 2 / (precision + recall), 2)
        result |= {f"{level}_precision": precision, f"{level}_recall": recall, f"{level}_f1": f1}
    return result


def official_counts(c: Counts) -> dict[str, tuple[int, int]]:
    """Numerator and denominator of each official metric that is a ratio of counts."""
    return {
        "sentence_fpr": (c.sentences_correct_altered, c.sentences_correct),
        "detection_precision": (c.detected, c.found),
        "detection_recall": (c.detected, c.true),
        "correction_precision": (c.corrected, c.found),
        "correction_recall": (c.corrected, c.true),
    }


def _values(counts: Counts) -> list[int]:
    return list(vars(counts).values())


def _code_points(texts: Sequence[str]) -> np.ndarray:
    return np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _prf(prefix: str, hits: int, found: int, true: int) -> dict[str, float | None]:
    f1 = _ratio(2 * hits, found + true) if found and true else None
    return {
        f"{prefix}_precision": _ratio(hits, found),
        f"{prefix}_recall": _ratio(hits, true),
        f"{prefix}_f1": f1,
    }


def _percent(part: int, whole: int) -> float | None:
    return round((part / whole) * 100, 2) if whole else None
