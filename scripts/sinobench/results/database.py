"""The database of all results: tables from Parquet files, and the views that people query."""

from __future__ import annotations

import contextlib
import glob
import itertools
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.errors import InputError
from sinobench.results import contamination, fingerprints, tables, veil
from sinobench.results.registry import TABLES, comments, views

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from sinobench.results.tables import Table

_SQL_TYPE = {  # audio and features have none: they stay in the jobs' files
    "string": "VARCHAR",
    "list<string>": "VARCHAR[]",
    "int8": "TINYINT",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "double": "DOUBLE",
    "bool": "BOOLEAN",
}
# The format that every DuckDB since 1.0 reads; by itself it writes the newest, which only the newest reads.
_STORAGE = {"storage_compatibility_version": "v1.0.0"}
# Beyond its memory DuckDB works on the disk; by itself it takes most of the machine's, and each thread has its share.
# Rows that one thread copies keep their order, and make a file a third smaller.
_MODEST = {"memory_limit": "400MB", "threads": 1}
_ROWS_AT_ONCE = 200


def build(files: Mapping[str, Sequence[str]], rows: Mapping[str, Sequence[Mapping]], path: str | Path) -> None:
    """Write a DuckDB file with the tables of ``TABLES`` and all views.

    files: Parquet or CSV files by table, read in their order; rows: rows by table. The database is made beside the
    target and renamed into its place: a reader keeps the old one, and an interrupted run leaves it whole. Of corpora of
    which everything is confidential it has figures alone. Raises InputError for a Parquet file that is damaged.
    """
    import duckdb

    path = Path(path)
    unfinished, whole = (path.with_name(f".{path.name}.{part}") for part in ("unfinished", "whole"))
    for leftover in (unfinished, _log_of(unfinished), whole):
        leftover.unlink(missing_ok=True)
    hidden = [row["corpus"] for row in rows.get("corpora", ()) if row.get("confidential") == "everything"]
    with duckdb.connect(unfinished, config=_STORAGE | _MODEST) as connection:
        for table, declared in TABLES.items():
            if not declared.in_database:
                continue
            columns = {name: _SQL_TYPE[kind] for name, kind in declared.columns.items() if kind in _SQL_TYPE}
            definition = ", ".join(f'"{name}" {kind}' for name, kind in columns.items())
            connection.execute("BEGIN")  # each statement that stands alone is written to the disk
            connection.execute(f"CREATE TABLE {table} ({definition})")
            for is_csv, of_kind in itertools.groupby(files.get(table, ()), lambda file: str(file).endswith(".csv")):
                if is_csv:
                    for file in of_kind:
                        connection.execute(f"INSERT INTO {table} BY NAME FROM read_csv(?)", [glob.escape(str(file))])
                else:
                    _copy(connection, declared, list(columns), of_kind)
            _insert(connection, table, rows.get(table, ()))
            connection.execute("COMMIT")
        for table, made in ((tables.FINGERPRINTS, fingerprints), (tables.CONTAMINATION, contamination)):
            _insert(connection, table.name, made.rows(connection))
    if hidden:
        os.replace(unfinished, whole)
    with duckdb.connect(unfinished, config=_STORAGE | _MODEST) as connection:
        if hidden:
            veil.draw(connection, whole, hidden)
            whole.unlink()
        connection.execute("BEGIN")  # hundreds of statements that each write the file would take seconds
        connection.execute(views())
        connection.execute(comments().statements(connection))
        connection.execute("COMMIT")
    # The log of a writer that crashed, or has the old database open, would make DuckDB refuse the new one.
    _log_of(path).unlink(missing_ok=True)
    os.replace(unfinished, path)


def _copy(connection: duckdb.DuckDBPyConnection, table: Table, columns: Sequence[str], files: Iterable[str]) -> None:
    """In one statement, of which DuckDB writes each row group once: after several it writes some again.

    DuckDB's own reader of Parquet does not look at the checksums of pages.
    """
    import duckdb
    import pyarrow as pa

    wrong: list[Exception] = []

    def batches() -> Iterator[pa.RecordBatch]:
        try:
            for file in files:
                for found in tables.row_groups(file, columns):
                    yield from found.to_batches()
        except (InputError, OSError) as error:
            wrong.append(error)
            raise

    schema = pa.schema([tables.schema(table).field(name) for name in columns])
    connection.register("found", pa.RecordBatchReader.from_batches(schema, batches()))
    try:
        connection.execute(f"INSERT INTO {table.name} BY NAME FROM found")
    except duckdb.Error as error:
        raise (wrong or [error])[0] from None
    connection.unregister("found")


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: Iterable[Mapping[str, object]]) -> None:
    """Those of the same columns together: a statement takes a millisecond, however few rows it has."""
    for names, alike in itertools.groupby(rows, tuple):
        columns = ", ".join(f'"{name}"' for name in names)
        marks = f"({', '.join('?' for _ in names)})"
        rest = [[row[name] for name in names] for row in alike]
        while rest:
            some, rest = rest[:_ROWS_AT_ONCE], rest[_ROWS_AT_ONCE:]
            statement = f"INSERT INTO {table} ({columns}) VALUES {', '.join([marks] * len(some))}"
            connection.execute(statement, list(itertools.chain.from_iterable(some)))


@contextlib.contextmanager
def reading(path: str | Path, reads_files: bool = True) -> Iterator[duckdb.DuckDBPyConnection]:
    """A read-only connection, whoever else has the database open: where that is a writer, to a copy.

    reads_files: whether queries, and views of the database, may read other files.
    """
    import duckdb

    with tempfile.TemporaryDirectory() as folder:
        config: dict = {"enable_external_access": reads_files, "temp_directory": folder} | _MODEST
        try:
            connection = duckdb.connect(path, read_only=True, config=config)
        except (duckdb.IOException, duckdb.ConnectionException):  # of another process; of this one, otherwise set
            connection = duckdb.connect(shutil.copy(path, folder), read_only=True, config=config)
        with connection:
            yield connection


def _log_of(database: Path) -> Path:
    return database.with_name(f"{database.name}.wal")
