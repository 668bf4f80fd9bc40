from itertools import pairwise

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.merlion.audio.shards import Writer, binary, features_of, lists, samples_of, shard_of
from sinobench.merlion.audio.tables import CHUNKS, FEATURES
from sinobench.results import tables

LENGTHS = [[3, 1, 40], [0, 7, 0], [5]]


def pieces(flat, offsets):
    return [flat[a:b].tolist() for a, b in pairwise(offsets.tolist())]


@pytest.fixture
def audio(tmp_path):
    """The chunks of three row groups, and their file."""
    random, path = np.random.default_rng(1), tmp_path / "chunks.parquet"
    groups = [[random.integers(-32768, 32768, n).astype(np.int16) for n in lengths] for lengths in LENGTHS]
    with Writer(path, CHUNKS) as writer:
        for group in groups:
            audio = binary(np.concatenate(group), np.cumsum([0, *map(len, group)]))
            writer.write({"chunk": list(range(len(group))), "audio": audio})
    return [[chunk.tolist() for chunk in group] for group in groups], path


def test_samples_come_back_by_row_group(audio):
    groups, path = audio
    file = pq.ParquetFile(path)
    assert file.num_row_groups == len(groups)
    for i, expected in enumerate(groups):
        samples, offsets = samples_of(file.read_row_group(i))
        assert samples.dtype == np.int16 and pieces(samples, offsets) == expected


def test_samples_of_a_part_of_a_table(audio):
    groups, path = audio
    chunks = [chunk for group in groups for chunk in group]
    table = tables.read(path)
    for start in range(len(chunks) + 1):
        for length in range(len(chunks) - start + 1):
            assert pieces(*samples_of(table.slice(start, length))) == chunks[start : start + length]


def test_audio_is_stored_as_little_endian_bytes(audio):
    groups, path = audio
    stored = tables.read(path)["audio"].to_pylist()
    assert stored == [np.array(chunk, "<i2").tobytes() for group in groups for chunk in group]


def test_features_come_back(tmp_path):
    random, path = np.random.default_rng(1), tmp_path / "features.parquet"
    n_frames = [2, 0, 5, 1]
    features = random.standard_normal((sum(n_frames), 39)).astype(np.float32)
    offsets = np.cumsum([0, *n_frames])
    with Writer(path, FEATURES) as writer:
        writer.write({"n_frames": n_frames, "features": lists(features.reshape(-1), offsets * 39)})
        writer.write({"n_frames": n_frames[:3], "features": lists(features.reshape(-1)[: 7 * 39], offsets[:4] * 39)})
    found, found_offsets = features_of(tables.read(path))
    assert found_offsets.tolist() == [0, 2, 2, 7, 8, 10, 10, 15]
    np.testing.assert_array_equal(found, np.concatenate([features, features[:7]]))
    part, part_offsets = features_of(tables.read(path).slice(2, 3))
    assert pieces(part, part_offsets) == [features[2:7].tolist(), features[7:].tolist(), features[:2].tolist()]


@pytest.mark.parametrize(("table", "of"), [(CHUNKS, samples_of), (FEATURES, features_of)])
def test_a_shard_without_recordings(tmp_path, table, of):
    with Writer(tmp_path / "empty.parquet", table):
        pass
    flat, offsets = of(tables.read(tmp_path / "empty.parquet"))
    assert len(flat) == 0 and offsets.tolist() == [0]


@given(st.text(min_size=1), st.integers(1, 20))
def test_shard_of_a_name_is_one_of_the_shards(name, n_shards):
    assert 0 <= shard_of(name, n_shards) < n_shards


def test_every_shard_gets_its_part_of_real_names():
    names = [f"TTS_P{10000 + 7 * i}TT_VCST_ECxxx_01_AO_{35259847 + i}_v001_R004_CRR" for i in range(400)]
    counts = np.bincount([shard_of(name, 4) for name in names], minlength=4)
    assert counts.min() > 70
