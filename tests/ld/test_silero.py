"""Silero VAD by ONNX Runtime alone, against the package's own functions, which need torch."""

import importlib.util
import subprocess
import sys
import tracemalloc

import numpy as np
import pytest
import soundfile
import soxr

from sinobench.errors import InputError
from sinobench.ld.models.silero_lid import SileroLid
from sinobench.ld.models.vad_lid import as_the_baseline_hears
from sinobench.ld.rttm import read_rttm
from sinobench.ld.silero import SileroVad, stretches
from sinobench.ld.vad import frame_decisions, speech_clips
from sinobench.merlion.audio.features import at_16_khz
from tests.conftest import ROOT
from tests.ld.voices import score, write_recording

RATE = 32_000


@pytest.fixture(scope="module")
def vad():
    return SileroVad()


@pytest.fixture(scope="module")
def package():
    """package(samples at 32 kHz): the stretches of silero_vad.get_speech_timestamps, (n, 2) samples at 16 kHz."""
    import torch
    from silero_vad import get_speech_timestamps, load_silero_vad

    threads = torch.get_num_threads()
    model = load_silero_vad(onnx=True)
    torch.set_num_threads(threads)

    def package(samples):
        heard = torch.from_numpy(at_16_khz(samples, RATE) / np.float32(32768))
        found = [(turn["start"], turn["end"]) for turn in get_speech_timestamps(heard, model)]
        return np.array(found, np.int64).reshape(-1, 2)

    return package


@pytest.fixture(scope="module")
def meetings(mirror):
    """(samples at 32 kHz, turns) of each excerpt."""
    folder, found = mirror / "speech/meetings", []
    for rttm in sorted(folder.glob("*.rttm")):
        turns = read_rttm(rttm)
        for name in sorted({turn.recording for turn in turns}):
            samples, rate = soundfile.read(folder / f"{name}.flac", dtype="int16")
            samples = np.rint(soxr.resample(samples.astype(np.float32), rate, RATE)).clip(-32768, 32767)
            found.append((samples.astype(np.int16), [turn for turn in turns if turn.recording == name]))
    return found


