"""Tables: Parquet files of the jobs, and tables of the database. Each is declared by its owner, the shared ones here.

Values are fractions, times are seconds, memory is MB (10^6 bytes); ``position`` counts code points from 0 and ``line``
lines from 1. A null means that there is no value.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, get_args, get_type_hints

from sinobench.errors import InputError
from sinobench.results import arrow, seals

if TYPE_CHECKING:
    import pyarrow
    import pyarrow.parquet as pq

T = TypeVar("T")

ROWS_AT_ONCE = 2**17  # of a table, in a file's row group
ROWS_IN_HAND = 2**14  # of a table, as objects


@dataclass(frozen=True, eq=False)
class Table:
    """A table's name and the kind of each column, as ``schema`` knows it. What they hold stands in ``comments.yaml``.

    Audio, features, transcripts and the inputs of models (items without their gold) are not ``in_database``: a database
    is passed on, a confidential corpus is not.
    """

    name: str
    columns: Mapping[str, str]
    in_database: bool = True


METRICS = Table(
    "metrics",
    {
        "task": "string",
        "corpus": "string",
        "model": "string",
        "protocol": "string",
        "subset": "string",
        "metric": "string",
        "value": "double",
        "ci_low": "double",
        "ci_high": "double",
        "interval": "string",
        "n_units": "int64",
        "n_undefined": "int64",
        "resamples": "int64",
        "level": "double",
        "seed": "int64",
        "n_items": "int64",
        "coverage": "double",
        "warning": "string",
    },
)
METRIC_INFO = Table(
    "metric_info",
    dict.fromkeys(
        ("task", "protocol", "metric", "definition", "formula", "unit", "direction", "range", "source"), "string"
    ),
)
RUN_INFO = Table(
    "run_info",
    {
        "version": "string",
        "commit": "string",
        "configs": "list<string>",
        "config": "string",
        "built_at": "string",
        "python": "string",
        "system": "string",
        "n_cores": "int32",
        "memory_mb": "int64",
        "packages": "list<string>",
    },
)
_FIGURE = {name: "string" for name in ("task", "corpus", "protocol", "subset", "metric")}
COMPARISONS = Table(
    "comparisons",
    {
        **_FIGURE,
        "model": "string",
        "other": "string",
        "difference": "double",
        "ci_low": "double",
        "ci_high": "double",
        "interval": "string",
        "p": "double",
        "p_holm": "double",
        "n_units": "int64",
        "n_undefined": "int64",
        "detectable": "double",
        "resamples": "int64",
        "level": "double",
        "seed": "int64",
    },
)
RANKS = Table(
    "ranks",
    {
        **_FIGURE,
        "model": "string",
        "rank": "int64",
        "letters": "string",
        "tied_with": "string",
    },
)
DETECTABLE_DIFFERENCES = Table(
    "detectable_differences",
    {
        **_FIGURE,
        "n_units": "int64",
        "n_pairs": "int64",
        "paired": "double",
        "unpaired": "double",
        "power": "double",
        "level": "double",
    },
)
RUNS = Table(
    "runs",
    {
        "task": "string",
        "corpus": "string",
        "model": "string",
        "load_s": "double",
        "predict_s": "double",
        "n_texts": "int64",
        "items_per_s": "double",
        "audio_s": "double",
        "times_real_time": "double",
        "peak_memory_mb": "double",
        "threads": "int32",
        "host": "string",
        "versions": "string",
        "n_asked": "int64",
        "n_cached": "int64",
        "n_aligned": "int64",
        "n_unchanged": "int64",
        "n_refused": "int64",
        "prompt_tokens": "int64",
        "completion_tokens": "int64",
        "cost": "double",
        "currency": "string",
        "status": "string",
        "reason": "string",
        "log": "string",
    },
)
SPEEDS = Table(
    "speeds",
    {
        "task": "string",
        "corpus": "string",
        "model": "string",
        "repeat": "int32",
        "n_items": "int64",
        "audio_s": "double",
        "predict_s": "double",
        "threads": "int32",
        "host": "string",
        "sha256": "string",
    },
)
IDENTITIES = Table(
    "identities",
    {
        "task": "string",
        "corpus": "string",
        "model": "string",
        "version": "string",
        "sha256": "string",
        "settings": "string",
        "packages": "string",
        "code": "string",
        "files": "string",
        "fitted": "string",
    },
)
FINGERPRINTS = Table(
    "fingerprints",
    {
        "task": "string",
        "corpus": "string",
        "model": "string",
        "items": "string",
        "predictions": "string",
        "model_version": "string",
        "code": "string",
        "version": "string",
    },
)
SET_ASIDE = Table(
    "set_aside",
    {
        "task": "string",
        "corpus": "string",
        "file": "string",
        "line": "int32",
        "text": "string",
        "reason": "string",
        "detail": "string",
    },
)
REASONS = Table("reasons", {"reason": "string", "meaning": "string"})
CORPORA = Table(
    "corpora",
    {
        "task": "string",
        "corpus": "string",
        "title": "string",
        "role": "string",
        "origin": "string",
        "confidential": "string",
        "source": "string",
        "revision": "string",
        "sha256": "string",
        "licence": "string",
        "n_items": "int64",
        "n_set_aside": "int64",
        "warning": "string",
        "sources": "list<string>",
    },
)
MODELS = Table(
    "models",
    {
        "task": "string",
        "model": "string",
        "title": "string",
        "kind": "string",
        "target": "string",
        "source": "string",
        "revision": "string",
        "sha256": "string",
        "licence": "string",
        "trust": "string",
        "trust_reason": "string",
        "trust_source": "string",
        "training_data": "list<string>",
    },
)
CONTAMINATION = Table(
    "contamination",
    {
        "task": "string",
        "corpus": "string",
        "model": "string",
        "kind": "string",
        "source": "string",
        "n_items": "int64",
        "n_left_out": "int64",
        "n_corpus_items": "int64",
        "share": "double",
    },
)
INSPECTIONS = Table(
    "inspections",
    {
        "task": "string",
        "model": "string",
        "file": "string",
        "kind": "string",
        "size_bytes": "int64",
        "sha256": "string",
        "verdict": "string",
        "reason": "string",
        "note": "string",
    },
)
POOLS = Table("pools", {"corpus": "string", "part": "string"})
TRAINING_SETS = Table(
    "training_sets",
    {
        "task": "string",
        "model": "string",
        "corpus": "string",
        "n_pairs": "int64",
        "hours": "double",
        "n_removed_scored": "int64",
        "n_set_aside": "int64",
    },
)
FITS = Table(
    "fits", {"task": "string", "model": "string", "fit_s": "double", "peak_memory_mb": "double", "host": "string"}
)
PUBLISHED = Table(
    "published",
    {
        "task": "string",
        "corpus": "string",
        "model": "string",
        "protocol": "string",
        "metric": "string",
        "value": "double",
        "n_items": "int64",
        "source": "string",
        "note": "string",
        "training_data": "string",
        "trust": "string",
    },
)


def columns_of(held: type) -> dict[str, str]:
    """The columns of a table that holds objects of a data class, by the types of its fields."""
    kinds = {str: "string", int: "int64", float: "double", bool: "bool"}
    # The first of the types is the one beside None.
    return {name: kinds[(get_args(hint) or [hint])[0]] for name, hint in get_type_hints(held).items()}


def schema(table: Table) -> pyarrow.Schema:
    """The Arrow schema of a table."""
    import pyarrow as pa

    types = {
        "string": pa.string(),
        "list<string>": pa.list_(pa.string()),
        "binary": pa.binary(),
        "list<float>": pa.list_(pa.float32()),
        "int8": pa.int8(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "double": pa.float64(),
        "bool": pa.bool_(),
    }
    return pa.schema([(name, types[kind]) for name, kind in table.columns.items()])


def write(table: Table, columns: Mapping[str, object] | Sequence[Mapping[str, object]], path: str | Path) -> None:
    """Write columns, or a list of rows, as one Parquet file with the table's schema; absent columns are null.

    A scalar column is repeated. Raises KeyError for a column that the table does not have.
    """
    n_rows = _length(columns.values()) if isinstance(columns, Mapping) else len(columns)
    with Writer(table, path) as writer:
        for start in range(0, max(1, n_rows), ROWS_AT_ONCE):
            writer.write(_slice(columns, start, start + ROWS_AT_ONCE))


class Writer:
    """One Parquet file of a table, written a part at a time, each as ``write`` takes them; none where one fails.

    Its row groups are of ROWS_AT_ONCE rows, however many a part has.
    """

    def __init__(self, table: Table, path: str | Path) -> None:
        import pyarrow.parquet as pq

        arrow.forgo_pandas()
        self._table, self._path = table, Path(path)
        self._file = pq.ParquetWriter(path, schema(table), compression="zstd", write_page_checksum=True)
        self._held = [schema(table).empty_table()]

    def write(self, columns: Mapping[str, object] | Sequence[Mapping[str, object]]) -> None:
        """Write a part."""
        if not isinstance(columns, Mapping):
            names = dict.fromkeys(name for row in columns for name in row) or schema(self._table).names[:1]
            columns = {name: [row.get(name) for row in columns] for name in names}
        self._held.append(to_arrow(self._table, columns))
        n_rows = sum(map(len, self._held))
        if n_rows >= ROWS_AT_ONCE:
            self._write_held(n_rows - n_rows % ROWS_AT_ONCE)

    def _write_held(self, n_rows: int | None = None) -> None:
        import pyarrow as pa

        held = pa.concat_tables(self._held)
        self._file.write_table(held.slice(0, n_rows).combine_chunks(), ROWS_AT_ONCE)
        self._held = [held.slice(n_rows)] if n_rows and n_rows < len(held) else []

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, kind: type[BaseException] | None, *raised: object) -> None:
        try:
            if self._held and not kind:
                self._write_held()
            self._file.close()
        finally:
            if kind:
                self._path.unlink(missing_ok=True)


class Growing(list):
    """A list of rows, or of objects, that is written as it grows, and holds only those that are not yet written.

    written: takes those of a part. Its length is that of all.
    """

    def __init__(self, written: Callable[[list], None]) -> None:
        super().__init__()
        self._written, self._n_written = written, 0

    def append(self, row: object) -> None:
        """Add a row."""
        super().append(row)
        if super().__len__() == ROWS_IN_HAND:
            self.finish()

    def finish(self) -> None:
        """Write what is not yet written; the first part may be empty."""
        if super().__len__() or not self._n_written:
            self._written(list(self))
        self._n_written += super().__len__()
        self.clear()

    def __len__(self) -> int:
        return self._n_written + super().__len__()

    def __bool__(self) -> bool:
        return len(self) > 0


def to_arrow(table: Table, columns: Mapping[str, object]) -> pyarrow.Table:
    """Columns as an Arrow table with the schema of a table; absent ones are null and scalars are repeated."""
    import pyarrow as pa

    wanted = schema(table)
    if unknown := set(columns) - set(wanted.names):
        raise KeyError(f"table {table.name} has no column {', '.join(sorted(unknown))}")
    length = _length(columns.values())
    arrays = []
    for field in wanted:
        values = columns.get(field.name)
        if _is_scalar(values):
            arrays.append(pa.repeat(pa.scalar(values, field.type), length))
        elif isinstance(values, (pa.Array, pa.ChunkedArray)):
            arrays.append(values.cast(field.type))
        else:
            arrays.append(pa.array(values, field.type, from_pandas=True))
    return pa.Table.from_arrays(arrays, schema=wanted)


def read(
    path: str | Path, columns: Sequence[str] | None = None, repeated: Sequence[str] | None = None
) -> pyarrow.Table:
    """The Arrow table of one Parquet file, or these columns of it; the ``repeated`` ones hold each text once.

    Raises InputError for a file that is damaged, or another than the one that its job sealed.
    """
    import pyarrow.parquet as pq

    seals.check(path)
    # Not by pyarrow's read_table, whose data sets take longer to load than most tables to read.
    with (
        _undamaged(path),
        pq.ParquetFile(path, page_checksum_verification=True, read_dictionary=repeated) as source,
    ):
        return source.read(columns).unify_dictionaries()


def row_groups(path: str | Path, columns: Sequence[str] | None = None) -> Iterator[pyarrow.Table]:
    """The row groups of one Parquet file, one after the other.

    Raises InputError for a file that is damaged, or another than the one that its job sealed.
    """
    import pyarrow.parquet as pq

    seals.check(path)
    with _undamaged(path):
        source = pq.ParquetFile(path, page_checksum_verification=True)
    with source:
        for group in range(source.num_row_groups):
            with _undamaged(path):
                found = source.read_row_group(group, columns)
            yield found


def batches(
    path: str | Path, columns: Sequence[str] | None = None, n_rows: int | None = None
) -> Iterator[pyarrow.Table]:
    """The rows of one Parquet file, or these columns of them, at most n_rows at a time, ROWS_AT_ONCE without it.

    Raises InputError for a file that is damaged, or another than the one that its job sealed.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    n_rows = n_rows or ROWS_AT_ONCE
    seals.check(path)
    with _undamaged(path), pq.ParquetFile(path, page_checksum_verification=True) as source:
        schema = source.schema_arrow
        if columns is not None:
            schema = pa.schema([field for field in schema if field.name in columns])
        yield from arrow.parts(schema, _record_batches(source, columns, n_rows), n_rows)


