"""The tables of comparison of one corpus, written from the scores of its models."""

from collections.abc import Iterable

from sinobench.results import tables
from sinobench.results.boards import Board
from sinobench.results.statistics.contest import Contest
from sinobench.results.statistics.resampling import Settings
from sinobench.score import Score


def write(
    board: Board,
    corpus: str,
    scores: Iterable[tuple[str, Iterable[Score]]],
    settings: Settings,
    comparisons: str,
    ranks: str,
    detectable: str,
) -> None:
    """Write ``comparisons``, ``ranks`` and ``detectable_differences``; scores: of each model, taken one by one.

    Raises InputError where two models are scored on other items.
    """
    contest = Contest(board, corpus)
    for model, of_model in scores:
        contest.add(model, of_model)
    files = {tables.COMPARISONS: comparisons, tables.RANKS: ranks, tables.DETECTABLE_DIFFERENCES: detectable}
    for (table, path), rows in zip(files.items(), contest.rows(settings), strict=True):
        tables.write(table, rows, path)
