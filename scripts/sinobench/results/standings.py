"""Standings: the leaderboards of a database in a few narrow columns, for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sinobench.errors import InputError, nearest
from sinobench.results.boards import BOUNDS, Board
from sinobench.results.reading import rows_of
from sinobench.results.registry import BOARDS

if TYPE_CHECKING:
    import duckdb

NONE = "–"
CONTAMINATED, FLAGGED = "†", "!"
_OTHER_VERSION = "another version of sinobench made the database; run again"


@dataclass(frozen=True)
class Standing:
    """The models of one task on one corpus, as rows of its leaderboard: own ones by rank, published, failed ones.

    contaminated: what those learnt of the corpus that learnt of it, by model.
    """

    board: Board
    corpus: str
    title: str | None  # None for pools
    rows: Sequence[dict]
    contaminated: Mapping[str, str] = field(default_factory=dict)

    @property
    def heading(self) -> str:
        """What the table shows, and over how many items."""
        n_items = next((row["n_items"] for row in self.rows if row["n_items"]), None)
        counted = f", {n_items:,} {self.board.counted}" if n_items else ""
        title = f": {self.title}" if self.title else ""
        return f"{self.board.task}  {self.corpus}{counted}{title}"

    @property
    def names(self) -> list[str]:
        """Names of the columns of ``cells``."""
        by = self.board.by
        others = [measure.label for measure in self.board.labelled if measure != by]
        return ["rank", "model", str(by.label), "interval", *others, f"official {by.label}"]

    def cells(self, row: dict) -> list[str]:
        """A row in print: percentages, ``=`` beside the rank of a model that is tied with another."""
        by = self.board.by
        others = [percent(row[measure.metric], measure.decimals) for measure in self.board.labelled if measure != by]
        return [
            rank(row),
            self.marked(row["model"]),
            percent(row[by.metric], by.decimals) if not row["failure"] else "failed",
            interval(row, by.decimals),
            *others,
            percent(row[f"official_{by.metric}"], by.decimals),
        ]

    def marked(self, model: str) -> str:
        """The model with its marks, flagged and contaminated, which stand first: the end of a name may be cut."""
        flagged = FLAGGED if model in self.flagged else ""
        return f"{flagged}{CONTAMINATED if model in self.contaminated else ''}{model}"

    @property
    def flagged(self) -> list[str]:
        """The models that someone has reported."""
        return [row["model"] for row in self.rows if row.get("trust") == "flagged"]

    @property
    def remarks(self) -> list[str]:
        """What stands below the table: ties, who is flagged, what models learnt of the corpus, and why they failed."""
        tied = {frozenset([row["model"], *row["tied_with"]]) for row in self.rows if row["tied_with"]}
        lines = [f"= no significant difference: {', '.join(sorted(models))}" for models in sorted(tied, key=sorted)]
        lines += [f"{FLAGGED} flagged, reported by someone: {', '.join(self.flagged)}"] if self.flagged else []
        models = [row["model"] for row in self.rows if row["model"] in self.contaminated]
        learnt = [f"{model} ({self.contaminated[model]})" for model in models]
        lines += [f"{CONTAMINATED} contaminated, learnt of these items: {', '.join(learnt)}"] if learnt else []
        return lines + [f"{row['model']} failed: {row['failure']}" for row in self.rows if row["failure"]]


def standings(
    connection: duckdb.DuckDBPyConnection, task: str | None = None, corpus: str | None = None
) -> list[Standing]:
    """The standings of a database, of one task or corpus where it is named; those with models of this run first.

    Raises InputError for a corpus that has none, with the nearest that has.
    """
    titles = dict(connection.execute("SELECT corpus, title FROM corpora").fetchall())
    found, learnt = [], _contaminated(connection)
    for board in BOARDS.values():
        if task in (None, board.task):
            everything = " WHERE subset = 'all'" if board.subsets else ""
            by_corpus: dict[str, list[dict]] = {}
            for row in _rows(connection, f"FROM leaderboard_{board.task}{everything}"):
                by_corpus.setdefault(row["corpus"], []).append(_complete(row, board))
            found += [
                Standing(board, name, titles.get(name), rows, learnt.get((board.task, name), {}))
                for name, rows in by_corpus.items()
            ]
    if corpus is not None and corpus not in {standing.corpus for standing in found}:
        of = f" for {task}" if task else ""
        known = nearest(corpus, {standing.corpus for standing in found})
        raise InputError(f"the database has no leaderboard{of} on '{corpus}'; {known}")
    chosen = [standing for standing in found if corpus in (None, standing.corpus)]
    return sorted(chosen, key=lambda standing: all(row["published"] for row in standing.rows))


def rank(row: dict) -> str:
    """The rank with its mark of a tie."""
    return f"{row['rank'] or NONE}{'=' if row['tied_with'] else ' '}"


def percent(value: float | None, decimals: int = 1) -> str:
    """A fraction as percentage."""
    return NONE if value is None else f"{100 * value:.{decimals}f}"


def interval(row: dict, decimals: int = 1) -> str:
    """The interval of the headline, as percentages."""
    low, high = (row[name] for name in BOUNDS)
    return NONE if low is None else f"{percent(low, decimals)}–{percent(high, decimals)}"


def _contaminated(connection: duckdb.DuckDBPyConnection) -> dict[tuple[str, str], dict[str, str]]:
    """What each contaminated model learnt, by task and corpus; nothing of a database without that view."""
    if not rows_of(connection, "FROM duckdb_views() SELECT view_name WHERE view_name = 'contaminated'"):
        return {}
    found: dict[tuple[str, str], dict[str, str]] = {}
    for row in rows_of(connection, "FROM contaminated"):
        found.setdefault((row["task"], row["corpus"]), {})[row["model"]] = row["learnt"]
    return found


def _rows(connection: duckdb.DuckDBPyConnection, statement: str) -> list[dict]:
    import duckdb

    try:
        return rows_of(connection, statement)
    except (duckdb.CatalogException, duckdb.BinderException) as error:
        raise InputError(f"{str(error).partition(chr(10))[0]}: {_OTHER_VERSION}") from None


def _complete(row: dict, board: Board) -> dict:
    figures = {board.by.metric, f"official_{board.by.metric}", *BOUNDS}
    if missing := ({"model", "rank", "published", "failure"} | figures) - row.keys():
        raise InputError(f"leaderboard_{board.task} has no {', '.join(sorted(missing))}: {_OTHER_VERSION}")
    tied = row.get("tied_with") or []
    return row | {"tied_with": tied.split(", ") if isinstance(tied, str) else list(tied)}
