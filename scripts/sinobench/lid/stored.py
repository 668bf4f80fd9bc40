"""Scores of language identification from its stored tables."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from sinobench.lid import breakdown
from sinobench.lid.tables import SCORES, SEGMENTS
from sinobench.results import arrow
from sinobench.results.stored import Stored
from sinobench.score import Score

_OF_SEGMENTS = ("segment_id", "recording", "pair", "start_ms", "end_ms", "language")
_OF_SCORES = ("segment_id", "english_score", "mandarin_score")


def scores(stored: Stored) -> Iterator[Score]:
    """All scores of a model on a corpus."""
    return breakdown.scores(*trials(stored))


def trials(stored: Stored) -> tuple[Mapping[str, Sequence], np.ndarray, np.ndarray]:
    """Columns of the segments, and the model's English and Mandarin score of each."""
    segments = arrow.compact(stored.in_arrow(SEGMENTS, _OF_SEGMENTS))
    return segments, *breakdown.aligned_scores(segments, arrow.compact(stored.in_arrow(SCORES, _OF_SCORES)))
