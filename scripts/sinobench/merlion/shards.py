"""Recordings to shards, and Parquet files of audio written a recording at a time."""

import zlib
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sinobench.results import tables


def shard_of(recording: str, n_shards: int) -> int:
    """The shard of a recording, by a hash of its name: the same on every machine and beside any other recordings."""
    return zlib.crc32(recording.encode()) % n_shards


def lists(values: np.ndarray, offsets: np.ndarray) -> pa.ListArray:
    """n lists that lie one behind the other in one array, without a copy; offsets has n + 1 entries."""
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(values))


ROWS_A_GROUP = 512  # at most 98 MB of chunks of 3 s


class Writer:
    """One Parquet file of a table, written a recording at a time in row groups that bound a reader's memory.

    The column of lists (audio, features) is stored plain: it does not compress, and reading it is a copy.
    """

    def __init__(self, path: str | Path, table: str) -> None:
        self._table = table
        schema = tables.schema(table)
        plain = [field.name for field in schema if pa.types.is_list(field.type)]
        others = [name for name in schema.names if name not in plain]
        compression = {name: "NONE" for name in plain} | {name: "ZSTD" for name in others}
        self._writer = pq.ParquetWriter(path, schema, compression=compression, use_dictionary=others)

    def write(self, columns: Mapping[str, object]) -> None:
        """Write one recording's columns: arrays, lists, or a scalar that every row has."""
        self._writer.write_table(tables.to_arrow(self._table, columns), row_group_size=ROWS_A_GROUP)

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._writer.close()
