"""Models of identification fitted on a partition, and run on the segments of a corpus."""

import csv
import json

import numpy as np
import pytest
import soundfile

from sinobench.errors import InputError
from sinobench.lid import fitting, running
from sinobench.lid.scorer import Scorer
from sinobench.lid.tables import SCORES, SEGMENTS
from sinobench.merlion.audio.feature_files import write_features
from sinobench.merlion.audio.shards import Writer, binary
from sinobench.merlion.audio.tables import CHUNKS
from sinobench.merlion.training.features import write_chunks
from sinobench.merlion.training.tables import PARTITIONS
from sinobench.results import tables

GMM = {
    "kind": "python",
    "class": "sinobench.lid.models.gmm:Gmm",
    "options": {"components": 2},
    "track": None,
    "pretrained": [],
    "packages": ["scikit-learn"],
}
PARTITION = {"name": "p", "track": "closed", "pretrained": []}
ORIGINS = {"en": "librispeech", "zh": "aishell"}


def voice(language, seconds, rate, seed):
    """Noise through a resonance that rises (English) or falls (Mandarin), again and again; int16."""
    random = np.random.default_rng(seed)
    t = np.arange(int(seconds * rate)) / rate
    place = (t * random.uniform(3, 5)) % 1
    hertz = 400 + 2000 * (place if language == "English" else 1 - place)
    tone = np.sin(2 * np.pi * np.cumsum(hertz) / rate) * (1 + 0.3 * random.standard_normal(len(t)))
    return np.clip(3000 * tone + 300 * random.standard_normal(len(t)), -32768, 32767).astype(np.int16)


@pytest.fixture(scope="module")
def partition(tmp_path_factory):
    """A folder with audio of 4 speakers a language, the partition's table, and features in two shards."""
    folder = tmp_path_factory.mktemp("training")
    rows = []
    for language, corpus in (("English", "en"), ("Mandarin", "zh")):
        (folder / corpus).mkdir()
        for i in range(16):
            name = f"{i}.wav"
            soundfile.write(folder / corpus / name, voice(language, 4, 16_000, i), 16_000)
            times = {"start_ms": 0, "end_ms": 3_500, "language": language}
            row = {"partition": "p", "corpus": corpus, "recording": f"r{i}", "speaker": f"s{i % 4}", "path": name}
            rows.append(row | times)
    tables.write(PARTITIONS, rows, folder / "p.parquet")
    for shard in (0, 1):
        folders = {"en": str(folder / "en"), "zh": str(folder / "zh")}
        write_chunks(tables.read(folder / "p.parquet"), folders, folder / f"features{shard}", shard, n_shards=2)
    return folder


def fit(partition, out, entry=GMM, partition_entry=PARTITION, origins=ORIGINS, seed=1):
    out.mkdir()
    features = [str(partition / "features0"), str(partition / "features1")]
    audio = {"en": partition / "en", "zh": partition / "zh"}
    files = (partition / "p.parquet", features, audio, out / "fitted", out / "state")
    rows = fitting.fit("gmm", GMM | entry, seed, partition_entry, origins, *files)
    tables.write(tables.TRAINING_SETS, rows, out / "sets.parquet")
    return out / "fitted"


@pytest.fixture(scope="module")
def fitted(partition, tmp_path_factory):
    return fit(partition, tmp_path_factory.mktemp("fitted") / "out")


