"""Scores of G2P from its stored tables."""

from sinobench.g2p import breakdown
from sinobench.g2p.metrics import Outcomes
from sinobench.g2p.tables import ITEMS, PREDICTIONS
from sinobench.results.stored import Columns, Stored
from sinobench.score import Score


def scores(stored: Stored) -> list[Score]:
    """All scores of a model on a corpus; of a pool, its means over the corpora too."""
    items, _, scored = outcomes(stored)
    return scores_of(items, scored)


def outcomes(stored: Stored) -> tuple[Columns, Columns, Outcomes]:
    """Columns of the items, columns of the predictions, and what came of them."""
    items, predicted = stored.aligned(ITEMS, PREDICTIONS)
    return items, predicted, breakdown.score_table(items, predicted)


def scores_of(items: Columns, scored: Outcomes) -> list[Score]:
    """The scores of items and of what came of them."""
    of_pool = len(set(items["corpus"])) > 1
    return breakdown.scores(scored, items) + (breakdown.macro_scores(scored, items) if of_pool else [])
