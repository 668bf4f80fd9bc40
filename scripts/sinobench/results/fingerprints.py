"""What stands behind the figures of each model on each corpus: hashes of its items, its predictions and the model."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from sinobench import __version__
from sinobench.hashes import json_lines, of_lines, of_rows
from sinobench.results.registry import BOARDS

if TYPE_CHECKING:
    import duckdb

    from sinobench.results.tables import Table

# Where a recording stands does not tell what is in it.
_NO_CONTENT = {"corpus", "model", "path", "original"}
_ROWS_AT_ONCE = 50_000


def rows(connection: duckdb.DuckDBPyConnection) -> list[dict]:
    """The rows of ``fingerprints``: one a model with figures on a corpus or a pool."""
    held = Held(connection)
    named = connection.sql("SELECT DISTINCT task, corpus, model FROM metrics ORDER BY ALL").fetchall()
    return [held.fingerprint(*names) for names in named if BOARDS[names[0]].predictions]


class Held:
    """A database whose content is hashed as it is, each table of a corpus or model once."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._of_corpus = cache(self._hash)

    def fingerprint(self, task: str, corpus: str, model: str) -> dict[str, str | None]:
        """The row of ``fingerprints``."""
        parts = self.parts(corpus)
        of_model = [self._identity(task, part, model) for part in parts]
        versions = {version for version, _ in of_model if version}
        return {
            "task": task,
            "corpus": corpus,
            "model": model,
            "items": _together([self._of_corpus(task, part) for part in parts]),
            "predictions": _together([self._of_corpus(task, part, model) for part in parts]),
            "model_version": "/".join(sorted(versions)) or None,
            "code": _together([sha256 for _, sha256 in of_model]),
            "version": __version__,
        }

    def parts(self, corpus: str) -> list[str]:
        """The corpora of a pool; of another corpus itself."""
        found = self._connection.execute("SELECT part FROM pools WHERE corpus = ?", [corpus]).fetchall()
        return [part for (part,) in found] or [corpus]

    def _hash(self, task: str, corpus: str, model: str = "") -> str:
        """Of the rows that a corpus has in the tables of items, or a model in that of predictions."""
        board = BOARDS[task]
        wanted: tuple[Table, ...] = (board.predictions,) if model else board.reference
        return of_lines(line for table in wanted for line in self._lines(table, corpus, model))

    def _lines(self, table: Table, corpus: str, model: str) -> Iterator[str]:
        """The JSON of the rows of a table that a corpus, or a model on it, has, each after the name of the table."""
        names = [name for name in table.columns if name not in _NO_CONTENT]
        of_model = " AND model = $model" if model else ""
        shown = ", ".join(f'"{name}"' for name in names)
        query = f"SELECT {shown} FROM {table.name} WHERE corpus = $corpus{of_model}"
        keys = {"corpus": corpus} | ({"model": model} if model else {})
        for batch in self._connection.sql(query, params=keys).to_arrow_reader(_ROWS_AT_ONCE):
            yield from json_lines(table.name, list(batch.to_pydict().values()))

    def _identity(self, task: str, corpus: str, model: str) -> tuple[str | None, str | None]:
        """Version and hash of the model that made the predictions; of models that differ, both of all."""
        query = (
            "SELECT DISTINCT version, sha256 FROM identities WHERE task = ? AND corpus = ? AND model = ? ORDER BY ALL"
        )
        found = self._connection.execute(query, [task, corpus, model]).fetchall()
        versions = [version for version, _ in found if version]
        return "/".join(dict.fromkeys(versions)) or None, _together([sha256 for _, sha256 in found])


def _together(hashes: list[str | None]) -> str | None:
    """One hash of several: of equal ones that one; None where one is missing."""
    if not hashes or None in hashes:
        return None
    return hashes[0] if len(set(hashes)) == 1 else of_rows([each] for each in hashes)
