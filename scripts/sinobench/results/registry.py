"""The tables and boards of all tasks, for the database and its pictures alone: a job imports those of its task."""

from functools import cache
from pathlib import Path

from sinobench.csc import board as csc_board
from sinobench.csc import tables as csc
from sinobench.g2p import board as g2p_board
from sinobench.g2p import tables as g2p
from sinobench.ld import board as ld_board
from sinobench.ld import tables as ld
from sinobench.lid import board as lid_board
from sinobench.lid import tables as lid
from sinobench.merlion import statistics
from sinobench.merlion import tables as merlion
from sinobench.merlion.audio import tables as audio
from sinobench.merlion.training import tables as training
from sinobench.results import boards, signature
from sinobench.results import tables as shared
from sinobench.results.comments import Comments
from sinobench.results.tables import Table

_OWNERS = (g2p, csc, merlion, lid, ld, shared)
TABLES = {
    table.name: table
    for module in (*_OWNERS, statistics, audio, training)
    for table in vars(module).values()
    if isinstance(table, Table)
}
BOARDS = {module.BOARD.task: module.BOARD for module in (g2p_board, csc_board, lid_board, ld_board)}


@cache
def comments() -> Comments:
    """What all tables, views, columns and metrics are."""
    return Comments([Path(owner.__file__).with_name("comments.yaml") for owner in _OWNERS])


def views() -> str:
    """The SQL of all views: shared ones, and of each task what its board makes and what it wrote itself."""
    parts = [Path(__file__).with_name("views.sql").read_text(encoding="utf-8"), signature.view()]
    for board in BOARDS.values():
        parts += [boards.wide(board), boards.leaderboard(board)]
        if board.views:
            parts.append(board.views.read_text(encoding="utf-8"))
    return "\n".join([*parts, boards.union(BOARDS.values()), boards.summary(BOARDS.values())])