def rows(path: str | Path, *columns: str) -> Iterator[tuple]:
    """The rows of these columns of one Parquet file, in memory that does not grow with it; raises as ``batches``."""
    for part in batches(path, columns, ROWS_IN_HAND):
        yield from zip(*(part[name].to_pylist() for name in columns), strict=True)


def each_row(paths: Sequence[str | Path], *columns: str) -> Iterator[dict]:
    """The same of several files, one after the other, by column."""
    return (dict(zip(columns, row, strict=True)) for path in paths for row in rows(path, *columns))


def _record_batches(
    source: pq.ParquetFile, columns: Sequence[str] | None, n_rows: int
) -> Iterator[pyarrow.RecordBatch]:
    """A row group at a time, since pyarrow would hold the columns of all; and it may end early where one is damaged."""
    for group in range(source.num_row_groups):
        n_left = source.metadata.row_group(group).num_rows
        for batch in source.iter_batches(n_rows, row_groups=[group], columns=columns):
            yield batch
            n_left -= len(batch)
        if n_left:
            raise OSError(f"{n_left} rows of row group {group} are missing")


def objects(held: type[T], *paths: str | Path, **equal: object) -> list[T]:
    """The rows of Parquet files that have these values, as objects of a data class.

    Columns that are no field are left out, fields that are no column have their default.
    """
    import pyarrow.compute as pc

    found, texts = [], {}
    for path in paths:
        for table in batches(path, n_rows=ROWS_IN_HAND):
            for name, value in equal.items():
                table = table.filter(pc.field(name) == value)
            known = [name for name in get_type_hints(held) if name in table.column_names]
            for row in table.select(known).to_pylist():
                # Names come again and again: each stands in memory once.
                found.append(held(**{n: texts.setdefault(v, v) if type(v) is str else v for n, v in row.items()}))
    return found


