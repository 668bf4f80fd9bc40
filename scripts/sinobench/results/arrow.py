"""Arrow in a job: without what its tables have no use for, and columns of few distinct texts."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa


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


def codes(column: pa.ChunkedArray) -> tuple[list, np.ndarray]:
    """The distinct values of a column, None for null, and (n,) the place of each row's among them."""
    encoded = column.combine_chunks().dictionary_encode(null_encoding="encode")
    return encoded.dictionary.to_pylist(), encoded.indices.to_numpy()


def lists(table: pa.Table, *repeated: str) -> dict[str, list]:
    """The values of each column; of these columns each distinct text is in memory once."""
    columns = {}
    for name in table.column_names:
        if name in repeated and not table[name].null_count:
            values, place = codes(table[name])
            columns[name] = list(map(values.__getitem__, place.tolist()))
        else:
            columns[name] = table[name].to_pylist()
    return columns


def ordered(table: pa.Table, *names: str) -> pa.Table:
    """The rows by these columns, texts by their code points; equal ones in the order that they have."""
    import numpy as np

    keys = []
    for name in names:
        values, place = codes(table[name])
        rank = np.empty(len(values), np.int64)
        rank[sorted(range(len(values)), key=values.__getitem__)] = np.arange(len(values))
        keys.append(rank[place])
    return table.take(np.lexsort(keys[::-1]))