def test_what_a_model_was_fitted_on_stands_beside_it(fitted, partition):
    names = {str(path.relative_to(fitted)) for path in fitted.rglob("*") if path.is_file()}
    assert names == {
        *("model/model.safetensors", "model/config.json"),
        *("calibration.json", "training.json", "training_list.txt"),
    }
    training = json.loads((fitted / "training.json").read_text())
    held_out = training.pop("held_out_speakers")
    assert len(held_out) == 2 and {name.split("/")[0] for name in held_out} == {"en", "zh"}
    assert training == {
        "partition": "p",
        "track": "closed",
        "hours": pytest.approx(32 * 3.5 / 3600, abs=1e-6),
        "corpora": {"en": pytest.approx(16 * 3.5 / 3600, abs=1e-6), "zh": pytest.approx(16 * 3.5 / 3600, abs=1e-6)},
        "seed": 1,
        "chunks": 64,
        "utterances": 32,
        "speakers": {"English": 4, "Mandarin": 4},
    }
    with (fitted / "training_list.txt").open(newline="") as stream:
        listed = list(csv.DictReader(stream, delimiter="\t"))
    wanted = tables.read(partition / "p.parquet").to_pylist()
    assert listed == [{name: str(row[name]) for name in fitting.LIST_COLUMNS} for row in wanted]
    assert tables.read(fitted.parent / "sets.parquet").to_pylist() == [
        {"task": "lid", "model": "gmm", "corpus": corpus, "n_pairs": 16, "n_removed_scored": 0, "n_set_aside": 0}
        | {"hours": pytest.approx(16 * 3.5 / 3600)}
        for corpus in ("en", "zh")
    ]
    assert not (fitted.parent / "state").exists()


def test_same_seed_same_folder(fitted, partition, tmp_path):
    again = fit(partition, tmp_path / "again")
    for path in fitted.rglob("*.*"):
        assert path.read_bytes() == (again / path.relative_to(fitted)).read_bytes(), path


@pytest.mark.parametrize(
    ("origins", "partition_entry", "entry", "message"),
    [
        (ORIGINS | {"zh": "zh"}, PARTITION, GMM, r"closed track: 0.02 h .* beyond the listed partitions"),
        (ORIGINS, PARTITION, GMM | {"pretrained": [{"name": "xlsr"}]}, "closed track: pretrained models .* xlsr"),
        (ORIGINS, PARTITION | {"pretrained": [{"name": "xlsr"}]}, GMM, "closed track: pretrained models .* xlsr"),
        (ORIGINS, PARTITION, GMM | {"options": {"gain": 2}}, "model 'gmm' failed while being made: TypeError"),
    ],
)
def test_what_may_not_be_fitted(partition, tmp_path, origins, partition_entry, entry, message):
    with pytest.raises(InputError, match=message):
        fit(partition, tmp_path / "out", entry, partition_entry, origins)


def test_the_models_own_track_comes_first(partition, tmp_path):
    found = fit(partition, tmp_path / "out", GMM | {"track": "open"}, origins=ORIGINS | {"zh": "zh"})
    assert json.loads((found / "training.json").read_text())["track"] == "open"


def test_features_of_another_partition(partition, tmp_path):
    tables.write(PARTITIONS, tables.read(partition / "p.parquet").to_pylist()[:-1], tmp_path / "p.parquet")
    for shard in (0, 1):
        (tmp_path / f"features{shard}").symlink_to(partition / f"features{shard}")
    with pytest.raises(InputError, match=r"p.parquet: features of another partition than 'p'"):
        fit(tmp_path, tmp_path / "out")


USERS = """
import json
import numpy as np
from sinobench.merlion.audio.features import mfcc39
from pathlib import Path

class Mine:
    def fit(self, data, seed, state):
        assert state.is_dir() and len(data.speakers) == 8 and set(np.unique(data.language)) == {0, 1}
        Path(state, "checkpoint").write_text("half")
    def save(self, folder):
        Path(folder).mkdir()
    @classmethod
    def load(cls, folder):
        return cls()
    def predict(self, chunks):
        return [float("nan")] * len(chunks)

class Inverted(Mine):
    def predict(self, chunks):
        return [-chunk[5:-5, 14].mean() for chunk in chunks]

class Upright(Mine):
    def predict(self, chunks):
        return [chunk[5:-5, 14].mean() for chunk in chunks]

class AsItIs:
    predict = Upright.predict

class OfAudio:
    takes = "audio"
    def predict(self, chunks):
        assert {len(chunk) for chunk in chunks} == {96_000, 16_000}
        return Upright().predict(mfcc39(chunks))

class Constant(Mine):
    def predict(self, chunks):
        return [0.25] * len(chunks)

class Audio(Mine):
    takes = "audio"
    def predict(self, chunks):
        assert all(chunk.dtype == np.int16 for chunk in chunks)
        return [len(chunk) / 1000 - 40 for chunk in chunks]
"""


