"""Equal error rate, balanced accuracy and Cllr of language identification, under both protocols.

``official`` equals the challenge's script: two trials a segment, pooled under one threshold. ``strict`` is the
evaluation plan's definition: one trial a segment, its score English less Mandarin, and balanced accuracy per recording.
Values are fractions, NaN where a class that they need is missing. Source: plan, "Evaluation metrics", Task 1.

``official``, ``strict`` and the two of recordings are formulas of a score.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sinobench.lid.roc import Roc, midranks
from sinobench.score import Score, Singled, by_unit, mean, numbered, of_rows, ratio, totals, worst_decile


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
        return ratio(self.right, self.n)

    @property
    def balanced_accuracy(self) -> np.ndarray:
        """Mean of both recalls (recordings,), or the one recall of a recording with one language."""
        return np.nanmean(self.recall, axis=0)


def official_rows(segments: np.ndarray) -> np.ndarray:
    """(n, 4) of segments (n, 3), English score, Mandarin score and whether it is English: what ``official`` counts.

    The ranks of both scores among all 2 n, which give the same EER and let the outcomes of models with scores of other
    scales be exchanged (Venkatraman and Begg 1996); whether English is said, on a tie too; whether it is English.
    """
    english, mandarin, is_english = segments.T
    ranks = midranks(np.concatenate([english, mandarin]))
    return np.column_stack([*np.split(ranks, 2), english >= mandarin, is_english])


def strict_rows(segments: np.ndarray) -> np.ndarray:
    """(n, 3) of segments as for ``official_rows``: English less Mandarin score, its rank, and whether it is English."""
    llr = segments[:, 0] - segments[:, 1]
    return np.column_stack([llr, midranks(llr), segments[:, 2]])


@by_unit
def official(score: Score, weights: np.ndarray | Singled) -> dict[str, np.ndarray]:
    """``eer`` of both scores of a segment as trials, ``balanced_accuracy`` of the corpus; of ``official_rows``."""
    english, mandarin, says_english, is_english = score.statistics.T
    is_english = is_english.astype(bool)
    ranks, unit = np.concatenate([english, mandarin]), np.concatenate([score.unit, score.unit])
    roc = Roc.of_ranks(ranks, np.concatenate([is_english, ~is_english]), unit, len(score.units))
    _, *recalls = _accuracies(score, says_english == is_english, is_english, weights)
    equal_error, _ = roc.eer_and_min_cllr(weights)
    return {"eer": equal_error, "balanced_accuracy": sum(recalls) / 2}


@by_unit
def strict(score: Score, weights: np.ndarray | Singled) -> dict[str, np.ndarray]:
    """The plan's metrics of segments, of ``strict_rows``.

    ``cllr`` and ``min_cllr`` read English less Mandarin as a log-likelihood ratio, natural logarithm.
    """
    llr, rank, is_english = score.statistics.T
    is_english = is_english.astype(bool)
    accuracy, *recalls = _accuracies(score, (llr >= 0) == is_english, is_english, weights)
    equal_error, min_cllr = Roc.of_ranks(rank, is_english, score.unit, len(score.units)).eer_and_min_cllr(weights)
    return {
        "eer": equal_error,
        "accuracy": accuracy,
        "english_recall": recalls[0],
        "mandarin_recall": recalls[1],
        "balanced_accuracy": sum(recalls) / 2,
        "cllr": cllr(score, llr, is_english, weights),
        "min_cllr": min_cllr,
    }


def of_recordings(score: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
    """The plan's metrics of recordings; rows: English and Mandarin segments, then the right ones of them."""
    one_class = (score.statistics[:, :2] == 0).any(axis=1)
    weights = of_rows(score, weights)
    return {
        "balanced_accuracy_recording_mean": mean(_balanced(score), weights),
        "recordings_with_one_class": (weights * one_class).sum(axis=1).astype(np.float64),
    }


def of_worst_recordings(score: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
    """Over the tenth of the recordings, rounded up, with the lowest balanced accuracy; rows as ``of_recordings``."""
    balanced = _balanced(score)
    worst = worst_decile(np.argsort(balanced, kind="stable"), of_rows(score, weights))
    return {"balanced_accuracy_recording_mean": mean(balanced, worst)}


def recording_recalls(right: np.ndarray, is_english: np.ndarray, recordings: Sequence[str]) -> Recalls:
    """Count the right segments of each recording by language; all (n,)."""
    names, place = numbered(recordings)
    languages = (is_english, ~is_english)
    return Recalls(
        names,
        np.array([np.bincount(place[chosen], minlength=len(names)) for chosen in languages]),
        np.array([np.bincount(place[chosen & right], minlength=len(names)) for chosen in languages]),
    )


def cllr(score: Score, llr: np.ndarray, is_target: np.ndarray, weights: np.ndarray | Singled) -> np.ndarray:
    """(r,) cost of log-likelihood ratios (natural logarithm) in bits; 0 is perfect, 1 knows nothing.

    llr, is_target: by row of the score.
    """
    if isinstance(weights, Singled):
        # A difference of sums of fractions would be another number in its last digits.
        return np.concatenate([cllr(score, llr, is_target, each) for each in weights.in_full(len(score.units))])
    cost = np.logaddexp(0, np.where(is_target, -llr, llr))
    sides = []
    for of in (is_target, ~is_target):
        costs, n = (np.bincount(score.unit, each * of, len(score.units)) for each in (cost, np.ones(len(cost))))
        # Not a matrix product: its sums of fractions depend on how many weights there are.
        sides.append(ratio((weights * costs).sum(axis=1), (weights * n).sum(axis=1)))
    return sum(sides) / (2 * np.log(2))


def _accuracies(
    score: Score, right: np.ndarray, is_english: np.ndarray, weights: np.ndarray | Singled
) -> list[np.ndarray]:
    """Accuracy, English and Mandarin recall, (r,) each."""
    n_units = len(score.units)
    of_unit = np.bincount(4 * score.unit + 2 * is_english + right, minlength=4 * n_units).reshape(-1, 2, 2)
    n, n_right = of_unit.sum(axis=2), of_unit[:, :, 1]  # of Mandarin and of English
    counts = np.column_stack([each for of in (n, n_right) for each in (of.sum(axis=1), of[:, 1], of[:, 0])])
    score = replace(score, unit=np.arange(n_units), statistics=counts)
    summed = totals(score, weights)
    return [ratio(summed[i + 3], summed[i]) for i in range(3)]


def _balanced(score: Score) -> np.ndarray:
    n_english, n_mandarin, *right = score.statistics.T
    return Recalls([], np.array([n_english, n_mandarin]), np.array(right)).balanced_accuracy
