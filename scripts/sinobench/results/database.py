"""The database of all results: tables from Parquet files, and the views that people query."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from sinobench.results.tables import NOT_IN_DATABASE, TABLES

_SQL_TYPE = {
    "string": "VARCHAR",
    "list<string>": "VARCHAR[]",
    "int8": "TINYINT",
    "int32": "INTEGER",
    "int64": "BIGINT",
    "double": "DOUBLE",
    "bool": "BOOLEAN",
}
VIEWS = Path(__file__).with_name("views.sql")


def build(files: Mapping[str, Sequence[str]], rows: Mapping[str, Sequence[Mapping]], path: str | Path) -> None:
    """Write a DuckDB file with the tables of ``TABLES`` and all views.

    files: Parquet or CSV files by table, read in their order; rows: rows by table. The database is made beside the
    target and renamed into its place: a reader keeps the old one, and an interrupted run leaves it whole.
    """
    import duckdb

    path = Path(path)
    unfinished = path.with_name(f".{path.name}.unfinished")
    unfinished.unlink(missing_ok=True)
    with duckdb.connect(unfinished) as connection:
        for table in (name for name in TABLES if name not in NOT_IN_DATABASE):
            columns = TABLES[table]
            definition = ", ".join(f'"{name}" {_SQL_TYPE[kind]}' for name, kind in columns.items() if kind in _SQL_TYPE)
            audio = ", ".join(name for name, kind in columns.items() if kind not in _SQL_TYPE)
            chosen = f"* EXCLUDE ({audio})" if audio else "*"
            connection.execute(f"CREATE TABLE {table} ({definition})")
            for file in files.get(table, ()):
                reader = "read_csv" if str(file).endswith(".csv") else "read_parquet"
                connection.execute(f"INSERT INTO {table} BY NAME SELECT {chosen} FROM {reader}(?)", [str(file)])
            for row in rows.get(table, ()):
                names = ", ".join(f'"{name}"' for name in row)
                marks = ", ".join("?" for _ in row)
                connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", list(row.values()))
        connection.execute(VIEWS.read_text(encoding="utf-8"))
    os.replace(unfinished, path)
