"""The schemas of every table, declared once: Parquet files of the jobs and tables of the database have these columns.

Values are fractions, times are seconds, memory is MB (10^6 bytes); ``position`` counts code points from 0 and ``line``
lines from 1. A null component of a syllable is written ``∅``; a null means that there is no value.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.errors import InputError
from sinobench.results import seals

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
    "g2p_inputs": {"corpus": "string", "item_id": "string", "text": "string", "position": "int32"},
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
    "csc_inputs": {"corpus": "string", "item_id": "string", "line": "int32", "input": "string"},
    "csc_predictions": {**_KEY, "input": "string", "prediction": "string"},
    "csc_outcomes": {
        **_KEY,
        "input": "string",
        "gold": "string",
        "prediction": "string",
        "n_gold_edits": "int32",
        "n_predicted_edits": "int32",  # those of a misaligned output that have no position too
        "n_detected": "int32",
        "n_corrected": "int32",
        "covered": "bool",
        "in_official": "bool",
        "official_note": "string",
        "problem": "string",  # why the sentence is not covered: no prediction, or one that is not as long as the input
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
    "merlion_recordings": {
        "corpus": "string",
        "recording": "string",
        "pair": "string",  # parent and child
        "form": "string",  # raw, released; in an evaluation set timestamps, or audio without any
        "path": "string",  # in the corpus's audio folder
        "sample_rate_hz": "int32",
        "n_samples": "int64",
        "duration_ms": "int64",
    },
    "merlion_tone": {  # where masked audio holds the tone
        "corpus": "string",
        "recording": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "mentioned": "bool",  # whether a redaction covers it
    },
    "merlion_raw_grains": {
        "corpus": "string",
        "recording": "string",
        "speaker": "string",
        "utterance": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "language": "string",
        "text": "string",
        "row": "int32",
    },
    "merlion_grains": {
        "corpus": "string",
        "recording": "string",
        "speaker": "string",
        "utterance": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "raw_language": "string",
        "language": "string",
        "rule": "string",  # docs/recoding.md; - for a grain that keeps its language
    },
    "merlion_segments": {
        "corpus": "string",
        "recording": "string",
        "utt_id": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "language": "string",  # null in an evaluation set
        "overlap_diff_lang": "bool",
        "status": "string",
        "row": "int32",
    },
    "merlion_redactions": {
        "corpus": "string",
        "recording": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "label": "string",
        "row": "int32",
    },
    "merlion_redaction_labels": {
        "corpus": "string",
        "recording": "string",
        "speaker": "string",
        "utterance": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "label": "string",
        "language": "string",
    },
    "merlion_masked": {
        "corpus": "string",
        "recording": "string",
        "original": "string",  # in the corpus's audio folder
        "path": "string",  # in the shard's folder; null where nothing is redacted, or it already was
        "n_samples": "int64",
        "n_redactions": "int32",
    },
    "merlion_proofs": {
        "corpus": "string",
        "recording": "string",
        "n_samples": "int64",
        "n_redacted_samples": "int64",
        "n_regions": "int32",
    },
    "merlion_regions": {
        "corpus": "string",
        "recording": "string",
        "protocol": "string",
        "start_ms": "int64",
        "end_ms": "int64",
    },
    "merlion_subtractions": {
        "corpus": "string",
        "recording": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "reason": "string",
    },
    "merlion_chunks": {
        "corpus": "string",
        "recording": "string",
        "segment_id": "string",
        "chunk": "int32",  # of the segment, from 0
        "start_sample": "int64",
        "end_sample": "int64",
        "sample_rate_hz": "int32",
        "audio": "binary",  # int16 samples, little-endian
    },
    "merlion_features": {
        "corpus": "string",
        "segment_id": "string",
        "chunk": "int32",
        "n_frames": "int32",
        "features": "list<float>",  # n_frames × 39, row by row
    },
    "merlion_feature_proofs": {  # a row a shard, of a corpus or of a partition's training speech
        "corpus": "string",
        "partition": "string",
        "shard": "int32",
        "n_chunks": "int64",
        "n_compared": "int32",
        "n_frames": "int64",  # of the chunks compared
        "max_difference": "double",  # from librosa's features
    },
    "merlion_training": {
        "corpus": "string",
        "recording": "string",
        "speaker": "string",
        "path": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "language": "string",
    },
    "merlion_partitions": {
        "partition": "string",
        "corpus": "string",
        "recording": "string",
        "speaker": "string",
        "path": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "language": "string",
    },
    "merlion_speech": {  # of each recording: Figures 3 and 4 of the plan
        "corpus": "string",
        "recording": "string",
        "pair": "string",
        "duration_ms": "int64",
        "n_segments": "int32",
        "n_english": "int32",
        "n_mandarin": "int32",
        "english_ms": "int64",
        "mandarin_ms": "int64",
        "non_evaluated_ms": "int64",
        "mandarin_share": "double",  # of English and Mandarin, null without both
        "place": "int32",  # from 1, by that share
    },
    "merlion_statistics": {  # Table 1 of the plan
        "corpus": "string",
        "line": "int32",
        "statistic": "string",
        "unit": "string",
        "value": "double",
        "n": "int64",
    },
    "merlion_lengths": {  # of segments and recordings: Figures 2 and 3 of the plan
        "corpus": "string",
        "unit": "string",
        "language": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "n": "int64",
        "density": "double",  # per ms
    },
    "merlion_folds": {"corpus": "string", "recording": "string", "pair": "string", "fold": "int32"},
    "merlion_training_chunks": {  # row i is frames first_frame : first_frame + n_frames of the shard's features.npy
        "partition": "string",
        "corpus": "string",
        "recording": "string",
        "speaker": "string",
        "utterance": "int32",  # row of the partition
        "chunk": "int32",  # of the utterance, from 0
        "language": "string",
        "duration_ms": "int64",
        "first_frame": "int64",
        "n_frames": "int32",
    },
    "lid_segments": {  # the trials of Task 1, in the order of the labels or timestamps file
        "corpus": "string",
        "segment_id": "string",
        "recording": "string",
        "pair": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "language": "string",  # null in an evaluation set
    },
    "lid_inputs": {"corpus": "string", "segment_id": "string", "start_ms": "int64", "end_ms": "int64"},
    "lid_scores": {  # + and - half the calibrated log-likelihood ratio, natural logarithm
        "corpus": "string",
        "model": "string",
        "segment_id": "string",
        "english_score": "double",
        "mandarin_score": "double",
    },
    "lid_outcomes": {
        "corpus": "string",
        "model": "string",
        "segment_id": "string",
        "recording": "string",
        "pair": "string",
        "duration_ms": "int64",
        "language": "string",
        "predicted": "string",
        "correct": "bool",
        "score": "double",  # English less Mandarin
    },
    "lid_recordings": {
        "corpus": "string",
        "model": "string",
        "recording": "string",
        "pair": "string",
        "n_english": "int32",
        "n_mandarin": "int32",
        "accuracy": "double",
        "english_recall": "double",  # null without English, as Mandarin's without Mandarin
        "mandarin_recall": "double",
        "balanced_accuracy": "double",  # the one recall where a recording has one class
        "in_worst_decile": "bool",
    },
    "lid_det": {  # detection error trade-off, of the convex hull too
        "corpus": "string",
        "model": "string",
        "protocol": "string",
        "threshold": "double",  # a trial is accepted at this score or above; null: nothing is
        "false_alarm": "double",
        "miss": "double",
        "on_hull": "bool",
    },
    "ld_turns": {
        "corpus": "string",
        "recording": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "language": "string",
    },
    "ld_predictions": {
        "corpus": "string",
        "model": "string",
        "recording": "string",
        "start_ms": "int64",
        "end_ms": "int64",
        "language": "string",
    },
    "ld_recordings": {
        "corpus": "string",
        "model": "string",
        "recording": "string",
        "pair": "string",
        "prediction": "string",  # given or empty; a missing file is empty too
        "official_english_error_ms": "int64",
        "official_english_time_ms": "int64",
        "official_mandarin_error_ms": "int64",
        "official_mandarin_time_ms": "int64",
        "scored_ms": "int64",  # this and the following under the plan's protocol
        "reference_ms": "int64",
        "miss_ms": "int64",
        "false_alarm_ms": "int64",
        "confusion_ms": "int64",
        "english_ms": "int64",
        "english_missed_ms": "int64",
        "mandarin_ms": "int64",
        "mandarin_missed_ms": "int64",
        "lder": "double",  # null without reference speech
    },
    "ld_collars": {  # LDER against a collar around every bound of a reference turn
        "corpus": "string",
        "model": "string",
        "collar_ms": "int64",
        "scored_ms": "int64",
        "reference_ms": "int64",
        "miss_ms": "int64",
        "false_alarm_ms": "int64",
        "confusion_ms": "int64",
        "lder": "double",
    },
    "ld_switches": {  # points where the language changes
        "corpus": "string",
        "model": "string",
        "recording": "string",
        "tolerance_ms": "int64",
        "n_reference": "int32",
        "n_predicted": "int32",
        "n_matched": "int32",
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
        "warning": "string",  # what makes the outputs look like a mistake
    },
    "runs": {
        "task": "string",
        "corpus": "string",
        "model": "string",
        "load_s": "double",
        "predict_s": "double",
        "n_texts": "int64",
        "items_per_s": "double",  # an item is one text given to the model, or one segment
        "audio_s": "double",  # null for text
        "times_real_time": "double",  # audio_s over predict_s
        "peak_memory_mb": "double",
        "threads": "int32",
        "host": "string",
        "versions": "string",
        "status": "string",  # done, or failed: then only the key and these three have a value
        "reason": "string",
        "log": "string",
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
        "warning": "string",  # why its figures may mean nothing
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

# Audio, features and transcripts stay in the jobs' files: a database is passed on, a confidential corpus is not. Inputs
# are the items without their gold, all that the job of a model is given.
NOT_IN_DATABASE = (
    "merlion_raw_grains",
    "merlion_features",
    "merlion_training_chunks",
    "g2p_inputs",
    "csc_inputs",
    "lid_inputs",
)


def schema(table: str) -> pyarrow.Schema:
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
    return pa.schema([(name, types[kind]) for name, kind in TABLES[table].items()])


def write(table: str, columns: Mapping[str, object] | Sequence[Mapping[str, object]], path: str | Path) -> None:
    """Write columns, or a list of rows, as one Parquet file with the table's schema; absent columns are null.

    A scalar column is repeated. Raises KeyError for a column that the table does not have.
    """
    import pyarrow.parquet as pq

    if not isinstance(columns, Mapping):
        names = dict.fromkeys(name for row in columns for name in row) or schema(table).names[:1]
        columns = {name: [row.get(name) for row in columns] for name in names}
    pq.write_table(to_arrow(table, columns), path, compression="zstd", write_page_checksum=True)


def to_arrow(table: str, columns: Mapping[str, object]) -> pyarrow.Table:
    """Columns as an Arrow table with the schema of a table; absent ones are null and scalars are repeated."""
    import pyarrow as pa

    wanted = schema(table)
    if unknown := set(columns) - set(wanted.names):
        raise KeyError(f"table {table} has no column {', '.join(sorted(unknown))}")
    length = next((len(values) for values in columns.values() if not _is_scalar(values)), 1)
    arrays = []
    for field in wanted:
        values = columns.get(field.name)
        if _is_scalar(values):
            arrays.append(pa.repeat(pa.scalar(values, field.type), length))
        elif isinstance(values, pa.Array):
            arrays.append(values.cast(field.type))
        else:
            arrays.append(pa.array(values, field.type, from_pandas=True))
    return pa.Table.from_arrays(arrays, schema=wanted)


def read(path: str | Path, columns: Sequence[str] | None = None) -> pyarrow.Table:
    """The Arrow table of one Parquet file, or these columns of it.

    Raises InputError for a file that is damaged, or another than the one that its job sealed.
    """
    import pyarrow.parquet as pq

    seals.check(path)
    with _undamaged(path):
        return pq.read_table(path, columns=columns, partitioning=None, page_checksum_verification=True)


def row_groups(path: str | Path, columns: Sequence[str] | None = None) -> Iterator[pyarrow.Table]:
    """The row groups of one Parquet file, one after the other. Raises InputError for a file that is damaged."""
    import pyarrow.parquet as pq

    with _undamaged(path):
        source = pq.ParquetFile(path, page_checksum_verification=True)
    with source:
        for group in range(source.num_row_groups):
            with _undamaged(path):
                found = source.read_row_group(group, columns)
            yield found


def part(of: str, rows: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """The rows with the columns that the table has, and no others."""
    return [{name: row[name] for name in TABLES[of] if name in row} for row in rows]


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


def _is_scalar(value: object) -> bool:
    return value is None or isinstance(value, (str, int, float, bool))
