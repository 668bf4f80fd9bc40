"""Small databases, for tests of what reads one."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

import duckdb

from sinobench.results import contamination, database, fingerprints, tables


class Small:
    """Copies of a database without rows, to which rows are added: its views and comments are what takes time."""

    def __init__(self, empty: Path):
        """empty: where it is made."""
        database.build({}, {}, empty)
        self._empty = empty

    def write(self, rows: Mapping[str, Sequence[Mapping]], path: Path) -> Path:
        """Write the database of these rows to the path, in the place of what is there, and return the path.

        Nothing is left out of confidential corpora: `database.build` does that.
        """
        shutil.copy(self._empty, path)
        with duckdb.connect(path) as connection:
            connection.execute("BEGIN")
            for table, added in rows.items():
                database._insert(connection, table, added)
            for table, made in ((tables.FINGERPRINTS, fingerprints), (tables.CONTAMINATION, contamination)):
                database._insert(connection, table.name, made.rows(connection))
            connection.execute("COMMIT")
        return path
