"""Equal error rate, balanced accuracy and Cllr of language identification, under both protocols.

``official`` equals the challenge's script: two trials a segment, pooled under one threshold. ``strict`` is the
evaluation plan's definition: one trial a segment, its score English less Mandarin, and balanced accuracy per recording.
Values are fractions, None where a class that they need is missing. Source: plan, "Evaluation metrics", Task 1.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

DET_POINTS = 1000


@dataclass(frozen=True)
class Det:
    """Points of the detection error trade-off, from nothing accepted to everything accepted.

    ``threshold`` is the lowest accepted score, infinite at the first point; ``on_hull`` marks the hull's vertices.
    """

    threshold: np.ndarray
    false_alarm: np.ndarray
    miss: np.ndarray
    on_hull: np.ndarray


@dataclass(frozen=True)
class Recalls:
    """Per recording, in order of first appearance: segments ``n`` and ``right`` ones, each (2, recordings).

    Row 0 is English and row 1 Mandarin.
    """

    recordings: list[str]
    n: np.ndarray
    right: np.ndarray

    @property
    def recall(self) -> np.ndarray:
        """(2, recordings), NaN where a recording lacks the language."""
        return np.divide(self.right, self.n, out=np.full(self.n.shape, np.nan), where=self.n > 0)

    @property
    def balanced_accuracy(self) -> np.ndarray:
        """Mean of both recalls (recordings,), or the one recall of a recording with one language."""
        return np.nanmean(self.recall, axis=0)


def official(english: np.ndarray, mandarin: np.ndarray, is_english: np.ndarray) -> dict[str, float | None]:
    """``eer`` of both scores of a segment as trials, ``balanced_accuracy`` of the corpus; a tie is English; (n,)."""
    scores = np.concatenate([english, mandarin])
    right = (english >= mandarin) == is_english
    return {
        "eer": eer(scores, np.concatenate([is_english, ~is_english])),
        "balanced_accuracy": _mean_or_none(_share(right, is_english), _share(right, ~is_english)),
    }


def strict(
    english: np.ndarray, mandarin: np.ndarray, is_english: np.ndarray, recordings: Sequence[str]
) -> dict[str, float | int | None]:
    """The plan's metrics of n segments: arrays (n,), and the recording of each.

    ``cllr`` and ``min_cllr`` read English less Mandarin as a log-likelihood ratio, natural logarithm.
    """
    score = english - mandarin
    right = (score >= 0) == is_english
    recalls = recording_recalls(right, is_english, recordings)
    english_recall, mandarin_recall = _share(right, is_english), _share(right, ~is_english)
    return {
        "eer": eer(score, is_english),
        "accuracy": float(right.mean()),
        "english_recall": english_recall,
        "mandarin_recall": mandarin_recall,
        "balanced_accuracy": _mean_or_none(english_recall, mandarin_recall),
        "balanced_accuracy_recording_mean": float(recalls.balanced_accuracy.mean()),
        "recordings_with_one_class": int((recalls.n == 0).any(axis=0).sum()),
        "cllr": cllr(score, is_english),
        "min_cllr": min_cllr(score, is_english),
    }


def floor(is_english: np.ndarray, recordings: Sequence[str]) -> dict[str, dict]:
    """What constant English reaches on the same reference: ``official`` and ``strict``.

    The plan's trials score 0, which is English too and a log-likelihood ratio that claims nothing (Cllr 1).
    """
    zeros = np.zeros(len(is_english))
    return {
        "official": official(zeros + 1, zeros, is_english),
        "strict": strict(zeros, zeros, is_english, recordings),
    }


def recording_recalls(right: np.ndarray, is_english: np.ndarray, recordings: Sequence[str]) -> Recalls:
    """Count the right segments of each recording by language; all (n,)."""
    codes: dict[str, int] = {}
    code = np.fromiter((codes.setdefault(name, len(codes)) for name in recordings), np.int64, len(recordings))
    languages = (is_english, ~is_english)
    return Recalls(
        list(codes),
        np.array([np.bincount(code[chosen], minlength=len(codes)) for chosen in languages]),
        np.array([np.bincount(code[chosen & right], minlength=len(codes)) for chosen in languages]),
    )


def eer(scores: np.ndarray, is_target: np.ndarray) -> float | None:
    """Where the convex hull of the ROC has as many false alarms as misses, in rates; equal scores are one point.

    scores: finite (n,), larger means more like the target; is_target: bool (n,). Never above 0.5, as the hull holds
    both trivial systems. None without targets or without other trials.
    """
    false_alarms, misses, _ = _roc(scores, is_target)
    n_other, n_target = int(false_alarms[-1]), int(misses[0])
    if not n_other or not n_target:
        return None
    hull = _hull(false_alarms, misses)
    balance = misses[hull] * n_other - false_alarms[hull] * n_target  # falls along the hull, from above to below 0
    after = int(np.argmax(balance <= 0))
    # Python's integers, so that the division below is the only rounding.
    above, below = int(balance[after - 1]), int(balance[after])
    start, end = int(false_alarms[hull[after - 1]]), int(false_alarms[hull[after]])
    return (start * (above - below) + above * (end - start)) / (n_other * (above - below))


def det_points(scores: np.ndarray, is_target: np.ndarray) -> Det | None:
    """The detection error trade-off in about ``DET_POINTS`` points, all of the hull's vertices among them.

    The other points lie evenly along the curve as it is drawn, on scales that widen towards 0 and 1. None as ``eer``.
    """
    false_alarms, misses, thresholds = _roc(scores, is_target)
    n_other, n_target = false_alarms[-1], misses[0]
    if not n_other or not n_target:
        return None
    hull = _hull(false_alarms, misses)
    along = _log_odds(false_alarms, n_other) - _log_odds(misses, n_target)
    chosen = np.arange(len(along))
    if len(along) > DET_POINTS:
        wanted = np.linspace(along[0], along[-1], max(DET_POINTS - len(hull), 0))
        chosen = np.union1d(np.searchsorted(along, wanted), hull)
    return Det(thresholds[chosen], false_alarms[chosen] / n_other, misses[chosen] / n_target, np.isin(chosen, hull))


def cllr(llr: np.ndarray, is_target: np.ndarray) -> float | None:
    """Cost of log-likelihood ratios (natural logarithm) in bits; 0 is perfect, 1 knows nothing. None as ``eer``."""
    if is_target.all() or not is_target.any():
        return None
    costs = np.logaddexp(0, -llr[is_target]).mean() + np.logaddexp(0, llr[~is_target]).mean()
    return float(costs / (2 * np.log(2)))


def min_cllr(scores: np.ndarray, is_target: np.ndarray) -> float | None:
    """Cllr after the best monotone calibration, by pool adjacent violators: an edge of the hull is a pool."""
    false_alarms, misses, _ = _roc(scores, is_target)
    if not false_alarms[-1] or not misses[0]:
        return None
    hull = _hull(false_alarms, misses)
    target, other = -np.diff(misses[hull]) / misses[0], np.diff(false_alarms[hull]) / false_alarms[-1]
    bits = 0.0
    for share in (target, other):
        some = share > 0
        bits += float((share[some] * np.log2((target + other)[some] / share[some])).sum())
    return bits / 2


def _roc(scores: np.ndarray, is_target: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Counts of false alarms and misses, and thresholds: first with nothing accepted, then at each distinct score."""
    order = np.argsort(scores)[::-1]
    ranked = scores[order]
    last = np.append(np.flatnonzero(ranked[1:] != ranked[:-1]), len(ranked) - 1)
    hits = np.cumsum(is_target[order])[last]
    false_alarms = np.concatenate([[0], last + 1 - hits])
    return false_alarms, np.concatenate([hits[-1:], hits[-1] - hits]), np.concatenate([[np.inf], ranked[last]])


def _hull(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Indices of the vertices of the lower left hull of a falling staircase in whole numbers, both ends included.

    Each pass drops every point on or above the chord of its two neighbours: none of those is a vertex.
    """
    kept = np.arange(len(x))
    while True:
        a, b = x[kept], y[kept]
        below = (a[1:-1] - a[:-2]) * (b[2:] - b[:-2]) > (b[1:-1] - b[:-2]) * (a[2:] - a[:-2])
        if below.all():
            return kept
        kept = kept[np.concatenate([[True], below, [True]])]


def _log_odds(counts: np.ndarray, whole: int) -> np.ndarray:
    return np.log((counts + 0.5) / (whole - counts + 0.5))


def _share(right: np.ndarray, chosen: np.ndarray) -> float | None:
    n = int(chosen.sum())
    return int((right & chosen).sum()) / n if n else None


def _mean_or_none(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else (a + b) / 2
