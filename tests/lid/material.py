"""What the vectors of the official scripts call the metrics that have another name here; figures of arrays."""

import numpy as np

from sinobench.lid import roc
from sinobench.lid.breakdown import whole_scores
from sinobench.lid.metrics import cllr as weighted_cllr
from sinobench.score import Score, plain

IN_VECTORS = {"bac": "balanced_accuracy", "bac_recording_mean": "balanced_accuracy_recording_mean"}


def figures(english, mandarin, is_english, recordings):
    """By protocol the metrics of all segments."""
    found = {"official": {}, "strict": {}}
    for score in whole_scores(np.column_stack([english, mandarin, is_english]), recordings):
        if score.subset == "all":
            found[score.protocol] |= plain(score.metrics())
    return found


def eer(scores, is_target):
    return plain({"": roc.once(roc.eer, scores, is_target)})[""]


def min_cllr(scores, is_target):
    return plain({"": roc.once(roc.min_cllr, scores, is_target)})[""]


def cllr(llr, is_target):
    one = Score("strict", "all", [""], np.zeros(len(llr), np.int64), np.empty((len(llr), 0)), None, len(llr), 1.0)
    return plain({"": weighted_cllr(one, llr, is_target, np.ones((1, 1), np.int64))[0]})[""]
