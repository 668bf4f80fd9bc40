"""Scores of G2P from its stored tables."""

from collections.abc import Collection

from sinobench.g2p import breakdown
from sinobench.g2p.metrics import Outcomes
from sinobench.g2p.tables import ITEMS, PREDICTIONS
from sinobench.results.stored import Columns, Stored
from sinobench.results.tables import CONTAMINATION, METRICS
from sinobench.score import Score


def scores(stored: Stored) -> list[Score]:
    """All scores of a model on a corpus; of a pool, its means over the corpora too."""
    items, _, scored = outcomes(stored)
    subsets = stored.columns(METRICS)["subset"]
    return scores_of(items, scored, overlapping(stored) if breakdown.WITHOUT_OVERLAP in subsets else ())


def overlapping(stored: Stored) -> set[str]:
    """The corpora of a pool that a model declares to have learnt from."""
    found = stored.columns(CONTAMINATION)
    return {corpus for corpus, kind in zip(found["corpus"], found["kind"], strict=True) if kind == "declared"}


def outcomes(stored: Stored) -> tuple[Columns, Columns, Outcomes]:
    """Columns of the items, columns of the predictions, and what came of them."""
    items, predicted = stored.aligned(ITEMS, PREDICTIONS)
    return items, predicted, breakdown.score_table(items, predicted)


def scores_of(items: Columns, scored: Outcomes, overlapping: Collection[str] = ()) -> list[Score]:
    """The scores of items and of what came of them; overlapping: corpora of a pool that the model learnt from."""
    found = breakdown.scores(scored, items)
    if len(set(items["corpus"])) > 1:
        found += breakdown.macro_scores(scored, items) + breakdown.scores_without(scored, items, overlapping)
    return found
