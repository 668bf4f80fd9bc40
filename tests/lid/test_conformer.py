import dataclasses
import hashlib
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import soundfile
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file

from sinobench.errors import InputError
from sinobench.lid.models.conformer import Conformer, Options, diary, training
from sinobench.lid.models.conformer.batches import Drawn, Epochs, chances, moments, stack
from sinobench.lid.models.conformer.network import Network, by_key
from sinobench.lid.models.conformer.training import learning_rate, training_step
from sinobench.merlion.training.features import open_chunks, write_chunks
from sinobench.merlion.training.tables import PARTITIONS
from sinobench.results import tables

TINY = {"d_model": 16, "layers": 2, "heads": 2, "feed_forward": 16, "kernel": 5, "learning_rate": 3e-3}
TINY |= {"warmup_steps": 2, "batch": 8}
EPOCHS = TINY | {"epochs": 3}
DRAWN = TINY | {"drawn_batches": 12}


def write_data(folder, seed=0):
    """Training chunks of 4 speakers a language: humming below 1 kHz is English, hissing above is Mandarin."""
    random = np.random.default_rng(seed)
    rows = []
    for language in ("English", "Mandarin"):
        for speaker in range(4):
            for utterance in range(8 if speaker == 0 else 2):
                name = f"{language}{speaker}{utterance}.wav"
                noise = np.cumsum(random.normal(size=int(random.integers(3000, 20_000))))
                noise = np.convolve(noise, np.ones(20) / 20, "same") if language == "English" else np.diff(noise, 2)
                folder.mkdir(parents=True, exist_ok=True)
                soundfile.write(folder / name, (noise / np.abs(noise).max() / 2).astype(np.float32), 16_000)
                rows.append({"recording": name[:-4], "speaker": f"{language}{speaker}", "path": name})
                rows[-1] |= {"start_ms": 0, "end_ms": len(noise) * 1000 // 16_000, "language": language}
                rows[-1] |= {"partition": "p", "corpus": "c"}
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    write_chunks(tables.to_arrow(PARTITIONS, columns), {"c": folder}, folder / "features")
    return open_chunks([folder / "features"])


@pytest.fixture(scope="module")
def audio(tmp_path_factory):
    return tmp_path_factory.mktemp("audio")


@pytest.fixture(scope="module")
def data(audio):
    return write_data(audio)


@pytest.fixture(scope="module")
def fitted(data, tmp_path_factory):
    model = Conformer(**DRAWN | {"drawn_batches": 40})
    model.fit(data, 0, tmp_path_factory.mktemp("state"))
    return model


def lively(frame_step=1):
    """A network whose scores differ much from chunk to chunk, so that a leak would be seen."""
    torch.manual_seed(0)
    network = Network(16, 2, 2, 16, 5, 0.1, frame_step)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(2).add_(torch.randn_like(parameter) / 4)
    return network.eval()


def chunks_of(lengths):
    random = np.random.default_rng(0)
    return [random.normal(0, 3, (n, 39)).astype(np.float32) for n in lengths]


def saved_digest(model, folder):
    model.save(folder)
    return hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()


def n_parameters(module):
    return sum(parameter.numel() for parameter in module.parameters())


def test_the_baseline_has_the_layers_of_the_official_one():
    """Counted by the official model.py, conformer.py and conformer_conv.py; all but its unused subsampling."""
    with torch.device("meta"):
        network = Conformer().make()
    linear, norm = 512 * 512 + 512, 2 * 512
    feed_forward = 512 * 2048 + 2048 + 2048 * 512 + 512
    query_key_value, position, biases, out, second_projection = 3 * linear, 512 * 512, 2 * 8 * 64, linear, linear
    pointwise, depthwise, batch_norm = 512 * 1024 + 1024, 512 * 31, 2 * 512
    expected = {
        "feed_before": norm + feed_forward,
        "attention": norm + query_key_value + position + biases + out + second_projection,
        "convolution": norm + pointwise + depthwise + batch_norm + linear,
        "feed_after": norm + feed_forward,
        "norm": norm,
    }
    for layer in network.layers:
        assert {name: n_parameters(part) for name, part in layer.named_children()} == expected
    assert len(network.layers) == 4
    assert n_parameters(network.project) == 39 * 64 + 64 + 2 * 64
    assert n_parameters(network.classify) == 1024 * 512 + 512 + linear + 512 * 2 + 2
    unused_subsampling = 2 * (39 * 39 * 3 + 39)
    assert n_parameters(network) == 27_134_594 == 27_143_798 - unused_subsampling
    assert network(torch.zeros(3, 301, 39, device="meta"), torch.zeros(3, device="meta")).shape == (3, 2)


def test_the_defaults_are_the_baselines():
    defaults = dataclasses.asdict(Options())
    assert (defaults["epochs"], defaults["batch"], defaults["learning_rate"]) == (5, 32, 1e-4)
    assert (defaults["warmup_steps"], defaults["dropout"], defaults["drawn_batches"]) == (5000, 0.1, 0)
    assert defaults["frame_step"] == 1


def test_learning_rate_rises_in_a_line_and_falls_as_a_cosine():
    rates = [learning_rate(step, 25_000, 1e-4, 5000) for step in (0, 2500, 5000, 15_000, 20_000, 24_999)]
    np.testing.assert_allclose(rates[:4], [0, 5e-5, 1e-4, 5e-5], rtol=1e-9)
    assert rates[4] == pytest.approx(1e-4 * (1 - 0.5**0.5) / 2) and 0 < rates[5] < 1e-10
    assert learning_rate(10, 20, 1e-4, 5000) == pytest.approx(2e-7)


@given(st.integers(1, 9), st.integers(0, 9))
@settings(max_examples=30, deadline=None)
def test_distances_by_key(n, seed):
    x = torch.from_numpy(np.random.default_rng(seed).normal(size=(2, n, 2 * n - 1)))
    # Place p stands for the distance n - 1 - p of a query from its key.
    wanted = [[[x[b, q, n - 1 - (q - k)] for k in range(n)] for q in range(n)] for b in range(2)]
    np.testing.assert_array_equal(by_key(x), np.array(wanted))


@given(st.lists(st.integers(1, 90), min_size=1, max_size=6), st.integers(0, 60), st.integers(1, 4))
@settings(max_examples=25, deadline=None)
def test_padding_and_batch_mates_do_not_change_a_score(lengths, more, frame_step):
    network, chunks = lively(frame_step), chunks_of(lengths)
    with torch.inference_mode():
        alone = torch.cat([network(*stack([chunk])) for chunk in chunks])
        features, n_frames = stack(chunks)
        # What stands in the padding must not matter either.
        padded = torch.cat([features, torch.zeros(len(chunks), more, 39)], dim=1)
        for row, n in zip(padded, lengths, strict=True):
            row[n:] = 100.0
        together = network(padded, n_frames)
    # Sums of other lengths round otherwise; frames of the padding that counted would show in the second digit.
    np.testing.assert_allclose(together, alone, rtol=1e-5, atol=1e-5)


def test_frames_and_their_order_change_a_score():
    network, (chunk,) = lively(), chunks_of([60])
    with torch.inference_mode():
        scores = [network(*stack([c])) for c in (chunk, chunk[::-1], np.roll(chunk, 7, axis=0), chunk[:-1])]
    for other in scores[1:]:
        assert (scores[0] - other).abs().max() > 1e-3


def test_predict_keeps_the_order_and_takes_any_lengths():
    model = Conformer(**TINY)
    model.network = lively()
    chunks = chunks_of([301, 1, 40, 700, 3, *range(1, 90)])
    scores = model.predict(chunks)
    assert scores.dtype == np.float64 and scores.shape == (94,) and np.ptp(scores) > 0.1
    np.testing.assert_allclose(scores, [model.predict([chunk])[0] for chunk in chunks], atol=1e-5)
    assert model.predict([]).shape == (0,)


def test_english_scores_above_mandarin(data, fitted, tmp_path):
    unseen = write_data(tmp_path / "unseen", seed=1)
    scores = fitted.predict([unseen.features(i) for i in range(len(unseen))])
    assert scores[unseen.language == 0].min() > scores[unseen.language == 1].max()


def test_a_score_is_the_log_ratio_of_the_languages(data, fitted):
    inputs = (tensor.to(fitted.network.mean.device) for tensor in stack([data.features(0)]))
    with torch.inference_mode():
        p = fitted.network(*inputs).double().softmax(dim=1)[0]
    assert fitted.predict([data.features(0)])[0] == pytest.approx(float(torch.log(p[0] / p[1])), rel=1e-5)


@pytest.fixture
def threads():
    """threads(n): that torch runs on n until the test's end."""
    before = torch.get_num_threads()
    yield torch.set_num_threads
    torch.set_num_threads(before)


@pytest.mark.parametrize("options", [EPOCHS, DRAWN])
def test_the_same_seed_gives_the_same_bytes(data, tmp_path, options):
    found = []
    for i, seed in enumerate([5, 5, 6]):
        model = Conformer(**options)
        torch.manual_seed(i)  # what ran before must not matter
        model.fit(data, seed, tmp_path / f"state{i}")
        found.append(saved_digest(model, tmp_path / f"model{i}"))
    assert found[0] == found[1] != found[2]


def test_drawn_batches_give_the_same_bytes_with_any_threads(data, tmp_path, threads):
    found = []
    for n in (1, 2):
        threads(n)
        model = Conformer(**DRAWN)
        model.fit(data, 0, tmp_path / f"state{n}")
        assert torch.get_num_threads() == n
        found.append(saved_digest(model, tmp_path / f"model{n}"))
    assert found[0] == found[1]


TRAINING = """
import logging, sys
from tests.lid.test_conformer import held_apart
from sinobench.lid.models.conformer import Conformer, diary
from sinobench.merlion.training.features import open_chunks

diary.EVERY_S = 0
logging.basicConfig(level=logging.INFO, format="%(message)s")
model = Conformer(**{options})
model.fit(held_apart(open_chunks([sys.argv[1]])), 0, sys.argv[2])
"""


def held_apart(data):
    """All but the last speaker of each language, and the chunks of these."""
    is_last = np.isin(data.speaker, [3, 7])
    return dataclasses.replace(data.subset(np.flatnonzero(~is_last)), held_out=data.subset(np.flatnonzero(is_last)))


@pytest.mark.parametrize(
    ("options", "kill"),
    [(EPOCHS | {"epochs": 20}, signal.SIGTERM), (DRAWN | {"drawn_batches": 100}, signal.SIGKILL)],
    ids=["as at a time limit", "outright"],
)
def test_a_killed_training_ends_as_one_that_was_not(audio, data, tmp_path, caplog, monkeypatch, threads, options, kill):
    """On the CPU, which alone promises equal bytes."""
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    state = tmp_path / "state" / "state.safetensors"
    command = [sys.executable, "-c", TRAINING.format(options=options), audio / "features", state.parent]
    root = Path(__file__).parents[2]
    path = os.pathsep.join(filter(None, [str(root), str(root / "scripts"), os.environ.get("PYTHONPATH")]))
    environment = {"OMP_NUM_THREADS": "1", "CI": "1", "CUDA_VISIBLE_DEVICES": "", "PYTHONPATH": path}
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(command, env=os.environ | environment, stderr=log)
    deadline = time.monotonic() + 60
    while not state.exists() and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(kill)
    assert process.wait() == -kill, (tmp_path / "log").read_text(encoding="utf-8")
    data = held_apart(data)
    models = [Conformer(**options) for _ in range(2)]
    threads(1)
    with caplog.at_level("INFO"):
        models[0].fit(data, 0, state.parent)
    models[1].fit(data.subset(range(len(data))), 0, tmp_path / "other")  # that nobody watches
    assert saved_digest(models[0], tmp_path / "a") == saved_digest(models[1], tmp_path / "b")
    *former, goes_on, last = caplog.messages
    done = int(goes_on.partition("goes on after step ")[2].partition(",")[0])
    assert former == (tmp_path / "log").read_text(encoding="utf-8").splitlines()[:done]
    assert f"step {done} of " in former[-1] and f"step {options.get('drawn_batches') or 60} of " in last


def test_the_log_has_a_line_a_minute(data, tmp_path, caplog, monkeypatch):
    now_s = 0.0

    def step_of_25_s(*arguments):
        nonlocal now_s
        now_s += 25
        return training_step(*arguments)

    monkeypatch.setattr(training, "training_step", step_of_25_s)
    monkeypatch.setattr(diary, "time", SimpleNamespace(monotonic=lambda: now_s))
    before = datetime.now()
    with caplog.at_level("INFO"):
        Conformer(**DRAWN | {"drawn_batches": 11}).fit(held_apart(data), 0, tmp_path)
    figures = r"loss \d\.\d{4}, held out \d\.\d{4}, balanced accuracy [01]\.\d\d"
    line = rf"(.{{19}}) step (\d+) of 11: {figures}(?:, ends about (.*))?"
    found = [re.fullmatch(line, message).groups() for message in caplog.messages]
    assert [step for _, step, _ in found] == ["3", "6", "9", "11"]
    assert timedelta(seconds=-1) <= datetime.fromisoformat(found[0][0]) - before <= timedelta(seconds=60)
    for (_, step, end), seconds_left in zip(found[:3], (200, 125, 50), strict=True):
        assert timedelta() <= datetime.fromisoformat(end) - before + timedelta(seconds=60 - seconds_left), step
    assert found[-1][2] is None


def test_a_state_of_another_run_is_not_used(data, tmp_path, caplog):
    for options, chunks, seed in [
        (DRAWN, data, 0),
        (DRAWN | {"batch": 9}, data, 0),
        (DRAWN | {"batch": 9}, data, 1),
        (DRAWN | {"batch": 9}, data.subset(range(len(data) - 1)), 1),
        (DRAWN | {"batch": 9, "d_model": 20}, data, 1),
    ]:
        fresh, again = Conformer(**options), Conformer(**options)
        fresh.fit(chunks, seed, tmp_path / str(time.monotonic_ns()))
        caplog.clear()
        again.fit(chunks, seed, tmp_path / "state")
        assert "goes on" not in caplog.text
        assert saved_digest(fresh, tmp_path / "a") == saved_digest(again, tmp_path / "b")
    assert "starts anew" in caplog.text and "state.safetensors" in caplog.text


def test_a_broken_state_is_not_used(data, tmp_path, caplog):
    model = Conformer(**DRAWN)
    model.fit(data, 0, tmp_path)
    whole = saved_digest(model, tmp_path / "a")
    state = tmp_path / "state.safetensors"
    state.write_bytes(state.read_bytes()[:1000])
    model.fit(data, 0, tmp_path)
    assert "starts anew" in caplog.text and saved_digest(model, tmp_path / "b") == whole


def test_a_finished_state_is_the_model(data, tmp_path, caplog):
    model, again = Conformer(**DRAWN), Conformer(**DRAWN)
    model.fit(data, 0, tmp_path)
    with caplog.at_level("INFO"):
        again.fit(data, 0, tmp_path)
    assert "goes on after step 12" in caplog.messages[-1]
    assert saved_digest(model, tmp_path / "a") == saved_digest(again, tmp_path / "b")


def test_an_epoch_has_every_chunk_once(data):
    batches = Epochs(data, 5, 0, 3)
    assert batches.n == 3 * -(-len(data) // 5)
    seen = [[] for _ in range(3)]
    for step in range(batches.n):
        features, languages = batches[step]
        assert len(features) == len(languages)
        seen[step // (batches.n // 3)] += [piece.tobytes() for piece in features]
    wanted = sorted(data.features(i).tobytes() for i in range(len(data)))
    assert all(sorted(epoch) == wanted for epoch in seen)
    assert seen[0] != seen[1] != seen[2]
    # Read from a step on, as a resumed training does.
    assert [piece.tobytes() for piece in Epochs(data, 5, 0, 3)[batches.n - 1][0]] == seen[2][-len(features) :]


def test_drawn_batches_have_both_languages_and_no_ruling_speaker(data):
    batches = Drawn(data.subset([*np.flatnonzero(data.language == 0), len(data) - 1]), 100, 0, 20, *moments(data))
    languages = np.concatenate([batches[step][1] for step in range(20)])
    assert 0.46 < languages.mean() < 0.54
    lengths = {len(piece) for step in range(20) for piece in batches[step][0]}
    assert max(lengths) <= 150
    frames = np.bincount(data.speaker, data.n_frames)
    drawn = np.bincount(data.speaker, chances(data))
    np.testing.assert_allclose(drawn[0] / drawn[1], np.sqrt(frames[0] / frames[1]))
    np.testing.assert_allclose(chances(data)[data.language == 1].sum(), 0.5)


def test_moments_are_of_the_frames_as_they_are_drawn(data):
    features = np.concatenate([data.features(i) for i in range(len(data))]).astype(np.float64)
    weights = np.repeat(chances(data) / data.n_frames, data.n_frames)
    mean = weights @ features
    deviation = np.sqrt(weights @ np.square(features - mean))
    np.testing.assert_allclose(moments(data), [mean, deviation], rtol=1e-5)


def test_a_saved_model_predicts_the_same(data, fitted, tmp_path):
    fitted.save(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["config.json", "model.safetensors"]
    loaded = Conformer.load(tmp_path)
    assert loaded.options == fitted.options
    chunks = [data.features(i) for i in range(len(data))]
    np.testing.assert_array_equal(loaded.predict(chunks), fitted.predict(chunks))


@pytest.fixture
def saved(fitted, tmp_path):
    fitted.save(tmp_path / "model")
    return tmp_path / "model"


def wide(tensors):
    tensors["layers.1.attention.out.weight"] = torch.zeros(16, 17)


def renamed(tensors):
    tensors["layers.1.attention.outer.weight"] = tensors.pop("layers.1.attention.out.weight")


def halved(tensors):
    tensors["mean"] = tensors["mean"].half()


def extended(tensors):
    tensors["zeta"] = torch.zeros(1)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (wide, "'layers.1.attention.out.weight' is F32 of shape (16, 17); expected F32 of shape (16, 16)"),
        (renamed, "lacks the tensor 'layers.1.attention.out.weight'"),
        (halved, "'mean' is F16 of shape (39,); expected F32 of shape (39,)"),
        (extended, "has a tensor 'zeta', which the model does not"),
    ],
)
def test_other_tensors_are_refused(saved, change, message):
    path = saved / "model.safetensors"
    tensors = load_file(path)
    change(tensors)
    save_file(tensors, path)
    with pytest.raises(InputError) as error:
        Conformer.load(saved)
    assert str(path) in str(error.value) and message in str(error.value)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"d_model": 32}, "tensor 'classify.0.bias' is F32 of shape (16,); expected F32 of shape (32,)"),
        ({"layers": 3}, "lacks the tensor 'layers.2."),
        ({"layers": 1}, "has a tensor 'layers.1."),
        # Refused without memory for them.
        ({"d_model": 8192, "feed_forward": 65_536, "layers": 64}, "expected F32 of shape (8192,)"),
        ({"layers": 10**9}, "layers is 1000000000; expected a whole number from 1 to 64"),
        ({"layer": 3}, "no option 'layer'; did you mean 'layers'?"),
    ],
)
def test_tensors_of_other_options_are_refused(saved, options, message):
    config = json.loads((saved / "config.json").read_text())
    (saved / "config.json").write_text(json.dumps(config | options))
    with pytest.raises(InputError) as error:
        Conformer.load(saved)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("config.json", b"{"),
        ("config.json", b"[1]"),
        ("config.json", b"\xff"),
        ("config.json", None),
        ("model.safetensors", b""),
        ("model.safetensors", pickle.dumps({"mean": 1})),
        ("model.safetensors", b"\xff" * 7 + b"\x7f" + b"{}"),
        ("model.safetensors", None),
    ],
)
def test_broken_files_are_refused(saved, name, content):
    (saved / name).unlink()
    if content is not None:
        (saved / name).write_bytes(content)
    with pytest.raises(InputError, match=f"{name}: .*fit the model again"):
        Conformer.load(saved)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"d_model": 10, "heads": 4}, "d_model is 10; expected a multiple of 2 * heads, 8"),
        ({"kernel": 4}, "kernel is 4; expected an odd number"),
        ({"dropout": 1.0}, "dropout is 1.0; expected a number from 0 to 0.9"),
        ({"epochs": 2.5}, "epochs is 2.5; expected a whole number"),
        ({"batch": True}, "batch is True"),
        ({"learning_rate": "fast"}, "learning_rate is 'fast'"),
        ({"head": 4}, "no option 'head'; did you mean 'heads'?"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(InputError) as error:
        Conformer(**options)
    assert message in str(error.value)


@pytest.mark.parametrize("code", [0, 1, 2])
def test_training_data_without_both_languages(data, tmp_path, code):
    some = data.subset(np.flatnonzero(data.language == code))  # of code 2 there is none
    with pytest.raises(InputError, match=rf"none of {len(some)} training chunks is .*; name corpora of both"):
        Conformer(**DRAWN).fit(some, 0, tmp_path)


def test_a_training_whose_loss_is_no_number(tmp_path):
    write_data(tmp_path / "audio")
    features = np.load(tmp_path / "audio" / "features" / "features.npy", mmap_mode="r+")
    features[:] = np.nan
    features.flush()
    with pytest.raises(InputError, match=r"the loss is nan before step .*; lower learning_rate"):
        Conformer(**EPOCHS).fit(open_chunks([tmp_path / "audio" / "features"]), 0, tmp_path / "state")