def assert_as_the_package(vad, package, samples):
    expected = package(samples)
    length = -(-len(samples) // 2)
    assert stretches(vad.probabilities(samples, RATE), length).tolist() == expected.tolist()
    assert vad.clips(samples, RATE).tolist() == np.minimum(expected // 16, len(samples) // 32).tolist()
    return len(expected)


def test_bundled_speech_is_cut_as_by_the_package(vad, package):
    paths = sorted((ROOT / "resources/samples/merlion").rglob("TTS_*.wav.ogg"))
    assert paths
    for path in paths[:3]:
        assert assert_as_the_package(vad, package, soundfile.read(path, dtype="int16")[0])


@pytest.mark.parametrize("n_samples", [1, 700, 1023, 1024, 1025, 8031, 8033, 9000, (1 << 18) + 1, 600_001])
def test_lengths_at_the_edges_of_frames_and_blocks(vad, package, meetings, n_samples):
    assert_as_the_package(vad, package, meetings[0][0][:n_samples])


def test_real_meetings_are_cut_as_by_the_package_and_far_better_than_by_energy(vad, package, meetings):
    """Frames of 1 ms: right ones, and speech that is missed."""
    counts = np.zeros((2, 4), int)
    for samples, turns in meetings:
        assert_as_the_package(vad, package, samples)
        truth = np.zeros(len(samples) // 32, bool)
        for turn in turns:
            truth[turn.start_ms : turn.end_ms] = True
        by_energy = speech_clips(frame_decisions(as_the_baseline_hears(samples), 16_000), len(truth))
        for row, clips in zip(counts, (vad.clips(samples, RATE), by_energy), strict=True):
            line = np.zeros(len(truth), bool)
            for start, end in clips:
                line[start:end] = True
            row += [(line == truth).sum(), len(truth), (truth & ~line).sum(), truth.sum()]
    (accuracy, missed), (accuracy_by_energy, missed_by_energy) = (counts[:, ::2] / counts[:, 1::2]).tolist()
    print(f"accuracy {accuracy:.3f}, by energy {accuracy_by_energy:.3f}; missed {missed:.3f}, {missed_by_energy:.3f}")
    assert len(meetings) == 14
    assert accuracy > 0.8 and missed < 0.25
    assert accuracy_by_energy < 0.5 and missed_by_energy > 0.9


def test_stretches_follow_both_thresholds_and_the_shortest_lengths():
    quiet, between, loud = 0.1, 0.4, 0.9

    def found(*runs):
        probabilities = np.concatenate([np.full(n, p) for p, n in runs])
        return (stretches(probabilities, 512 * len(probabilities)) / 512).tolist()

    margin = 30 / 32
    assert found((quiet, 10)) == found((between, 20)) == []
    assert found((quiet, 5), (loud, 10), (quiet, 5)) == [[5 - margin, 15 + margin]]
    # Between the thresholds, speech neither starts nor ends.
    assert found((between, 5), (loud, 5), (between, 5), (quiet, 5)) == [[5 - margin, 15 + margin]]
    # A pause is known by its fifth frame, ends the speech where it began, and needs not be quiet throughout.
    two = [[0, 10 + margin], [15 - margin, 25]]
    assert found((loud, 10), (quiet, 4), (loud, 10)) == [[0, 24]]
    assert found((loud, 10), (quiet, 5), (loud, 10)) == two
    assert found((loud, 10), (quiet, 1), (between, 3), (quiet, 1), (loud, 10)) == two
    assert found((loud, 10), (quiet, 4), (between, 1), (loud, 10)) == [[0, 25]]
    assert found((quiet, 5), (loud, 7), (quiet, 9)) == [] != found((quiet, 5), (loud, 8), (quiet, 9))


def test_the_same_turns_at_each_call_and_a_language_a_clip(meetings, tmp_path):
    samples = np.concatenate([meetings[0][0], np.zeros(RATE, np.int16), meetings[1][0]])
    soundfile.write(tmp_path / "a.wav", samples, RATE, "PCM_16")
    model = SileroLid()
    first = model.predict(tmp_path / "a.wav", score)
    assert first == model.predict(tmp_path / "a.wav", score) == SileroLid().predict(tmp_path / "a.wav", score)
    assert [turn[:2] for turn in first] == [tuple(clip) for clip in SileroVad().clips(samples, RATE).tolist()]
    by_turns = model.predict(tmp_path / "a.wav", lambda windows: np.arange(len(windows)) % 2 - 0.5)
    assert [language for *_, language in by_turns[:3]] == ["Mandarin", "English", "Mandarin"]
    tie = model.predict(tmp_path / "a.wav", lambda windows: np.zeros(len(windows)))
    assert {language for *_, language in tie} == {"English"}


def test_silence_and_noise_have_no_turns(tmp_path):
    soundfile.write(tmp_path / "a.wav", np.zeros(5 * RATE, np.int16), RATE, "PCM_16")
    assert SileroLid().predict(tmp_path / "a.wav", score) == []
    assert SileroLid().predict(write_recording(tmp_path / "b.wav", 5000, []), score) == []


def test_a_long_recording_is_heard_a_few_seconds_at_a_time(vad, meetings):
    samples = np.concatenate([samples for samples, _ in meetings] * 3)
    vad.clips(samples[:RATE], RATE)
    tracemalloc.start()
    vad.clips(samples, RATE)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < samples.nbytes / 4, "less than half a float32 a sample at 16 kHz, let alone float64"


def test_nothing_of_the_package_is_imported():
    code = "from sinobench.ld.models.silero_lid import SileroLid; SileroLid(); import sys; print(*sys.modules)"
    imported = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "onnxruntime" in imported and not {"torch", "silero_vad"} & set(imported)


@pytest.mark.parametrize("package", ["onnxruntime", "silero-vad"])
def test_an_absent_package_is_named(monkeypatch, package):
    present = importlib.util.find_spec
    absent = package.replace("-", "_")
    monkeypatch.setattr("sinobench.ld.silero.find_spec", lambda name: None if name == absent else present(name))
    with pytest.raises(InputError) as error:
        SileroLid()
    assert str(error.value) == f"{package}: not installed; pip install --requirement envs/requirements.txt"
