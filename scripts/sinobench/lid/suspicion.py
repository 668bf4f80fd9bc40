"""What makes the scores of language identification look like a mistake rather than a poor system."""

import numpy as np

from sinobench.lid.roc import eer, once
from sinobench.merlion.languages import TARGETS

_TURNED_EER = 0.4  # of the scores with their sign turned
_DEVIATIONS = 2  # beyond which scores that know nothing seldom order the languages


def suspicions(score: np.ndarray, is_english: np.ndarray | None = None) -> list[str]:
    """Remarks on n > 1 scores (n,), English less Mandarin: constant, all one language, or with their sign turned.

    is_english: bool (n,), None where the languages are unknown, as in an evaluation set; without it a turned sign can't
    be seen. Decisions that are all right are no matter of suspicion.
    """
    if len(score) < 2:
        return []
    if (score == score[0]).all():
        return ["every segment has the same score, which tells no language from the other"]
    remarks = []
    decisions = score >= 0
    if (decisions == decisions[0]).all() and (is_english is None or (decisions != is_english).any()):
        remarks.append(f"every segment is taken for {TARGETS[0] if decisions[0] else TARGETS[1]}")
    turned = np.nan if is_english is None else once(eer, -score, is_english)
    if turned == 0 or (turned < _TURNED_EER and _order(score, is_english) < -_DEVIATIONS):
        remarks.append(
            f"higher scores go with Mandarin: with the sign turned the EER would be {turned:.3f}; is it turned, or are "
            "the columns exchanged?"
        )
    return remarks


def _order(score: np.ndarray, is_english: np.ndarray) -> float:
    """How far English scores stand above Mandarin ones, in standard deviations of no order (Mann and Whitney's U)."""
    _, place, counts = np.unique(score, return_inverse=True, return_counts=True)
    rank = (np.cumsum(counts) - (counts - 1) / 2)[place]
    n_english, n = int(is_english.sum()), len(score)
    spread = (n_english * (n - n_english) * (n + 1) / 12) ** 0.5
    return (rank[is_english].sum() - n_english * (n + 1) / 2) / spread
