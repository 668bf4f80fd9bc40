import csv
import json

import numpy as np
import pytest
import soundfile
import soxr

from sinobench.errors import InputError
from sinobench.ld.models.vad_lid import VadLid
from sinobench.ld.models.window_lid import WindowLid
from sinobench.ld.rttm import read_rttm
from sinobench.ld.tuning import simulate
from sinobench.ld.vad import frame_decisions, speech_clips
from sinobench.merlion.audio.redact import mask
from sinobench.merlion.training.tables import Utterance
from tests.ld.voices import errors, score, training_utterances, write_recording


@pytest.fixture(scope="module")
def utterances(tmp_path_factory):
    return training_utterances(tmp_path_factory.mktemp("utterances"))


@pytest.fixture(scope="module")
def model(utterances):
    model = WindowLid()
    model.fit(simulate(utterances, 1, n_recordings=4, duration_s=30), score, 1)
    return model


def test_finds_the_turns_of_recordings_it_was_not_tuned_on(model, utterances, tmp_path):
    ours = baseline = 0
    for number, recording in enumerate(simulate(utterances, 2, n_recordings=3, duration_s=30)):
        path = tmp_path / f"{number}.wav"
        soundfile.write(path, recording.samples, 32_000, subtype="PCM_16")
        duration_ms = len(recording.samples) // 32
        ours += errors(model.predict(path, score), recording.turns, duration_ms) / 3
        baseline += errors(VadLid().predict(path, score), recording.turns, duration_ms) / 3
    assert ours < 0.15
    assert ours < baseline / 2


def test_finds_a_switch_without_a_pause(model, tmp_path):
    turns = [(1000, 3500, "English"), (3500, 6000, "Mandarin"), (7000, 8000, "English")]
    found = model.predict(write_recording(tmp_path / "a.wav", 9000, turns), score)
    assert [language for *_, language in found] == ["English", "Mandarin", "English"]
    np.testing.assert_allclose([turn[:2] for turn in found], [turn[:2] for turn in turns], atol=300)


