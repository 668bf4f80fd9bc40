"""Recordings to shards, and Parquet files of audio and features written and read a row group at a time."""

import zlib
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from sinobench.results import tables

ROWS_A_GROUP = 128  # at most 25 MB of chunks: little enough to be in the same memory each time


def shard_of(recording: str, n_shards: int) -> int:
    """The shard of a recording, by a hash of its name: the same on every machine and beside any other recordings."""
    return zlib.crc32(recording.encode()) % n_shards


def audio_of(row: Mapping[str, object], originals: str | Path, masked: str | Path) -> Path:
    """The audio to hear of a row of ``merlion_masked``: the masked copy, or the original where there is none.

    originals: the corpus's audio folder; masked: the shard's folder of masked audio.
    """
    return Path(masked, row["path"]) if row["path"] else Path(originals, row["original"])


def binary(samples: np.ndarray, offsets: np.ndarray) -> pa.BinaryArray:
    """n chunks of int16 samples that lie one behind the other, without a copy; offsets has n + 1 entries."""
    ends, data = (2 * offsets).astype(np.int32), samples.astype("<i2", copy=False)
    return pa.Array.from_buffers(pa.binary(), len(offsets) - 1, [None, pa.py_buffer(ends), pa.py_buffer(data)])


def samples_of(table: pa.Table) -> tuple[np.ndarray, np.ndarray]:
    """The int16 samples of a row group of chunks without a copy, and (n + 1,) offsets in samples.

    Chunk i is samples[offsets[i] : offsets[i + 1]].
    """
    column = _whole(table["audio"])
    _, ends, data = column.buffers()
    offsets = np.frombuffer(ends, np.int32, len(column) + 1, 4 * column.offset) // 2
    return np.frombuffer(data, "<i2")[offsets[0] : offsets[-1]], offsets - offsets[0]


def lists(values: np.ndarray, offsets: np.ndarray) -> pa.ListArray:
    """n lists that lie one behind the other in one array, without a copy; offsets has n + 1 entries."""
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(values))


def features_of(table: pa.Table) -> tuple[np.ndarray, np.ndarray]:
    """The features of chunks, (total frames, 39) float32, and (n + 1,) frame offsets; of a row group without a copy."""
    column = _whole(table["features"])
    return column.flatten().to_numpy().reshape(-1, 39), (column.offsets.to_numpy() - column.offsets[0].as_py()) // 39


class Writer:
    """One Parquet file of a table, written a row group at a time.

    The column of audio or features is stored plain: it does not compress, and reading it is a copy.
    """

    def __init__(self, path: str | Path, table: tables.Table) -> None:
        self._table = table
        schema = tables.schema(table)
        plain = [field.name for field in schema if pa.types.is_list(field.type) or pa.types.is_binary(field.type)]
        others = [name for name in schema.names if name not in plain]
        self._writer = pq.ParquetWriter(
            path,
            schema,
            compression={name: "NONE" for name in plain} | {name: "ZSTD" for name in others},
            use_dictionary=others,
            write_statistics=others,
            write_page_checksum=True,
        )

    def write(self, columns: Mapping[str, object]) -> None:
        """Write the columns of one row group: arrays, lists, or a scalar that every row has."""
        self._writer.write_table(tables.to_arrow(self._table, columns))

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._writer.close()


def _whole(column: pa.ChunkedArray) -> pa.Array:
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
