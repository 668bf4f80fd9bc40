"""The database of a run, opened by people: what is not there is said in one message."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.errors import InputError
from sinobench.guard import regular

if TYPE_CHECKING:
    import duckdb

DATABASE = "results/sinobench.duckdb"


@contextlib.contextmanager
def opened(path: str | Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """A read-only connection, whose database may be anybody's: its views read no other files.

    Raises InputError where there is no database of a run.
    """
    import duckdb

    from sinobench.results.database import reading

    if not regular(path).exists():
        raise InputError(f"there is no such database; `make all` makes {DATABASE}", path)
    try:
        with reading(path, reads_files=False) as connection:
            if not rows_of(connection, "FROM duckdb_views() SELECT view_name WHERE view_name = 'leaderboard'"):
                raise InputError("has no leaderboard; expected the database that a run makes", path)
            yield connection
    except duckdb.IOException:
        raise InputError("is no database that DuckDB can read", path) from None


def literal(text: str) -> str:
    """The text as it stands in SQL."""
    return "'" + text.replace("'", "''") + "'"


def rows_of(connection: duckdb.DuckDBPyConnection, statement: str, values: object = None) -> list[dict]:
    """The rows that a statement finds, by the names of their columns."""
    found = connection.execute(statement, values)
    names = [column[0] for column in found.description]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]
