"""The schemas of every table, declared once: Parquet files of the jobs and tables of the database have these columns.

Values are fractions, times are seconds, memory is MB (10^6 bytes); ``position`` counts code points from 0 and ``line``
lines from 1. A null component of a syllable is written ``∅``; a null means that there is no value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow

_KEY = {"corpus": "string", "model": "string", "item_id": "string"}

TABLES: dict[str, dict[str, str]] = {
    "g2p_items": {
        "corpus": "string",
        "item_id": "string",
        "unit": "string",  # what is resampled: the sentence, or the poem
        "line": "int32",
        "register": "string",
        "text": "string",
        "position": "int32",
        "character": "string",
        "labels": "list<string>",
        "pos": "string",
        "n_readings": "int32",  # known to ToJyutping's dictionary, 0 where it lacks the character
    },
    "g2p_predictions": {**_KEY, "prediction": "string", "output_length": "int32"},
    "g2p_outcomes": {
        **_KEY,
        "prediction": "string",
        "nearest_label": "string",
        "strict_correct": "bool",
        "strict_errors": "int8",  # of the four components
        "official_correct": "bool",
        "official_errors": "int8",  # null where official drops the item
        "official_dropped": "bool",
        "problem": "string",  # why the output is no usable prediction
    },
    "g2p_confusions": {
        "corpus": "string",
        "model": "string",
        "component": "string",
        "expected": "string",
        "predicted": "string",
        "n": "int64",
    },
    "csc_items": {
        "corpus": "string",
        "item_id": "string",
        "line": "int32",
        "input": "string",
        "golds": "list<string>",  # null: no gold; several: a multi-reference corpus
        "declared_errors": "int32",
    },
    "csc_predictions": {**_KEY, "input": "string", "prediction": "string"},
    "csc_outcomes": {
        **_KEY,
        "input": "string",
        "gold": "string",
        "prediction": "string",
        "n_gold_edits": "int32",
        "n_predicted_edits": "int32",
        "n_detected": "int32",
        "n_corrected": "int32",
        "covered": "bool",
        "in_official": "bool",
        "official_note": "string",
    },
    "csc_edits": {
        **_KEY,
        "position": "int32",
        "source": "string",
        "gold": "string",
        "prediction": "string",
        "outcome": "string",  # corrected, mis-correction, under-correction, over-correction
        "error_type": "string",
        "seed_type": "string",
    },
    "metrics": {
        "task": "string",
        "corpus": "string",
        "model": "string",
        "protocol": "string",
        "subset": "string",
        "metric": "string",
        "value": "double",
        "ci_low": "double",
        "ci_high": "double",
        "n": "int64",
        "coverage": "double",
    },
    "runs": {
        "task": "string",
        "corpus": "string",
        "model": "string",
        "load_s": "double",
        "predict_s": "double",
        "n_texts": "int64",
        "items_per_s": "double",  # an item is one text given to the model
        "peak_memory_mb": "double",
        "threads": "int32",
        "host": "string",
        "versions": "string",
    },
    "set_aside": {
        "task": "string",
        "corpus": "string",
        "file": "string",
        "line": "int32",
        "text": "string",
        "reason": "string",
        "detail": "string",
    },
    "corpora": {
        "task": "string",
        "corpus": "string",
        "title": "string",
        "role": "string",
        "source": "string",
        "revision": "string",
        "sha256": "string",
        "licence": "string",
        "n_items": "int64",
        "n_set_aside": "int64",
    },
    "models": {
        "task": "string",
        "model": "string",
        "title": "string",
        "kind": "string",
        "target": "string",
        "revision": "string",
        "sha256": "string",
        "licence": "string",
    },
    "training_sets": {
        "task": "string",
        "model": "string",
        "corpus": "string",
        "n_pairs": "int64",
        "n_removed_scored": "int64",
        "n_set_aside": "int64",
    },
    "published": {
        "task": "string",
        "corpus": "string",
        "model": "string",
        "protocol": "string",
        "metric": "string",
        "value": "double",
        "n": "int64",
        "source": "string",
        "note": "string",
    },
}


def schema(table: str) -> pyarrow.Schema:
    """The Arrow schema of a table."""
    import pyarrow as pa

    types = {
        "string": pa.string(),
        "list<string>": pa.list_(pa.string()),
        "int8": pa.int8(),
        "int32": pa.int32(),
        "int64": pa.int64(),
        "double": pa.float64(),
        "bool": pa.bool_(),
    }
    return pa.schema([(name, types[kind]) for name, kind in TABLES[table].items()])


def write(table: str, columns: Mapping[str, object] | Sequence[Mapping[str, object]], path: str | Path) -> None:
    """Write columns, or a list of rows, as one Parquet file with the table's schema; absent columns are null.

    A scalar column is repeated. Raises KeyError for a column that the table does not have.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    wanted = schema(table)
    if not isinstance(columns, Mapping):
        rows = columns
        names = {name for row in rows for name in row}
        columns = {name: [row.get(name) for row in rows] for name in names}
        length = len(rows)
    else:
        lengths = [len(v) for v in columns.values() if not _is_scalar(v)]
        length = lengths[0] if lengths else 1
    if unknown := set(columns) - set(wanted.names):
        raise KeyError(f"table {table} has no column {', '.join(sorted(unknown))}")
    arrays = []
    for field in wanted:
        values = columns.get(field.name)
        if _is_scalar(values):
            arrays.append(pa.repeat(pa.scalar(values, field.type), length))
        elif isinstance(values, (pa.Array, pa.ChunkedArray)):
            arrays.append(values.cast(field.type))
        else:
            arrays.append(pa.array(values, field.type, from_pandas=True))
    pq.write_table(pa.Table.from_arrays(arrays, schema=wanted), path, compression="zstd")


def read(path: str | Path) -> pyarrow.Table:
    """The Arrow table of one Parquet file."""
    import pyarrow.parquet as pq

    return pq.read_table(path, partitioning=None)


def _is_scalar(value: object) -> bool:
    return value is None or isinstance(value, (str, int, float, bool))
