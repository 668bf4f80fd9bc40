"""Scores of language identification from its stored tables."""

import numpy as np

from sinobench.lid import breakdown
from sinobench.lid.tables import SCORES, SEGMENTS
from sinobench.results.stored import Columns, Stored
from sinobench.score import Score


def scores(stored: Stored) -> list[Score]:
    """All scores of a model on a corpus."""
    return breakdown.scores(*trials(stored))


def trials(stored: Stored) -> tuple[Columns, np.ndarray, np.ndarray]:
    """Columns of the segments, and the model's English and Mandarin score of each."""
    segments = stored.columns(SEGMENTS)
    return segments, *breakdown.aligned_scores(segments, stored.columns(SCORES))
