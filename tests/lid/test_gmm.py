import csv
import json

import numpy as np
import pytest
import soundfile
from safetensors.numpy import load_file, save_file
from threadpoolctl import threadpool_limits

from sinobench.errors import InputError
from sinobench.lid.models.clusters import clusters
from sinobench.lid.models.gmm import Gmm
from sinobench.lid.models.majority import Majority
from sinobench.lid.models.mixture import fit_mixture
from sinobench.merlion.training.features import open_chunks, write_chunks
from sinobench.merlion.training.tables import PARTITIONS, TRAINING_CHUNKS
from sinobench.results import tables


def speech(language, n_frames, seed):
    """Features (n_frames, 39) in which the signs of neighbouring differences tell the language, the level nothing."""
    random = np.random.default_rng(seed)
    features = random.standard_normal((n_frames, 39)) * 3 + random.standard_normal(39) * 30
    signs = np.ones(7) if language == 0 else np.array([1, -1, 1, -1, 1, -1, 1])
    features[:, 13:20] = random.standard_normal((n_frames, 7)) + 4 * signs * random.choice([-1, 1], (n_frames, 1))
    return features.astype(np.float32)


def opened(folder, chunks):
    """Training chunks of (language, speaker, features)."""
    folder.mkdir(parents=True)
    np.save(folder / "features.npy", np.concatenate([np.zeros((0, 39), np.float32), *(f for _, _, f in chunks)]))
    lengths = [len(features) for _, _, features in chunks]
    rows = {"partition": "p", "corpus": "c", "recording": "r", "chunk": 0, "utterance": range(len(chunks))}
    rows |= {"language": [("English", "Mandarin")[language] for language, _, _ in chunks], "n_frames": lengths}
    rows |= {"speaker": [speaker for _, speaker, _ in chunks], "first_frame": np.cumsum([0, *lengths])[:-1]}
    tables.write(TRAINING_CHUNKS, rows | {"duration_ms": [10 * n for n in lengths]}, folder / "chunks.parquet")
    return open_chunks([folder])


@pytest.fixture
def data(tmp_path):
    """Four speakers of each language, 8 chunks each."""
    pairs = [(language, f"{language}{speaker}") for language in (0, 1) for speaker in range(4)] * 8
    return opened(tmp_path / "data", [(*pair, speech(pair[0], 120, i)) for i, pair in enumerate(pairs)])


def fitted(data, seed=0, **options):
    model = Gmm(**{"components": 2} | options)
    model.fit(data, seed, None)
    return model


def saved(model, folder):
    model.save(folder)
    return (folder / "model.safetensors").read_bytes() + (folder / "config.json").read_bytes()


def recalls(model, unseen):
    scores = model.predict([features for _, features in unseen])
    return [
        np.mean(
            [(score > 0) == (language == 0) for score, (own, _) in zip(scores, unseen, strict=True) if own == language]
        )
        for language in (0, 1)
    ]


UNSEEN = [(i % 2, speech(i % 2, 100, 1_000 + i)) for i in range(40)]


def test_unseen_speakers_are_told_apart(data):
    assert min(recalls(fitted(data), UNSEEN)) > 0.95


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("iterations", [1, 7, 200])
def test_mixtures_are_those_of_scikit_learn(iterations):
    """On frames of several blocks, stopped before the end and at it."""
    from sklearn.mixture import GaussianMixture

    random = np.random.default_rng(1)
    frames = random.standard_normal((2300, 5)) @ random.standard_normal((5, 5)) + random.integers(-2, 3, (2300, 1))
    mixture, likelihoods = fit_mixture(frames, 3, 4, iterations, 1e-2)
    expected = GaussianMixture(3, random_state=4, max_iter=iterations, reg_covar=1e-2).fit(frames)
    assert len(likelihoods) == expected.n_iter_ < 200
    np.testing.assert_allclose(likelihoods, expected.lower_bounds_, rtol=1e-9)
    np.testing.assert_allclose(mixture.weights, expected.weights_, rtol=1e-6)
    np.testing.assert_allclose(mixture.means, expected.means_, rtol=1e-6)
    np.testing.assert_allclose(mixture.precision_factors, expected.precisions_cholesky_, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("n", "k"), [(2300, 8), (40, 3), (5, 5), (7, 1)])
def test_mixtures_begin_with_the_clusters_of_scikit_learn(n, k, seed):
    from sklearn.cluster import KMeans

    random = np.random.default_rng(seed)
    frames = random.standard_normal((n, 5)) + random.integers(-2, 3, (n, 1))
    expected = KMeans(k, n_init=1, random_state=seed).fit(frames).labels_
    np.testing.assert_array_equal(clusters(frames, k, seed), expected)


def test_equal_frames_are_one_cluster():
    assert len(set(clusters(np.ones((9, 4)), 3, 0))) == 1


def test_a_dominating_speaker_counts_twice_the_median_at_most(data, tmp_path):
    """A Mandarin speaker with most of the speech, all of it labelled wrong."""
    chunks = [(int(data.language[i]), data.speakers[data.speaker[i]], data.features(i)) for i in range(len(data))]
    chunks += [(1, "talker", speech(0, 120, 5_000 + i)) for i in range(300)]
    assert min(recalls(fitted(opened(tmp_path / "more", chunks), components=4), UNSEEN)) > 0.95


