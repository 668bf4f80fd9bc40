"""Arrow in a job: without what its tables have no use for, and columns of few distinct texts."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa


_ROWS_AT_ONCE = 2**14


class _Absent:
    """Answers that there is no pandas."""

    def find_spec(self, fullname, path=None, target=None):
        if fullname == "pandas":
            raise ModuleNotFoundError(f"No module named '{fullname}'", name=fullname)
        return None


def forgo_pandas() -> None:
    """Let pyarrow take no value for one of pandas, which it would load to look: a third of a second in each job.

    For a process that gives Arrow no object of pandas; it can load pandas afterwards and make data frames of tables.
    """
    import pyarrow.lib

    if "pandas" in sys.modules:
        return
    finder = _Absent()
    sys.meta_path.insert(0, finder)
    try:
        pyarrow.lib._pandas_api.have_pandas  # noqa: B018  # the property looks once and remembers
    finally:
        sys.meta_path.remove(finder)


def parts(schema: pa.Schema, batches: Iterable[pa.RecordBatch], n_rows: int) -> Iterator[pa.Table]:
    """The rows of batches as tables of n_rows each, the last of what is left; one without rows where there are none."""
    import pyarrow as pa

    waiting, is_first = schema.empty_table(), True
    for batch in batches:
        waiting = pa.concat_tables([waiting, pa.Table.from_batches([batch])])
        while len(waiting) >= n_rows:
            yield waiting.slice(0, n_rows)
            waiting, is_first = waiting.slice(n_rows), False
    if len(waiting) or is_first:
        yield waiting


def codes(column: pa.ChunkedArray) -> tuple[list, np.ndarray]:
    """The distinct values of a column, None for null, and (n,) the place of each row's among them."""
    import pyarrow as pa

    whole = column.combine_chunks()
    if not hasattr(whole, "dictionary"):
        whole = whole.dictionary_encode(null_encoding="encode")
    values = whole.dictionary.to_pylist()
    if not whole.null_count:
        return values, numbers(whole.indices)
    return [*values, None], numbers(whole.indices.fill_null(pa.scalar(len(values), whole.indices.type)))


def numbers(column: pa.Array | pa.ChunkedArray) -> np.ndarray:
    """(n,) the numbers of a column, NaN for null. ``to_numpy`` loads pandas, a fifth of a second."""
    import numpy as np
    import pyarrow as pa

    whole = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    if whole.null_count:
        whole = whole.cast(pa.float64()).fill_null(pa.scalar(np.nan, pa.float64()))
    return np.from_dlpack(whole)


def encoded(table: pa.Table, *repeated: str) -> pa.Table:
    """The table with these of its columns as dictionaries, which hold each distinct text once."""
    for name in repeated:
        if name in table.column_names:
            table = table.set_column(
                table.schema.get_field_index(name), name, table[name].combine_chunks().dictionary_encode()
            )
    return table


def compact(table: pa.Table) -> dict[str, list | np.ndarray | pa.ChunkedArray]:
    """The columns as they take least: of dictionaries a list in which each text is one object, of numbers an array.

    Other columns stay as they are. A number that is null is NaN.
    """
    import pyarrow as pa

    columns = {}
    for name in table.column_names:
        kind = table.schema.field(name).type
        if pa.types.is_dictionary(kind):
            values, place = codes(table[name])
            columns[name] = list(map(values.__getitem__, place.tolist()))
        else:
            is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind)
            columns[name] = numbers(table[name]) if is_number else table[name]
    return columns


def lists(table: pa.Table, *repeated: str) -> dict[str, list]:
    """The values of each column; of these columns each distinct text is in memory once."""
    once = compact(encoded(table.select([name for name in repeated if name in table.column_names]), *repeated))
    return {name: once[name] if name in once else table[name].to_pylist() for name in table.column_names}


def are_distinct(texts: pa.ChunkedArray) -> bool:
    """Whether no text stands twice; by hashes, which take a fraction of the room."""
    import numpy as np
    import pyarrow.compute as pc

    hashes = np.empty(len(texts), np.int64)
    for start in range(0, len(texts), _ROWS_AT_ONCE):
        part = texts.slice(start, _ROWS_AT_ONCE).to_pylist()
        hashes[start : start + len(part)] = list(map(hash, part))
    # Of other texts two may have one hash, once in a million million corpora.
    return len(np.unique(hashes)) == len(texts) or pc.count_distinct(texts).as_py() == len(texts)


def ordered(table: pa.Table, *names: str) -> pa.Table:
    """The rows by these columns, texts by their code points; equal ones in the order that they have."""
    return table.take(order(table, *names))


def ordered_parts(table: pa.Table, *names: str) -> Iterator[pa.Table]:
    """The same, at most ``_ROWS_AT_ONCE`` at a time."""
    places, whole = order(table, *names), table.combine_chunks()
    for start in range(0, max(1, len(places)), _ROWS_AT_ONCE):
        yield whole.take(places[start : start + _ROWS_AT_ONCE])


def order(table: pa.Table, *names: str) -> np.ndarray:
    """(n,) the places of the rows in the order of these columns, numbers or texts without nulls, as ``ordered``."""
    import numpy as np
    import pyarrow as pa

    keys = []
    for name in names:
        if pa.types.is_integer(table.schema.field(name).type):
            keys.append(numbers(table[name]))
            continue
        values, place = codes(table[name])
        rank = np.empty(len(values), np.int32)
        rank[sorted(range(len(values)), key=values.__getitem__)] = np.arange(len(values))
        keys.append(rank[place])
    return np.lexsort(keys[::-1])
