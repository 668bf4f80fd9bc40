"""Scores of spelling check from its stored tables."""

from sinobench.csc import breakdown
from sinobench.csc.pairs import official_start
from sinobench.csc.tables import ITEMS, PREDICTIONS
from sinobench.results.stored import Stored
from sinobench.results.tables import METRICS
from sinobench.score import Score

_IGNORING = "ignoring="


def scores(stored: Stored) -> list[Score]:
    """All scores of a model on a corpus, the subset that leaves characters out as its stored metrics name it."""
    named = (subset for subset in stored.columns(METRICS)["subset"] if subset.startswith(_IGNORING))
    return breakdown.scores(comparison(stored), next(named, "").removeprefix(_IGNORING))


def comparison(stored: Stored) -> breakdown.Comparison:
    """The texts of a corpus beside the model's outputs."""
    items, predicted = stored.aligned(ITEMS, PREDICTIONS)
    start = official_start(items["line"][0], items["input"][0])
    return breakdown.compare_outputs(items["item_id"], items["input"], items["golds"], predicted["prediction"], start)
