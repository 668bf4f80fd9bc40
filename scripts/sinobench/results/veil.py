"""A database without what is confidential: of corpora of which everything is, figures without names and times.

Recordings, pairs and segments have numbers for names, the same in every table. Rows that are times in a recording are
left out, and so is what people wrote: speakers, paths, text, messages of models that failed.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.results.reading import literal

if TYPE_CHECKING:
    import duckdb

_NUMBERED = {"recording": "recording", "pair": "pair", "segment_id": "segment"}
_EMPTY = {"speaker", "utterance", "utt_id", "path", "original", "text", "file", "detail"}
_TIMES = {"start_ms", "start_sample"}


def draw(connection: duckdb.DuckDBPyConnection, whole: str | Path, corpora: Collection[str]) -> None:
    """Copy the tables of another database into this one, which so never held what is confidential of the corpora."""
    hidden = f"coalesce(corpus IN ({', '.join(map(literal, sorted(corpora)))}), false)"
    connection.execute(f"ATTACH {literal(str(whole))} AS whole (READ_ONLY)")
    columns: dict[str, list[str]] = {}
    listed = "SELECT table_name, column_name FROM duckdb_columns() WHERE database_name = 'whole' ORDER BY column_index"
    for table, column in connection.execute(listed).fetchall():
        columns.setdefault(table, []).append(column)
    for column, name in _NUMBERED.items():
        _number(connection, column, name, [table for table in columns if column in columns[table]], hidden)
    for table, names in columns.items():
        if "corpus" not in names:
            connection.execute(f"CREATE TABLE {table} AS FROM whole.{table} ORDER BY rowid")
            continue
        left_out = "recording" in names and _TIMES & set(names)
        shown = ", ".join(
            f"CASE WHEN {hidden} THEN {other} ELSE {name} END AS {name}" for name, other in _others(names)
        )
        replaced = f" REPLACE ({shown})" if shown else ""
        kept = f" WHERE NOT {hidden}" if left_out else ""
        connection.execute(f"CREATE TABLE {table} AS SELECT *{replaced} FROM whole.{table} AS t{kept} ORDER BY rowid")
    for column in _NUMBERED:
        connection.execute(f"DROP TABLE numbered_{column}")
    connection.execute("DETACH whole")


def _number(
    connection: duckdb.DuckDBPyConnection, column: str, name: str, tables: Collection[str], hidden: str
) -> None:
    """A table with what stands for each value of a column of hidden corpora."""
    every = " UNION ".join(f"SELECT corpus, {column} AS given FROM whole.{table} WHERE {hidden}" for table in tables)
    connection.execute(
        f"CREATE TEMP TABLE numbered_{column} AS SELECT corpus, given, "
        f"'{name}-' || row_number() OVER (PARTITION BY corpus ORDER BY given) AS shown "
        f"FROM ({every}) WHERE given IS NOT NULL"
    )


def _others(names: Collection[str]) -> list[tuple[str, str]]:
    """The columns that hidden rows have another value in, and that value."""
    found = [(name, "NULL") for name in names if name in _EMPTY]
    found += [(name, _shown(name, f"t.{name}")) for name in names if name in _NUMBERED]
    if {"reason", "log"} <= set(names):  # of a failed run: a model's own message may quote what it was given
        found.append(("reason", "CASE WHEN t.reason IS NOT NULL THEN 'its log says why' END"))
    if "subset" in names:
        cases = []
        for name in ("recording", "pair"):
            given = _shown(name, f"substr(t.subset, {len(name) + 2})")
            cases.append(f"WHEN starts_with(t.subset, '{name}=') THEN '{name}=' || {given}")
        found.append(("subset", f"CASE {' '.join(cases)} ELSE t.subset END"))
    return found


def _shown(column: str, given: str) -> str:
    return f"(SELECT n.shown FROM numbered_{column} AS n WHERE n.corpus = t.corpus AND n.given = {given})"
