"""What is made from masking to features has the same rows in any number of shards and processes."""

from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise, repeat
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
import soundfile

from sinobench.merlion.audio.chunk_files import write_chunks
from sinobench.merlion.audio.feature_files import write_features
from sinobench.merlion.audio.masking import mask_shard, sample_hash
from sinobench.merlion.audio.shards import shard_of
from sinobench.merlion.audio.tables import CHUNKS
from sinobench.merlion.intervals import spans_by_recording
from sinobench.merlion.tables import RECORDINGS, REDACTIONS, SEGMENTS, Segment
from sinobench.results import tables

EXACT = {"preset": "exact", "max_s": 3, "overlap_s": 0, "min_s": 0}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """A folder with the tables of 20 recordings of 1 to 8 s: utterances of half a second and more, some redacted."""
    folder, random = tmp_path_factory.mktemp("corpus"), np.random.default_rng(1)
    recordings, segments, redactions = [], [], []
    for number in range(20):
        name, duration_ms = f"TTS_P{10040 + number}TT_01", int(random.integers(1000, 8000))
        path = folder / f"{name}.wav"
        soundfile.write(path, random.integers(-9000, 9000, duration_ms * 32).astype(np.int16), 32_000)
        common = {"corpus": "mine", "recording": name}
        recordings.append(common | {"path": path.name, "n_samples": duration_ms * 32, "duration_ms": duration_ms})
        bounds = [*range(0, duration_ms - 500, 700), duration_ms]
        for i, (start, end) in enumerate(pairwise(bounds)):
            language = ("English", "Mandarin", "NON_SPEECH")[i % 3]
            row = {"utt_id": f"a{i}", "start_ms": start, "end_ms": end, "language": language}
            segments.append(common | row | {"overlap_diff_lang": i % 5 == 4})
        if number % 2:
            redactions.append(common | {"start_ms": 100, "end_ms": 333, "label": "BABYNAME"})
    for table, rows in ((RECORDINGS, recordings), (SEGMENTS, segments), (REDACTIONS, redactions)):
        tables.write(table, rows, folder / f"{table.name.removeprefix('merlion_')}.parquet")
    return folder


def run_shard(shard: int, n_shards: int, corpus: Path, out: Path) -> None:
    recordings, redactions = (
        tables.read(corpus / f"{table}.parquet").to_pylist() for table in ("recordings", "redactions")
    )
    segments = tables.objects(Segment, corpus / "segments.parquet")
    mine = [row for row in recordings if shard_of(row["recording"], n_shards) == shard]
    chunks, audio = out / f"chunks-{shard}", out / f"audio-{shard}"
    masked = mask_shard(mine, spans_by_recording(redactions), corpus, audio, already=False, peak=0.1)
    write_chunks(masked, segments, corpus, audio, EXACT, chunks)
    write_features(chunks, out / f"features-{shard}")


def rows_of(corpus: Path, out: Path, n_shards: int, n_processes: int) -> dict[str, list[tuple]]:
    """All rows of chunks and features, in the order of segments and chunks."""
    out.mkdir()
    with ProcessPoolExecutor(n_processes) as pool:
        list(pool.map(run_shard, range(n_shards), repeat(n_shards), repeat(corpus), repeat(out)))
    found = {}
    for table in ("chunks", "features"):
        rows = [row for path in out.glob(f"{table}-*") for row in pq.read_table(path).to_pylist()]
        found[table] = sorted(rows, key=lambda row: (row["segment_id"], row["chunk"]))
    return found


def test_shards_and_processes_do_not_change_a_byte(corpus, tmp_path):
    expected = rows_of(corpus, tmp_path / "one", 1, 1)
    assert len(expected["chunks"]) == len(expected["features"]) > 60
    for n_shards, n_processes in ((1, 8), (4, 1), (4, 8), (16, 1), (16, 8)):
        assert rows_of(corpus, tmp_path / f"{n_shards}-{n_processes}", n_shards, n_processes) == expected


def test_files_of_one_shard_are_the_same_bytes_each_time(corpus, tmp_path):
    for again in ("first", "second"):
        (tmp_path / again).mkdir()
        run_shard(2, 4, corpus, tmp_path / again)
    for name in ("chunks-2", "features-2"):
        assert (tmp_path / "second" / name).stat().st_size > 10_000
    assert (tmp_path / "first/features-2").read_bytes() == (tmp_path / "second/features-2").read_bytes()
    assert (tmp_path / "first/chunks-2").read_bytes() == (tmp_path / "second/chunks-2").read_bytes()


def test_a_long_recording_is_cut_in_row_groups(tmp_path):
    """Overlapping chunks are many times the audio; memory follows the row group."""
    path = tmp_path / "long.wav"
    samples = np.random.default_rng(1).integers(-9000, 9000, 60 * 32_000).astype(np.int16)
    soundfile.write(path, samples, 32_000)
    common = {"corpus": "mine", "recording": "long"}
    segment = Segment("long", "a1", 0, 60_000, "English", overlap_diff_lang=False)
    masked = common | {"original": path.name, "path": None, "n_samples": len(samples)}
    options = EXACT | {"overlap_s": 2.8}
    write_chunks([masked], [segment], tmp_path, "", options, tmp_path / "chunks")
    file = pq.ParquetFile(tmp_path / "chunks")
    sizes = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
    assert sizes == [128, 128, 30] and file.schema_arrow == tables.schema(CHUNKS)
    for chunk in file.read().to_pylist():
        assert chunk["audio"] == samples[chunk["start_sample"] : chunk["end_sample"]].tobytes()


def test_a_recording_has_the_hash_of_the_samples_that_models_hear(corpus, tmp_path):
    recordings, redactions = (
        tables.read(corpus / f"{table}.parquet").to_pylist() for table in ("recordings", "redactions")
    )
    rows = mask_shard(recordings, spans_by_recording(redactions), corpus, tmp_path, already=False, peak=0.1)
    originals = [sample_hash(corpus / row["original"]) for row in rows]
    assert [row["sha256"] == original for row, original in zip(rows, originals, strict=True)] == [
        row["path"] is None for row in rows
    ]
    assert len({row["sha256"] for row in rows}) == len(rows)
    samples, rate = soundfile.read(corpus / rows[0]["original"], dtype="int16")
    soundfile.write(tmp_path / "same.flac", samples, rate)
    assert sample_hash(tmp_path / "same.flac") == originals[0]
    samples[7] += 1
    soundfile.write(tmp_path / "other.wav", samples, rate)
    assert sample_hash(tmp_path / "other.wav") != originals[0]
