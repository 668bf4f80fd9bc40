"""Write docs/tables.md, what the database holds: ``python -m sinobench.tables_docs FILE``."""

import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from sinobench.results import database, registry

_INTRODUCTION = """# Tables and views

What `results/sinobench.duckdb` holds. Written from the `comments.yaml` files of `scripts/sinobench` by
`make table-docs`: edit those. The database has the same words as comments; [queries.md](queries.md) asks it 30
questions.

Times within a recording are whole milliseconds, a stretch has its start and not its end; run times are seconds, memory
is MB (10^6 bytes). A null means that there is no value. A key names the columns that no two rows have alike; it is not
declared to DuckDB, since 1.0 can't open a database with an index of a later one.

```sql
-- What is a table, view or column?
SELECT column_name, comment FROM duckdb_columns() WHERE table_name = 'csc_edits';
-- What is a metric?
SELECT definition, formula, direction FROM metric_info WHERE task = 'lid' AND protocol = 'strict' AND metric = 'cllr';
```
"""
_TITLES = {
    "results": "All tasks",
    "g2p": "Cantonese G2P",
    "csc": "Chinese spelling check",
    "lid": "Language identification",
    "ld": "Language diarization",
    "merlion": "Speech",
}
_OF_METRIC = ("definition", "formula", "unit", "direction", "range")


def render() -> str:
    """The Markdown of all tables, views and metrics, those that all tasks share first."""
    comments = registry.comments()
    types = _types()
    parts = [_INTRODUCTION]
    for folder, title in _TITLES.items():
        parts.append(f"## {title}\n")
        for name in comments.names(folder):
            of = comments.relations[name]
            key = f" Key: {', '.join(f'`{column}`' for column in of.key)}." if of.key else ""
            parts.append(f"### `{name}`\n\n{of.about}{key}\n")
            parts.append(_table(("column", "type", "meaning"), _columns(types[name], of.columns)))
    rows = (
        [f"`{row['metric']}`", row["task"], row["protocol"], *(row[name] or "" for name in _OF_METRIC)]
        for row in comments.metric_rows()
    )
    parts.append("## Metrics\n\nThe table `metric_info`, which also has their sources.\n")
    parts.append(_table(("metric", "task", "protocol", *_OF_METRIC), rows))
    return "\n".join(parts)


def _types() -> dict[str, dict[str, str]]:
    """The SQL types of all columns, by relation."""
    found: dict[str, dict[str, str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        database.build({}, {}, Path(folder, "empty.duckdb"))
        with database.reading(Path(folder, "empty.duckdb")) as connection:
            rows = connection.execute(
                """SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE NOT internal
                ORDER BY table_name, column_index"""
            ).fetchall()
    for relation, column, kind in rows:
        found.setdefault(relation, {})[column] = kind
    return found


def _columns(types: Mapping[str, str], words: Mapping[str, str]) -> Iterator[list[str]]:
    for column, kind in types.items():
        yield [f"`{column}`", kind, words[column]]


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *([_shown(cell) for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _shown(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(render(), encoding="utf-8")
