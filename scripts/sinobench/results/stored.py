"""What is stored of one model on one corpus, read from the files of jobs or from a database."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, TypeVar, get_type_hints

from sinobench.errors import InputError, private
from sinobench.results import arrow, tables
from sinobench.results.tables import Table

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

T = TypeVar("T")
Columns = dict[str, list]

_IDS = ["corpus", "item_id"]
_REPEATED = ("corpus", "model", "recording", "pair", "language")  # columns of few distinct texts


@dataclass(frozen=True)
class Stored:
    """The rows of a model on a corpus, or on each corpus of a pool.

    columns: of a table, the values of its rows by column; of a table of items those of the corpus alone. in_parts: the
    same some rows at a time, so many at most, of tables that can be had so; of these columns where they are named.
    in_arrow: these columns of a table, with dictionaries of texts that repeat.
    """

    corpus: str
    model: str
    columns: Callable[[Table], Columns]
    in_parts: Callable[[Table, Sequence[str] | None, int], Iterator[pa.Table]] | None = None
    in_arrow: Callable[[Table, Sequence[str]], pa.Table] | None = None

    @property
    def key(self) -> dict[str, str]:
        """Corpus and model, as columns of the tables of results."""
        return {"corpus": self.corpus, "model": self.model}

    def objects(self, held: type[T], table: Table, **equal: object) -> list[T]:
        """The rows of a table that have these values, as objects of a data class."""
        columns = self.columns(table)
        names = [name for name in get_type_hints(held) if name in columns]
        wanted = zip(*(columns[name] for name in equal), strict=True) if equal else ((),) * len(columns[names[0]])
        rows = zip(*(columns[name] for name in names), strict=True)
        chosen = tuple(equal.values())
        return [
            held(**dict(zip(names, row, strict=True))) for row, of in zip(rows, wanted, strict=True) if of == chosen
        ]

    def aligned(self, items: Table, predictions: Table) -> tuple[Columns, Columns]:
        """The columns of items and of predictions, row by row the same items. Raises InputError where they are not."""
        own, given = self.columns(items), self.columns(predictions)
        self._require_same(own, given)
        return own, given

    def aligned_parts(self, items: Table, predictions: Table) -> Iterator[tuple[Columns, Columns]]:
        """The same some rows at a time."""
        none: Columns = {"corpus": [], "item_id": []}
        for own, given in zip_longest(self.parts(items), self.parts(predictions), fillvalue=none):
            self._require_same(own, given)
            yield own, given

    def aligned_tables(self, items: Table, predictions: Table) -> Iterator[tuple[pa.Table, pa.Table]]:
        """The same some rows at a time, as Arrow tables."""
        none = {each: tables.schema(each).empty_table() for each in (items, predictions)}
        for own, given in zip_longest(self._arrow(items), self._arrow(predictions)):
            own, given = none[items] if own is None else own, none[predictions] if given is None else given
            if not all(own[name].equals(given[name]) for name in _IDS):
                self._require_same(*(each.select(_IDS).to_pydict() for each in (own, given)))
            yield own, given

    def parts(self, table: Table, names: Sequence[str] | None = None) -> Iterator[Columns]:
        """The columns of a table, or these of them, some rows at a time where they can be had so."""
        if not self.in_parts:
            return iter([self.columns(table)])
        return (part.to_pydict() for part in self.in_parts(table, names, tables.ROWS_IN_HAND))

    def _arrow(self, table: Table) -> Iterator[pa.Table]:
        if self.in_parts:
            return self.in_parts(table, None, tables.ROWS_AT_ONCE)
        columns = self.columns(table)
        return iter([tables.to_arrow(table, {name: columns[name] for name in table.columns if name in columns})])

    def _require_same(self, own: Columns, given: Columns) -> None:
        ids, others = (list(zip(each["corpus"], each["item_id"], strict=True)) for each in (own, given))
        if ids != others:
            place = next((i for i, pair in enumerate(zip(ids, others, strict=False)) if pair[0] != pair[1]), None)
            first = max(ids, others, key=len)[min(len(ids), len(others))] if place is None else ids[place]
            raise InputError(
                f"items of '{self.corpus}' and predictions of '{self.model}' part at item '{private(first[1])}'; "
                "predict again"
            )


def require_items(corpus: str, connection: duckdb.DuckDBPyConnection) -> None:
    """Raise InputError where a database has but figures of a corpus, of which everything is confidential."""
    found = connection.execute("SELECT confidential FROM corpora WHERE corpus = ?", [corpus]).fetchone()
    if found and found[0] == "everything":
        raise InputError(
            f"corpus '{corpus}' is confidential: the database has its figures without what they are made of; "
            "with `confidential: speech` in its entry it has segments and turns"
        )


def in_files(corpus: str, model: str, files: Mapping[Table, str | Sequence[str]]) -> Stored:
    """Of the files of jobs by their table; of several the rows of one file after the other."""

    def columns(table: Table) -> Columns:
        import pyarrow as pa

        paths = [files[table]] if isinstance(files[table], str) else files[table]
        read = pa.concat_tables([tables.schema(table).empty_table(), *map(tables.read, paths)])
        return arrow.lists(read, *_REPEATED)

    def in_parts(table: Table, names: Sequence[str] | None, n_rows: int) -> Iterator[pa.Table]:
        for path in [files[table]] if isinstance(files[table], str) else files[table]:
            yield from tables.batches(path, names, n_rows)

    def in_arrow(table: Table, names: Sequence[str]) -> pa.Table:
        import pyarrow as pa

        paths = [files[table]] if isinstance(files[table], str) else files[table]
        repeated = [name for name in names if name in _REPEATED]
        return pa.concat_tables([tables.read(path, names, repeated) for path in paths]).unify_dictionaries()

    return Stored(corpus, model, columns, in_parts, in_arrow)


def in_database(corpus: str, model: str, connection: duckdb.DuckDBPyConnection) -> Stored:
    """Of a database of results; of a pool, its own figures, and else the rows of its corpora in its order."""
    parts = [part for (part,) in connection.execute("SELECT part FROM pools WHERE corpus = ?", [corpus]).fetchall()]

    def in_arrow(table: Table, names: Sequence[str]) -> pa.Table:
        import pyarrow as pa

        of_model = " AND model = $model" if "model" in table.columns else ""
        quoted = ", ".join(f'"{name}"' for name in names)
        found = []
        for part in [corpus] if table is tables.METRICS else parts or [corpus]:
            query = f"SELECT {quoted} FROM {table.name} WHERE corpus = $corpus{of_model} ORDER BY rowid"
            keys = {"corpus": part} | ({"model": model} if of_model else {})
            found.append(connection.sql(query, params=keys).to_arrow_table())
        return arrow.encoded(pa.concat_tables(found), *_REPEATED)

    def columns(table: Table) -> Columns:
        return arrow.lists(in_arrow(table, list(table.columns)), *_REPEATED)

    return Stored(corpus, model, columns, in_arrow=in_arrow)