def test_a_languages_amount_of_speech_does_not_move_the_border(data, tmp_path):
    kept = [i for i in range(len(data)) if data.language[i] == 0 or i % 16 == 4]
    scores = fitted(data.subset(kept), components=4).predict([features for _, features in UNSEEN])
    assert (scores[::2] > 0).all() and (scores[1::2] < 0).all()


def test_same_seed_same_bytes_on_any_threads(data, tmp_path):
    found = []
    for i, (seed, threads) in enumerate([(1, 1), (1, 2), (2, 1)]):
        with threadpool_limits(threads):
            model = fitted(data, seed)
            found.append((saved(model, tmp_path / str(i)), model.predict([UNSEEN[0][1]]).tobytes()))
    assert found[0] == found[1]
    assert found[0][0] != found[2][0]


def test_at_most_so_many_frames_are_learnt_from(data, caplog):
    with caplog.at_level("INFO"):
        fitted(data, most_frames=500)
    assert [record.message.split(" frames")[0] for record in caplog.records] == ["500", "500"]


def test_saved_and_loaded_in_any_company(data, tmp_path):
    model = fitted(data)
    assert saved(model, tmp_path / "a") == saved(Gmm.load(tmp_path / "a"), tmp_path / "b")
    chunks = [features for _, features in UNSEEN] + [features[:n] for n in (1, 2, 9) for _, features in UNSEEN[:2]]
    chunks.append(np.zeros((50, 39), np.float32))
    found = Gmm.load(tmp_path / "a").predict(chunks)
    assert np.isfinite(found).all()
    assert found.tolist() == [model.predict([chunk])[0] for chunk in chunks]
    assert model.predict([]).shape == (0,)


@pytest.mark.parametrize("language", [0, 1, None])
def test_a_language_without_speech(data, language):
    with pytest.raises(InputError, match=r"0 frames of (English|Mandarin) to fit 2 components on"):
        fitted(data.subset(np.flatnonzero(data.language == language)))


def test_files_that_are_no_model(data, tmp_path):
    fitted(data).save(tmp_path)
    path, config = tmp_path / "model.safetensors", tmp_path / "config.json"
    tensors = load_file(path)

    def refused(message, **changed):
        save_file(tensors | changed, path)
        with pytest.raises(InputError, match=message):
            Gmm.load(tmp_path)

    refused(r"tensor 'means' is F64 \(2, 3, 62\); expected F64 \(2, 2, 62\)", means=np.zeros((2, 3, 62)))
    refused(r"tensor 'scale' is F32 \(62,\); expected F64 \(62,\)", scale=np.ones(62, np.float32))
    refused(r"tensor 'scale' has values that no mixture has", scale=np.zeros(62))
    refused(r"tensor 'means' has values that no mixture has", means=np.full((2, 2, 62), np.nan))
    refused(r"has the tensors .*'extra'.*; expected", extra=np.zeros(1))
    path.write_bytes(b"\xff" * 100)
    with pytest.raises(InputError, match="holds no fitted gmm"):
        Gmm.load(tmp_path)
    save_file(tensors, path)
    for text in ("", "[1]", json.dumps({"gain": 2}), json.dumps({"components": "2", "most_frames": 9})):
        config.write_text(text)
        with pytest.raises(InputError, match=r"holds no fitted gmm|expected F64"):
            Gmm.load(tmp_path)
    config.unlink()
    with pytest.raises(InputError, match="holds no fitted gmm"):
        Gmm.load(tmp_path)


def test_real_speech_of_unseen_speakers(mirror, tmp_path):
    """Clips of at most 3 s; speakers weigh alike."""
    folder = mirror / "speech"
    rows = {"train": [], "test": []}
    for row in csv.DictReader((folder / "manifest.csv").read_text(encoding="utf-8").splitlines()):
        names = {"corpus": "speech", "recording": row["path"], **{n: row[n] for n in ("path", "speaker", "language")}}
        end_ms = soundfile.info(folder / row["path"]).frames * 1000 // 16_000
        rows[row["split"]].append({"partition": row["split"], **names, "start_ms": 0, "end_ms": end_ms})
    parts = {}
    for name, own in rows.items():
        columns = {column: [row[column] for row in own] for column in own[0]}
        write_chunks(tables.to_arrow(PARTITIONS, columns), {"speech": folder}, tmp_path / name)
        parts[name] = open_chunks([tmp_path / name])
    test = parts["test"]
    scores = fitted(parts["train"], components=Gmm().components).predict([test.features(i) for i in range(len(test))])
    right = (scores > 0) == (test.language == 0)
    for language in (0, 1):
        speakers = np.unique(test.speaker[test.language == language])
        of_speakers = [right[(test.speaker == s) & (test.language == language)].mean() for s in speakers]
        print(("English", "Mandarin")[language], np.mean(of_speakers), right[test.language == language].mean())
        parts[language] = np.mean(of_speakers)
    assert (parts[0] + parts[1]) / 2 >= 0.8


def test_majority_is_always_english():
    assert (Majority().predict([features for _, features in UNSEEN]) > 0).all()
    assert Majority().predict([]).shape == (0,)
