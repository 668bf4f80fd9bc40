import numpy as np
import pytest
import soundfile

from sinobench.errors import InputError
from sinobench.merlion.audio.chunk import chunk_bounds
from sinobench.merlion.audio.features import mfcc39
from sinobench.merlion.training.features import open_chunks, write_chunks
from sinobench.merlion.training.tables import PARTITIONS
from sinobench.results import seals, tables


def noise(n, seed):
    return np.random.default_rng(seed).integers(-9000, 9000, n).astype(np.int16)


@pytest.fixture
def corpora(tmp_path):
    """Audio of two corpora, and their partition as rows."""
    rows = []

    def add(corpus, name, speaker, times, rate=16_000, **options):
        path = tmp_path / corpus / name
        path.parent.mkdir(exist_ok=True)
        samples = noise(max(end for _, end in times) * rate // 1000, len(rows))
        soundfile.write(path, options.pop("as_type", lambda x: x)(samples), rate, **options)
        for start, end in times:
            language = "English" if corpus == "en" else "Mandarin"
            names = {"corpus": corpus, "recording": name[:-4], "speaker": speaker, "path": name}
            rows.append({"partition": "p", **names, "start_ms": start, "end_ms": end, "language": language})

    add("en", "a.wav", "1", [(4_000, 11_000), (0, 1), (500, 3_500)])
    add("en", "b.wav", "2", [(10, 61_000 + 9_500)], 8_000)
    add("zh", "c.flac", "1", [(0, 2_999)], 44_100)
    add("zh", "d.wav", "3", [(0, 4_000)], subtype="FLOAT", as_type=lambda x: x / np.float32(32768))
    add("zh", "e.wav", "4", [(0, 1_500)], 32_000, subtype="PCM_24")
    return rows, {"en": tmp_path / "en", "zh": tmp_path / "zh"}


def table(rows):
    return tables.to_arrow(PARTITIONS, {name: [row[name] for row in rows] for name in rows[0]})


def expected(rows, folders):
    """Each chunk's language, speaker, utterance, length in samples, and features, by reading whole files."""
    for number, row in enumerate(rows):
        path = folders[row["corpus"]] / row["path"]
        rate = soundfile.info(path).samplerate
        samples, _ = soundfile.read(path, dtype="int16" if row["path"] != "d.wav" else "float32")
        samples = samples if samples.dtype == np.int16 else (samples * 32768).astype(np.int16)
        for a, b in chunk_bounds(row["start_ms"] * rate // 1000, row["end_ms"] * rate // 1000, rate):
            key = (row["language"] == "Mandarin", f"{row['corpus']}/{row['speaker']}", number)
            yield *key, (b - a) * 1000 // rate, mfcc39([samples[a:b]], rate)[0]


@pytest.mark.parametrize("n_shards", [1, 3, 9])
def test_chunks_are_the_utterances_features_however_they_are_sharded(corpora, tmp_path, n_shards):
    rows, folders = corpora
    shards = [tmp_path / f"shard{i}" for i in range(n_shards)]
    for i, out in enumerate(shards):
        write_chunks(table(rows), folders, out, i, n_shards)
    data = open_chunks(shards)
    wanted = list(expected(rows, folders))
    assert len(data) == len(wanted) == 3 + 1 + 1 + 24 + 1 + 2 + 1
    for i, (mandarin, speaker, utterance, duration_ms, features) in enumerate(wanted):
        assert (data.language[i], data.speakers[data.speaker[i]], data.utterance[i]) == (mandarin, speaker, utterance)
        assert (data.duration_ms[i], data.n_frames[i]) == (duration_ms, len(features))
        assert data.features(i).dtype == np.float32
        np.testing.assert_array_equal(data.features(i), features)
    assert data.recording == [rows[u]["recording"] for u in data.utterance]
    assert data.corpus == [rows[u]["corpus"] for u in data.utterance]


def test_subset(corpora, tmp_path):
    rows, folders = corpora
    write_chunks(table(rows), folders, tmp_path / "out")
    data = open_chunks([tmp_path / "out"])
    some = data.subset(np.flatnonzero(data.language)[::-1])
    assert len(some) == 4 and set(some.corpus) == {"zh"} and some.speakers == data.speakers
    np.testing.assert_array_equal(some.features(0), data.features(len(data) - 1))
    assert some.subset([1]).utterance[0] == some.utterance[1]


def test_no_utterance_is_no_chunk(corpora, tmp_path):
    rows, folders = corpora
    write_chunks(table(rows)[:0], folders, tmp_path / "out")
    assert len(open_chunks([tmp_path / "out"])) == 0
    assert len(open_chunks([])) == 0


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"end_ms": 11_001}, "a.wav: samples 64000 to 176016 were asked for; the file has 176000"),
        ({"path": "absent.wav"}, "absent.wav: can't be read (No such file or directory)"),
    ],
)
def test_utterances_that_can_not_be_read(corpora, tmp_path, change, message):
    rows, folders = corpora
    with pytest.raises(InputError) as error:
        write_chunks(table([rows[0] | change]), folders, tmp_path / "out")
    assert message in str(error.value)


def test_audio_that_is_none(corpora, tmp_path):
    rows, folders = corpora
    stereo = rows[0] | {"path": "stereo.wav"}
    soundfile.write(folders["en"] / "stereo.wav", np.zeros((20 * 16_000, 2), np.int16), 16_000)
    nan = rows[0] | {"path": "nan.wav"}
    soundfile.write(folders["en"] / "nan.wav", np.full(20 * 16_000, np.nan, np.float32), 16_000, subtype="FLOAT")
    with pytest.raises(InputError, match=r"stereo.wav: has 2 channels; expected mono"):
        write_chunks(table([stereo]), folders, tmp_path / "1")
    with pytest.raises(InputError, match=r"nan.wav: sample 0 .* is nan"):
        write_chunks(table([nan]), folders, tmp_path / "2")


def test_features_that_were_damaged_later(corpora, tmp_path):
    rows, folders = corpora
    write_chunks(table(rows), folders, tmp_path / "out")
    seals.seal(tmp_path / "out")
    file = tmp_path / "out" / "features.npy"
    whole = file.read_bytes()
    for damaged in (whole[:-1] + bytes([whole[-1] ^ 1]), whole[: len(whole) // 2]):
        file.write_bytes(damaged)
        with pytest.raises(InputError, match=r"features.npy: is not what its job wrote.*delete the folder"):
            open_chunks([tmp_path / "out"])
    file.write_bytes(whole)
    assert len(open_chunks([tmp_path / "out"])) > 0


def test_folders_that_are_no_features(corpora, tmp_path):
    rows, folders = corpora
    write_chunks(table(rows), folders, tmp_path / "out")
    with pytest.raises(InputError, match="out: utterance 0 is in two folders; give each shard once"):
        open_chunks([tmp_path / "out"] * 2)
    file = tmp_path / "out" / "features.npy"
    np.save(file, np.zeros((5, 39), np.float32))
    with pytest.raises(InputError, match="out: holds 5 frames, its chunks have"):
        open_chunks([tmp_path / "out"])
    np.save(file, np.zeros((5, 40), np.float32))
    with pytest.raises(InputError, match=r"expected float32 \(frames, 39\)"):
        open_chunks([tmp_path / "out"])
    file.write_bytes(b"no array")
    with pytest.raises(InputError, match=r"features.npy: can't be read as features"):
        open_chunks([tmp_path / "out"])