def test_a_users_model_that_fails_keeps_its_state(partition, tmp_path, write):
    entry = {"class": f"{write(USERS, 'users.py')}:Mine", "options": {}}
    with pytest.raises(InputError, match="model 'gmm' returned nan for chunk 0"):
        fit(partition, tmp_path / "out", entry)
    assert (tmp_path / "out" / "state" / "checkpoint").read_text() == "half"


def test_a_model_of_audio_can_not_be_fitted(partition, tmp_path, write):
    entry = {"class": f"{write(USERS, 'users.py')}:Audio", "options": {}}
    with pytest.raises(InputError, match="a model that takes audio can't be fitted"):
        fit(partition, tmp_path / "out", entry)


def test_a_model_without_fit_is_calibrated_as_others_are(partition, tmp_path, write):
    """By what held-out speakers say; one that takes audio hears it at 32 kHz."""
    found = {}
    for name in ("Upright", "AsItIs", "OfAudio"):
        entry = {"class": f"{write(USERS, 'users.py')}:{name}", "options": {}}
        folder = fit(partition, tmp_path / name, entry)
        found[name] = (
            json.loads((folder / "calibration.json").read_text()),
            json.loads((folder / "training.json").read_text()),
        )
        llr = Scorer.load(folder, entry).llr(np.array([-5.0, 5.0]))
        assert llr[0] != llr[1] and (folder / "model").exists() == (name == "Upright")
    assert found["AsItIs"] == found["Upright"]
    (calibration, training), (expected, as_others) = found["OfAudio"], found["Upright"]
    assert training == as_others and training["held_out_speakers"]
    assert calibration == pytest.approx(expected, rel=0.02, abs=0.02)


@pytest.mark.parametrize("name", ["Inverted", "Constant"])
def test_users_models_that_say_little_are_calibrated(partition, tmp_path, write, name):
    entry = {"class": f"{write(USERS, 'users.py')}:{name}", "options": {}}
    folder = fit(partition, tmp_path / "out", entry)
    llr = Scorer.load(folder, entry).llr(np.linspace(-50, 50, 5))
    assert np.isfinite(llr).all()
    assert not (tmp_path / "out" / "state").exists()


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Ten segments of unseen speech and their chunks in two shards; the last segment has none."""
    folder = tmp_path_factory.mktemp("corpus")
    random = np.random.default_rng(5)
    segments, shards = [], ([], [])
    for i in range(10):
        language = ("English", "Mandarin")[i % 2]
        start_ms, length_ms = 10_000 * i, int(random.integers(800, 7_000))
        name = f"rec{i // 4}_a{i}_{start_ms}_{start_ms + length_ms}"
        times = {"start_ms": start_ms, "end_ms": start_ms + length_ms, "language": language}
        segments.append({"corpus": "dev", "segment_id": name, "recording": f"rec{i // 4}"} | times)
        samples = voice(language, length_ms / 1000, 32_000, 100 + i)
        cut = [(a, min(a + 96_000, len(samples))) for a in range(0, len(samples), 96_000)]
        shards[i % 2].append((name, [samples[a:b] for a, b in cut]))
    shards[1].pop()
    tables.write(SEGMENTS, segments, folder / "segments.parquet")
    for shard, found in enumerate(shards):
        with Writer(folder / f"chunks{shard}.parquet", CHUNKS) as writer:
            for name, pieces in found:
                offsets = np.cumsum([0, *map(len, pieces)])
                columns = {"segment_id": [name] * len(pieces), "chunk": range(len(pieces))}
                audio = {"sample_rate_hz": 32_000, "audio": binary(np.concatenate(pieces), offsets)}
                writer.write({"corpus": "dev", "recording": name[:4]} | columns | audio)
        write_features(folder / f"chunks{shard}.parquet", folder / f"features{shard}.parquet")
    return folder


def predict(corpus, entry=GMM, fitted=None, shards=(0, 1), first=0, scored=True):
    """Rows of scores and runs for the corpus's segments from the first on."""
    inputs = tables.read(corpus / "segments.parquet").slice(first)
    chunks, features = ([str(corpus / f"{kind}{shard}.parquet") for shard in shards] for kind in ("chunks", "features"))
    columns, runs = running.predict("dev", "m", GMM | entry, fitted, inputs, scored, chunks, features, threads=1)
    return tables.to_arrow(SCORES, columns).to_pylist(), runs


