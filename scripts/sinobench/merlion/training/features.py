"""Features of a partition's training utterances: chunks of at most 3 s, written by shard and opened memory-mapped.

A shard is a folder with ``features.npy``, float32 (frames, 39), and ``chunks.parquet``, which says what its frames are
(table ``merlion_training_chunks``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sinobench.errors import InputError
from sinobench.merlion.audio.chunk import chunk_bounds
from sinobench.merlion.audio.features import N_FEATURES, mfcc39_flat
from sinobench.merlion.audio.shards import shard_of
from sinobench.merlion.audio.wav import opened, probe, read_opened
from sinobench.merlion.languages import TARGETS
from sinobench.merlion.training.tables import TRAINING_CHUNKS
from sinobench.results import seals, tables

if TYPE_CHECKING:
    import pyarrow

CHUNKS_AT_ONCE = 20  # a minute of audio


@dataclass(frozen=True)
class TrainingChunks:
    """n chunks in the order of the partition's utterances, however they were sharded; features stay on disk.

    A speaker is one of a corpus: equal names in two corpora are two speakers.
    """

    language: np.ndarray  # (n,) int8: 0 English, 1 Mandarin
    speaker: np.ndarray  # (n,) int32, index into speakers
    speakers: list[str]  # corpus/speaker
    utterance: np.ndarray  # (n,) int32, row of the partition
    corpus: list[str]
    recording: list[str]
    duration_ms: np.ndarray  # (n,) int64
    n_frames: np.ndarray  # (n,) int32
    _shard: np.ndarray = field(repr=False)
    _first_frame: np.ndarray = field(repr=False)
    _features: list[np.ndarray] = field(repr=False)
    held_out: TrainingChunks | None = field(default=None, repr=False)  # of other speakers, to watch a training by

    def __len__(self) -> int:
        return len(self.language)

    def features(self, i: int) -> np.ndarray:
        """The features of chunk i: a read-only view, (n_frames[i], 39) float32."""
        first = self._first_frame[i]
        return self._features[self._shard[i]][first : first + self.n_frames[i]]

    def subset(self, indices: Sequence[int] | np.ndarray) -> TrainingChunks:
        """The chunks of these indices, in their order; speakers and utterances keep their numbers."""
        at = np.asarray(indices, np.int64)
        return TrainingChunks(
            self.language[at],
            self.speaker[at],
            self.speakers,
            self.utterance[at],
            [self.corpus[i] for i in at],
            [self.recording[i] for i in at],
            self.duration_ms[at],
            self.n_frames[at],
            self._shard[at],
            self._first_frame[at],
            self._features,
        )


def write_chunks(
    utterances: pyarrow.Table, folders: Mapping[str, str | Path], out: str | Path, shard: int = 0, n_shards: int = 1
) -> None:
    """Write the folder ``out`` of one shard: the features of its speakers' utterances, a minute of audio at a time.

    utterances: table ``merlion_partitions``, whole: its rows number the utterances. folders: the audio folder of each
    corpus. Audio of any rate and sample type; it is mono. Raises InputError, with the file, for audio that can't be
    read and for times outside it.
    """
    out = Path(out)
    out.mkdir(parents=True)
    columns: dict[str, list] = {name: [] for name in TRAINING_CHUNKS.columns}
    n_frames = 0
    with (out / "features.npy").open("wb") as stream:
        _write_header(stream, n_frames)
        for rows in _by_file(utterances, shard, n_shards):
            for row, number, duration_ms, features in _chunks_of_file(folders[rows[0]["corpus"]], rows):
                chunk = {
                    "chunk": number,
                    "duration_ms": duration_ms,
                    "first_frame": n_frames,
                    "n_frames": len(features),
                }
                for name, values in columns.items():
                    values.append(chunk[name] if name in chunk else row[name])
                stream.write(features.tobytes())
                n_frames += len(features)
        stream.seek(0)
        _write_header(stream, n_frames)
    tables.write(TRAINING_CHUNKS, columns, out / "chunks.parquet")


def open_chunks(folders: Sequence[str | Path]) -> TrainingChunks:
    """The chunks of all shards of a partition, in the order of its utterances.

    Raises InputError for a folder that holds no features as `write_chunks` writes them, and for one given twice.
    """
    import pyarrow as pa

    features, shards = [], []
    for folder in map(Path, folders):
        features.append(_open_features(folder / "features.npy"))
        shards.append(tables.read(folder / "chunks.parquet"))
        n_frames = sum(shards[-1]["n_frames"].to_pylist())
        if len(features[-1]) != n_frames:
            raise InputError(f"holds {len(features[-1])} frames, its chunks have {n_frames}; write it again", folder)
    shard = np.repeat(np.arange(len(shards)), [table.num_rows for table in shards])
    table = pa.concat_tables(shards) if shards else tables.schema(TRAINING_CHUNKS).empty_table()
    utterance, chunk = table["utterance"].to_numpy(), table["chunk"].to_numpy()
    order = np.lexsort((chunk, utterance))
    same = (np.diff(utterance[order]) == 0) & (np.diff(chunk[order]) == 0)
    if same.any():
        i = order[int(same.argmax()) + 1]
        raise InputError(f"utterance {utterance[i]} is in two folders; give each shard once", folders[shard[i]])
    table = table.take(order)
    corpus = table["corpus"].to_pylist()
    keys = [f"{name}/{speaker}" for name, speaker in zip(corpus, table["speaker"].to_pylist(), strict=True)]
    speakers = sorted(set(keys))
    number = {speaker: i for i, speaker in enumerate(speakers)}
    return TrainingChunks(
        np.array([TARGETS.index(name) for name in table["language"].to_pylist()], np.int8),
        np.array([number[key] for key in keys], np.int32),
        speakers,
        table["utterance"].to_numpy(),
        corpus,
        table["recording"].to_pylist(),
        table["duration_ms"].to_numpy(),
        table["n_frames"].to_numpy(),
        shard[order],
        table["first_frame"].to_numpy(),
        features,
    )


def read_chunk(folder: str | Path, row: dict, number: int) -> tuple[np.ndarray, int]:
    """The int16 samples of a chunk of an utterance (a row of the partition), and their rate in Hz."""
    with opened(Path(folder, row["path"])) as file:
        start, stop = _offsets(row, file.samplerate)[number : number + 2].tolist()
        return read_opened(file, start, stop), file.samplerate


def _by_file(utterances: pyarrow.Table, shard: int, n_shards: int) -> Iterator[list[dict]]:
    """The shard's utterances, each with its row's number, by audio file and time."""
    speakers = utterances["speaker"].to_pylist()
    mine = np.array([i for i, speaker in enumerate(speakers) if shard_of(speaker, n_shards) == shard], np.int64)
    files: dict[tuple[str, str], list[dict]] = {}
    for number, row in zip(mine.tolist(), utterances.take(mine).to_pylist(), strict=True):
        files.setdefault((row["corpus"], row["path"]), []).append(row | {"utterance": number})
    for found in files.values():
        yield sorted(found, key=lambda row: (row["start_ms"], row["utterance"]))


def _chunks_of_file(folder: str | Path, rows: Sequence[dict]) -> Iterator[tuple[dict, int, int, np.ndarray]]:
    """Of each chunk: its utterance, its number there, its duration in ms, and its features."""
    path = Path(folder, rows[0]["path"])
    with opened(path) as file:
        if file.channels != 1 or file.subtype in ("FLOAT", "DOUBLE"):
            probe(path, None, (file.subtype,))
        rate = file.samplerate
        for row in rows:
            offsets = _offsets(row, rate)
            for number in range(0, len(offsets) - 1, CHUNKS_AT_ONCE):
                some = offsets[number : number + CHUNKS_AT_ONCE + 1]
                samples = read_opened(file, int(some[0]), int(some[-1]))
                features, frames = mfcc39_flat(samples, some - some[0], rate)
                durations_ms = np.diff(some) * 1000 // rate
                for i, duration_ms in enumerate(durations_ms.tolist()):
                    yield row, number + i, duration_ms, features[frames[i] : frames[i + 1]]


def _offsets(row: dict, rate: int) -> np.ndarray:
    """Where an utterance's chunks begin and end: (n + 1,) samples, for without overlap they follow each other."""
    start, stop = (row[name] * rate // 1000 for name in ("start_ms", "end_ms"))
    return np.array([start, *(b for _, b in chunk_bounds(start, stop, rate))])


def _write_header(stream, n_frames: int) -> None:
    """NumPy's own header, which keeps room for a count that grows."""
    shape = {"descr": "<f4", "fortran_order": False, "shape": (n_frames, N_FEATURES)}
    np.lib.format.write_array_header_1_0(stream, shape)


def _open_features(path: Path) -> np.ndarray:
    if path.exists():
        seals.check(path)
    try:
        features = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise InputError(f"can't be read as features ({error}); write it again", path) from None
    if features.dtype != np.dtype("<f4") or features.shape[1:] != (N_FEATURES,):
        raise InputError(
            f"holds {features.dtype} of shape {features.shape}; expected float32 (frames, {N_FEATURES})", path
        )
    return np.asarray(features)
