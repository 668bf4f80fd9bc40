import numpy as np
import pyarrow.parquet as pq
import pytest
import soundfile

from sinobench.errors import InputError
from sinobench.merlion.audio.feature_files import write_features
from sinobench.merlion.audio.feature_proof import N_DRAWN, TOLERANCE, drawn, prove_file
from sinobench.merlion.audio.shards import ROWS_A_GROUP, Writer, binary, features_of, lists
from sinobench.merlion.audio.tables import CHUNKS, FEATURES
from sinobench.merlion.training.feature_proof import prove_training
from sinobench.merlion.training.features import write_chunks
from sinobench.merlion.training.tables import PARTITIONS
from sinobench.results import tables
from tests.merlion.audio.test_features import LENGTHS, sounds

N_CHUNKS = ROWS_A_GROUP + 20
SHORTEST, LONGEST = 5, N_CHUNKS - 2  # of another row group


@pytest.fixture
def shard(tmp_path):
    """Chunks of a shard and their features, as the workflow writes them."""
    lengths = np.full(N_CHUNKS, 4000)
    lengths[SHORTEST], lengths[LONGEST] = 7, 96_000
    audio = [sounds(int(n), i)["voiced"] for i, n in enumerate(lengths)]
    offsets = np.cumsum([0, *lengths])
    with Writer(tmp_path / "chunks", CHUNKS) as writer:
        for first in range(0, N_CHUNKS, ROWS_A_GROUP):
            last = min(first + ROWS_A_GROUP, N_CHUNKS)
            columns = {"segment_id": [f"s{i}" for i in range(first, last)], "chunk": [0] * (last - first)}
            columns |= {"start_sample": offsets[first:last], "end_sample": offsets[first + 1 : last + 1]}
            samples, at = np.concatenate(audio[first:last]), offsets[first : last + 1] - offsets[first]
            common = {"corpus": "c", "recording": "r", "sample_rate_hz": 32_000}
            writer.write(columns | common | {"audio": binary(samples, at)})
    write_features(tmp_path / "chunks", tmp_path / "features")
    return tmp_path


def verify(folder):
    return prove_file(folder / "chunks", folder / "features", seed=0)


def damage(folder, change):
    """Rewrite the features; change(features of all chunks one behind the other, frame offsets) edits them in place."""
    table = pq.read_table(folder / "features")
    values, offsets = features_of(table)
    values = values.copy()
    change(values, offsets)
    column = lists(values.reshape(-1), offsets * 39)
    with Writer(folder / "features", FEATURES) as writer:
        for i in range(0, len(table), ROWS_A_GROUP):
            part = table.slice(i, ROWS_A_GROUP)
            writer.write(
                {name: part[name].combine_chunks() for name in part.column_names if name != "features"}
                | {"features": column.slice(i, ROWS_A_GROUP)}
            )


def test_features_of_a_shard_are_proven(shard):
    proof = verify(shard)
    assert proof.n_chunks == N_CHUNKS and N_DRAWN <= proof.n_compared <= N_DRAWN + 2
    assert 0 < proof.max_difference < TOLERANCE


@pytest.mark.parametrize("chunk", [SHORTEST, LONGEST])
@pytest.mark.parametrize("error", [2 * TOLERANCE, -1.0, np.nan])
def test_the_shortest_and_the_longest_chunk_are_always_compared(shard, chunk, error):
    def change(values, offsets):
        values[offsets[chunk + 1] - 1, 17] += error

    damage(shard, change)
    with pytest.raises(InputError, match=rf"features: row {chunk + 1}, frame \d+: delta 4 is .*librosa's is"):
        verify(shard)


def test_the_rewriting_of_the_tests_changes_nothing(shard):
    damage(shard, lambda values, offsets: None)
    assert verify(shard).n_chunks == N_CHUNKS


def test_features_of_other_chunks_are_refused(shard):
    table = pq.read_table(shard / "features")
    pq.write_table(table.slice(1), shard / "features")
    with pytest.raises(InputError, match="are not features of the chunks in"):
        verify(shard)


def test_a_shard_without_chunks(tmp_path):
    tables.write(CHUNKS, [], tmp_path / "chunks")
    tables.write(FEATURES, [], tmp_path / "features")
    proof = verify(tmp_path)
    assert (proof.n_chunks, proof.n_compared, proof.max_difference) == (0, 0, 0.0)


def test_the_seed_alone_draws():
    lengths = np.arange(1000) % 77
    assert drawn(lengths, 1).tolist() == drawn(lengths, 1).tolist() != drawn(lengths, 2).tolist()
    assert drawn(np.array([9]), 0).tolist() == [0]


@pytest.fixture(params=[16_000, 22_050])
def training(tmp_path, request):
    """The features of a partition of two utterances, the first of three chunks."""
    rows = []
    for name, n in (("a.wav", 7 * request.param), ("b.wav", LENGTHS[-1] // 10)):
        soundfile.write(tmp_path / name, sounds(n)["voiced"], request.param, "PCM_16")
        row = {"partition": "p", "corpus": "c", "recording": name[0], "speaker": name[0], "path": name}
        rows.append(row | {"start_ms": 100, "end_ms": n * 1000 // request.param, "language": "English"})
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    tables.write(PARTITIONS, columns, tmp_path / "utterances")
    write_chunks(tables.read(tmp_path / "utterances"), {"c": tmp_path}, tmp_path / "features")
    return tmp_path


def verify_training(folder):
    utterances = tables.read(folder / "utterances")
    return prove_training(utterances, {"c": str(folder)}, folder / "features", "p", seed=0)


def test_training_features_are_proven(training):
    proof = verify_training(training)
    assert (proof.n_chunks, proof.n_compared) == (4, 4)
    assert 0 < proof.max_difference < TOLERANCE


def test_wrong_training_features_stop(training):
    features = np.load(training / "features/features.npy", mmap_mode="r+")
    features[301 + 17, 30] += 0.01
    features.flush()
    with pytest.raises(InputError, match=r"utterance 0 of 'p', chunk 1, frame 17: second delta 4 is"):
        verify_training(training)
