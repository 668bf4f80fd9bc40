"""Scores of spelling check from its stored tables."""

from sinobench.csc import breakdown
from sinobench.csc.pairs import official_start
from sinobench.csc.tables import ITEMS, OVERLAPS, PREDICTIONS
from sinobench.results.stored import Stored
from sinobench.results.tables import METRICS
from sinobench.score import Score

_IGNORING = "ignoring="


def scores(stored: Stored) -> list[Score]:
    """All scores of a model on a corpus, with the subsets of characters and items left out that its metrics have."""
    subsets = stored.columns(METRICS)["subset"]
    named = (subset for subset in subsets if subset.startswith(_IGNORING))
    left_out = overlapping(stored) if breakdown.WITHOUT_OVERLAP in subsets else ()
    return breakdown.scores(comparison(stored), next(named, "").removeprefix(_IGNORING), left_out)


def overlapping(stored: Stored) -> set[str]:
    """The items of a corpus that share something with what models are fitted on."""
    found = stored.columns(OVERLAPS)
    return {item for item, in_fit in zip(found["item_id"], found["in_fit"], strict=True) if in_fit}


def comparison(stored: Stored) -> breakdown.Comparison:
    """The texts of a corpus beside the model's outputs."""
    items, predicted = stored.aligned(ITEMS, PREDICTIONS)
    start = official_start(items["line"][0], items["input"][0])
    return breakdown.compare_outputs(items["item_id"], items["input"], items["golds"], predicted["prediction"], start)
