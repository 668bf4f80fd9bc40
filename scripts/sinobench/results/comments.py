"""What tables, views, columns and metrics are, in words.

The words stand in ``comments.yaml`` beside the ``tables.py`` that declares a table and not in it: a job imports what it
writes, and need not run again for its wording. They become the comments of the database, its table ``metric_info``, and
docs/tables.md.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from sinobench.results.boards import BOTH, OFFICIAL
from sinobench.results.reading import literal

if TYPE_CHECKING:
    import duckdb

_SHARED = "results"  # the folder whose words hold for all tasks
_SECTIONS = ("columns", "tables", "views", "metrics")
_OF_METRIC = ("definition", "formula", "unit", "direction", "range", "source")


@dataclass(frozen=True)
class Comment:
    """What a table or view holds; its columns by name, ``own`` those that its entry names; ``key``, the columns that no
    two rows have alike."""

    about: str
    columns: Mapping[str, str]
    own: Mapping[str, str]
    key: Sequence[str]


class Comments:
    """The words of all files, each of the folder that it stands in: a task, or what tasks share.

    A file has, all optional: ``columns``, comments by name, for wherever a column of that name has none of its own;
    ``tables`` and ``views`` with ``about``, own ``columns`` and ``key``; ``metrics``, see ``metric_rows``, for a column
    without any of these. Raises KeyError for another section.
    """

    def __init__(self, files: Sequence[Path]):
        self._files = {file.parent.name: _read(file) for file in files}
        shared = self._files[_SHARED]
        self.relations: dict[str, Comment] = {}
        for found in self._files.values():
            metrics = {name: entry["definition"] for name, entry in found["metrics"].items()}
            metrics |= {f"official_{name}": f"By the official protocol: {text}" for name, text in metrics.items()}
            named = ChainMap(found["columns"], shared["columns"], metrics)
            for name, entry in (found["tables"] | found["views"]).items():
                own = entry.get("columns", {})
                self.relations[name] = Comment(entry["about"], named.new_child(own), own, entry.get("key", ()))

    def names(self, folder: str) -> list[str]:
        """The tables and then the views of a folder's file, in its order."""
        return [*self._files[folder]["tables"], *self._files[folder]["views"]]

    def statements(self, connection: duckdb.DuckDBPyConnection) -> str:
        """COMMENT ON for each table, view and column of a database for which there are words."""
        relations = connection.execute(
            """SELECT 'TABLE', table_name FROM duckdb_tables() WHERE NOT internal
            UNION ALL SELECT 'VIEW', view_name FROM duckdb_views() WHERE NOT internal"""
        ).fetchall()
        columns = connection.execute(
            "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal"
        ).fetchall()
        said = [(f'{kind} "{name}"', self.relations[name].about) for kind, name in relations if name in self.relations]
        said += [
            (f'COLUMN "{name}"."{column}"', self.relations[name].columns[column])
            for name, column in columns
            if name in self.relations and column in self.relations[name].columns
        ]
        return "\n".join(f"COMMENT ON {what} IS {literal(' '.join(text.split()))};" for what, text in said)

    def metric_rows(self) -> Iterator[dict[str, str]]:
        """Rows of ``metric_info``.

        A metric's entry has their columns; what official does otherwise stands under ``official`` by the same names,
        and ``protocols`` names those that have the metric, where not both do.
        """
        for task, found in self._files.items():
            for metric, entry in found["metrics"].items():
                for protocol in entry.get("protocols", BOTH):
                    own = entry | (entry.get("official", {}) if protocol == OFFICIAL else {})
                    key = {"task": task, "protocol": protocol, "metric": metric}
                    yield key | {name: own[name] for name in _OF_METRIC}


def _read(file: Path) -> dict[str, dict]:
    found = yaml.load(file.read_text(encoding="utf-8"), getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    if unknown := found.keys() - set(_SECTIONS):
        raise KeyError(f"{file}: {', '.join(sorted(unknown))} is none of {', '.join(_SECTIONS)}")
    return {section: {} for section in _SECTIONS} | found
