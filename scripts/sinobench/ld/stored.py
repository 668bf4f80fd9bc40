"""Scores of language diarization from its stored tables."""

from sinobench.ld import breakdown
from sinobench.ld.tables import PREDICTIONS, TURNS, Turn
from sinobench.merlion.tables import RECORDINGS, REGIONS, Recording, Region
from sinobench.results.stored import Stored
from sinobench.results.tables import columns_of
from sinobench.score import Score


def scores(stored: Stored) -> list[Score]:
    """All scores of a model on a corpus. Raises InputError as ``comparison``."""
    return breakdown.scores(comparison(stored))


def comparison(stored: Stored) -> breakdown.Comparison:
    """The reference beside the predicted turns. Raises InputError as ``breakdown.compare_corpus``."""
    return breakdown.compare_corpus(
        stored.corpus,
        stored.objects(Recording, RECORDINGS),
        stored.in_arrow(TURNS, list(columns_of(Turn))),
        {protocol: stored.objects(Region, REGIONS, protocol=protocol) for protocol in ("official", "strict")},
        stored.in_arrow(PREDICTIONS, list(columns_of(Turn))),
    )