def test_segments_are_scored_in_order_with_opposite_scores(corpus, fitted, capsys):
    scores, runs = predict(corpus, fitted=fitted)
    segments = tables.read(corpus / "segments.parquet").to_pylist()
    assert [row["segment_id"] for row in scores] == [row["segment_id"] for row in segments]
    for score, segment in zip(scores[:-1], segments[:-1], strict=True):
        assert score["english_score"] == -score["mandarin_score"]
        assert (score["english_score"] > 0) == (segment["language"] == "English")
    assert (scores[-1]["english_score"], scores[-1]["mandarin_score"]) == (0, 0)
    assert "1 of 10 segments have no chunk and score 0; the first is row 10 of them" in capsys.readouterr().out
    (run,) = runs
    audio_s = sum(row["end_ms"] - row["start_ms"] for row in segments) / 1000
    assert (run["task"], run["n_texts"], run["audio_s"]) == ("lid", 10, pytest.approx(audio_s))
    assert run["times_real_time"] == pytest.approx(audio_s / run["predict_s"])
    assert run["items_per_s"] == pytest.approx(10 / run["predict_s"]) and run["peak_memory_mb"] > 10
    assert "scikit-learn" in run["versions"]


def test_scores_do_not_depend_on_the_order_of_shards(corpus, fitted):
    assert predict(corpus, fitted=fitted)[0] == predict(corpus, fitted=fitted, shards=(1, 0))[0]


def test_scores_are_those_of_the_scorer(corpus, fitted):
    scores, _ = predict(corpus, fitted=fitted)
    times = tables.read(corpus / "segments.parquet").to_pylist()
    audio = [
        voice(row["language"], (row["end_ms"] - row["start_ms"]) / 1000, 32_000, 100 + i)
        for i, row in enumerate(times[:-1])
    ]
    found = Scorer.load(fitted, GMM)(audio)
    assert [2 * row["english_score"] for row in scores[:-1]] == pytest.approx(found.tolist(), rel=1e-3)


def test_models_that_are_not_fitted(corpus, write):
    majority = {"class": "sinobench.lid.models.majority:Majority", "options": {}, "packages": []}
    scores, _ = predict(corpus, majority)
    assert {row["english_score"] for row in scores[:-1]} == {0.5}
    audio = {"class": f"{write(USERS, 'users.py')}:Audio", "options": {}}
    scores, _ = predict(corpus, audio)
    first = tables.read(corpus / "segments.parquet").to_pylist()[0]
    length = 32 * (first["end_ms"] - first["start_ms"])
    full, rest = divmod(length, 96_000)
    pooled = (full * 96_000 * 56 + rest * (rest / 1000 - 40)) / length
    assert scores[0]["english_score"] == pytest.approx(pooled / 2)


def test_a_file_of_scores(corpus, tmp_path, capsys):
    segments = tables.read(corpus / "segments.parquet").to_pylist()
    lines = [f"{row['segment_id']} {i}.5 -2\n" for i, row in enumerate(segments)]
    path = tmp_path / "theirs.txt"
    entry = {"kind": "predictions", "files": {"dev": str(path)}}
    path.write_text("".join(lines))
    scores, runs = predict(corpus, entry)
    assert [row["english_score"] for row in scores] == [i + 0.5 for i in range(10)] and runs == []
    path.write_text("".join(lines[::-1]))
    assert predict(corpus, entry)[0] == scores
    assert "joined by id" in capsys.readouterr().out
    path.write_text("".join(lines[1:]))
    with pytest.raises(InputError, match=r"theirs.txt.*a0"):
        predict(corpus, entry)


def test_chunks_of_other_segments(corpus, fitted):
    first = tables.read(corpus / "segments.parquet")["segment_id"][0]
    with pytest.raises(InputError, match=rf"features0.parquet: holds segment '{first}'"):
        predict(corpus, fitted=fitted, first=1)
