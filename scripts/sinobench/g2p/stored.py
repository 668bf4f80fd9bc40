"""Scores of G2P from its stored tables."""

from collections.abc import Collection, Iterable, Iterator

from sinobench.g2p import breakdown
from sinobench.g2p.alike import Part
from sinobench.g2p.gathered import Gathered
from sinobench.g2p.metrics import Outcomes
from sinobench.g2p.scored import SUBSETS, WITHOUT_OVERLAP
from sinobench.g2p.tables import ITEMS, PREDICTIONS
from sinobench.results.stored import Columns, Stored
from sinobench.results.tables import CONTAMINATION, METRICS
from sinobench.score import Score


def scores(stored: Stored) -> list[Score]:
    """All scores of a model on a corpus; of a pool, its means over the corpora too."""
    subsets = stored.columns(METRICS)["subset"]
    return list(scores_of(gathered(stored), overlapping(stored) if WITHOUT_OVERLAP in subsets else ()))


def overlapping(stored: Stored) -> set[str]:
    """The corpora of a pool that a model declares to have learnt from."""
    found = stored.columns(CONTAMINATION)
    return {corpus for corpus, kind in zip(found["corpus"], found["kind"], strict=True) if kind == "declared"}


def outcomes(stored: Stored) -> tuple[Columns, Columns, Outcomes]:
    """Columns of the items, columns of the predictions, and what came of them."""
    items, predicted = stored.aligned(ITEMS, PREDICTIONS)
    return items, predicted, breakdown.score_table(items, predicted)


def parts(stored: Stored) -> Iterator[Part]:
    """The same, some items at a time."""
    for items, predicted in stored.aligned_tables(ITEMS, PREDICTIONS):
        yield Part.of(items, predicted)


def gathered(stored: Stored, counted_by: Iterable[str] = SUBSETS.values()) -> Gathered:
    """What the scores need of all items, by these columns too."""
    found = Gathered(counted_by)
    for part in parts(stored):
        found.add(part)
    return found


def scores_of(held: Gathered, overlapping: Collection[str] = ()) -> Iterator[Score]:
    """The scores of items; overlapping: corpora of a pool that the model learnt from."""
    scored = held.scored
    yield from scored.scores()
    yield from scored.macro()
    yield from scored.without(overlapping)


def scores_of_all(held: Gathered) -> Iterator[Score]:
    """Those over all items alone, which models are compared by."""
    scored = held.scored
    yield from scored.whole()
    yield from scored.macro()