def rows_of(table: Table, held: Iterable[object], **others: object) -> list[dict[str, object]]:
    """Data objects as rows of a table: fields and others, so far as they are columns of it."""
    return part(table, [vars(each) | others for each in held])


def part(table: Table, rows: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """The rows with the columns that the table has, and no others."""
    return [{name: row[name] for name in table.columns if name in row} for row in rows]


def read_rows(paths: Sequence[str | Path]) -> list[dict]:
    """The rows of several Parquet files, one file after the other."""
    return [row for path in paths for row in read(path).to_pylist()]


@contextlib.contextmanager
def _undamaged(path: str | Path) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except FileNotFoundError:
        raise
    except (OSError, pa.ArrowException) as error:
        raise InputError(f"is damaged ({error}); delete it and run again", path) from None


def _length(columns: Iterable[object]) -> int:
    """Rows of columns; 1 where all are scalars."""
    return next((len(values) for values in columns if not _is_scalar(values)), 1)


def _slice(columns: Mapping[str, object] | Sequence[Mapping], start: int, end: int) -> Mapping | Sequence[Mapping]:
    if not isinstance(columns, Mapping):
        return columns[start:end]
    return {name: values if _is_scalar(values) else values[start:end] for name, values in columns.items()}


def _is_scalar(value: object) -> bool:
    return value is None or isinstance(value, (str, int, float, bool))
