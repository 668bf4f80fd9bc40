"""Scores of spelling check from its stored tables."""

from collections.abc import Iterator

from sinobench.csc import gathered
from sinobench.csc.breakdown import Comparison, compare_outputs, compare_some
from sinobench.csc.gathered import Gathered
from sinobench.csc.official import Official
from sinobench.csc.pairs import official_start
from sinobench.csc.tables import ITEMS, OVERLAPS, PREDICTIONS
from sinobench.results.stored import Stored
from sinobench.results.tables import METRICS
from sinobench.score import Score

_IGNORING = "ignoring="


def scores(stored: Stored) -> Iterator[Score]:
    """All scores of a model on a corpus, with the subsets of characters and items left out that its metrics have."""
    subsets = stored.columns(METRICS)["subset"]
    named = (subset for subset in subsets if subset.startswith(_IGNORING))
    left_out = overlapping(stored) if gathered.WITHOUT_OVERLAP in subsets else ()
    held = Gathered(next(named, "").removeprefix(_IGNORING), left_out)
    for compared in parts(stored):
        held.add(compared)
    return held.scores()


def overlapping(stored: Stored) -> set[str]:
    """The items of a corpus that share something with what models are fitted on."""
    return {
        item
        for found in stored.parts(OVERLAPS)
        for item, in_fit in zip(found["item_id"], found["in_fit"], strict=True)
        if in_fit
    }


def comparison(stored: Stored) -> Comparison:
    """The texts of a corpus beside the model's outputs."""
    items, predicted = stored.aligned(ITEMS, PREDICTIONS)
    start = official_start(items["line"][0], items["input"][0])
    return compare_outputs(items["item_id"], items["input"], items["golds"], predicted["prediction"], start)


def parts(stored: Stored) -> Iterator[Comparison]:
    """The same, some sentences at a time."""
    first = next(stored.parts(ITEMS))
    start = official_start(first["line"][0], first["input"][0])
    official = Official.of((text for part in stored.parts(ITEMS, ["input"]) for text in part["input"]), start)
    row = 0
    for items, predicted in stored.aligned_parts(ITEMS, PREDICTIONS):
        yield compare_some(items["item_id"], items["input"], items["golds"], predicted["prediction"], official, row)
        row += len(items["item_id"])