def test_one_window_that_misleads_makes_no_turn(model, tmp_path):
    path = write_recording(tmp_path / "a.wav", 9000, [(1000, 8000, "English")])

    def misleading(windows):
        ratios = score(windows)
        ratios[len(ratios) // 2] = -1000
        return ratios

    assert [language for *_, language in model.predict(path, misleading)] == ["English"]


def test_the_tone_over_personal_information_is_no_speech(model, tmp_path):
    turns = [(1000, 3000, "English"), (6000, 8000, "Mandarin")]
    path = write_recording(tmp_path / "a.wav", 9000, turns)
    masked = tmp_path / "masked.wav"
    mask(path, masked, [(1500, 2500), (4000, 5000)])
    spoken = [time for start, end, _ in model.predict(masked, score) for time in range(start, end)]
    assert not set(spoken) & (set(range(1510, 2490)) | set(range(3900, 5100)))
    assert {1200, 2800, 7000} <= set(spoken)


@pytest.mark.parametrize("n_samples", [1, 639, 640, 32_000])
def test_silence_has_no_turns(model, tmp_path, n_samples):
    soundfile.write(tmp_path / "a.wav", np.zeros(n_samples, np.int16), 32_000, subtype="PCM_16")
    assert model.predict(tmp_path / "a.wav", score) == []


def test_the_same_training_data_give_the_same_bytes_and_turns(model, utterances, tmp_path):
    again = WindowLid()
    again.fit(simulate(utterances, 1, n_recordings=4, duration_s=30), score, 1)
    model.save(tmp_path / "a.json")
    again.save(tmp_path / "b.json")
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    path = write_recording(tmp_path / "a.wav", 6000, [(1000, 3000, "English"), (4000, 5000, "Mandarin")])
    assert WindowLid.load(tmp_path / "a.json").predict(path, score) == model.predict(path, score)


def test_unfitted_it_does_not_predict(tmp_path):
    with pytest.raises(InputError, match="not fitted"):
        WindowLid().predict(write_recording(tmp_path / "a.wav", 1000, []), score)


@pytest.mark.parametrize(
    "change",
    [
        {"weights": [1.0]},
        {"weights": "123456"},
        {"weights": [[0.0]] * 6},
        {"switch_penalty": -1.0},
        {"speech_penalty": float("nan")},
        {"speech_penalty": 10**400},
        {"window_frames": 0},
        {"window_frames": 1.5},
        {"window_frames": True},
        {"extra": 1},
    ],
)
def test_refuses_parameters_of_another_shape(model, tmp_path, change):
    path = tmp_path / "a.json"
    model.save(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(InputError, match=r"a\.json.*fit"):
        WindowLid.load(path)


@pytest.mark.parametrize("text", ["", "[]", "{}", "\udcff"])
def test_refuses_what_it_did_not_write(tmp_path, text):
    path = tmp_path / "a.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=r"a\.json"):
        WindowLid.load(path)


def test_simulated_recordings(utterances):
    found = simulate(utterances, 3, n_recordings=3, duration_s=30)
    gaps = []
    for recording in found:
        assert recording.samples.dtype == np.int16
        starts, ends, languages = zip(*recording.turns, strict=True)
        assert set(languages) == {"English", "Mandarin"}
        assert all(end > start for start, end in zip(starts, ends, strict=True))
        assert ends[-1] * 32 <= len(recording.samples)
        gaps += [after - before for before, after in zip(ends, starts[1:], strict=False)]
        # What is spoken is louder than what is not, and in its language's band.
        levels = [recording.samples[a * 32 : b * 32].std() for a, b in zip(starts, ends, strict=True)]
        assert np.median(levels) > 2 * recording.samples[-32_000:].std()
        ratios = score([recording.samples[a * 32 : b * 32] for a, b in zip(starts, ends, strict=True)])
        assert ((ratios > 0) == (np.array(languages) == "English")).mean() > 0.9
    assert min(gaps) == 0 < max(gaps)
    again = simulate(utterances, 3, n_recordings=3, duration_s=30)
    assert all((a.samples == b.samples).all() and a.turns == b.turns for a, b in zip(found, again, strict=True))
    assert not np.array_equal(found[0].samples, simulate(utterances, 4, n_recordings=1, duration_s=30)[0].samples)


def test_a_language_without_utterances_is_refused(utterances):
    with pytest.raises(InputError, match="no utterance of Mandarin"):
        simulate([pair for pair in utterances if pair[1].language == "English"], 1)


def test_real_meetings(mirror, tmp_path):
    """Speech against the rest in AMI: the baseline's clips lose nearly all of it, sliding windows little."""
    speech = mirror / "speech"
    with (speech / "manifest.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["split"] == "train"]
    chosen = []
    for row in rows:
        times_ms = 0, int(1000 * float(row["seconds"]))
        utterance = Utterance("", row["path"], row["speaker"], row["path"], *times_ms, row["language"])
        chosen.append((speech / row["path"], utterance))

    def undecided(windows):
        return np.zeros(len(windows))

    model = WindowLid()
    model.fit(simulate(chosen, 1, n_recordings=6, duration_s=30), undecided, 1)
    counts = np.zeros((2, 4), int)
    for rttm in sorted(speech.glob("meetings/*.rttm")):
        turns = read_rttm(rttm)
        for name in sorted({turn.recording for turn in turns}):
            samples, rate = soundfile.read(rttm.parent / f"{name}.flac", dtype="int16")
            samples = np.rint(soxr.resample(samples.astype(np.float32), rate, 32_000)).clip(-32768, 32767)
            path = tmp_path / f"{name}.wav"
            soundfile.write(path, samples.astype(np.int16), 32_000, subtype="PCM_16")
            truth = np.zeros(len(samples) // 32, bool)
            for turn in turns:
                if turn.recording == name:
                    truth[turn.start_ms : turn.end_ms] = True
            clips = speech_clips(frame_decisions(samples.astype(np.int16), 32_000), len(truth)).tolist()
            for row, found in zip(counts, (clips, model.predict(path, undecided)), strict=True):
                line = np.zeros(len(truth), bool)
                for start, end, *_ in found:
                    line[start:end] = True
                row += [(truth & ~line).sum(), truth.sum(), (line & ~truth).sum(), (~truth).sum()]
    (missed, false), (our_missed, our_false) = (counts[:, ::2] / counts[:, 1::2]).tolist()
    assert missed > 0.9 and false < 0.02
    assert our_missed < 0.25
    assert our_missed + our_false < 0.8 < missed
