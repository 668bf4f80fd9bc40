import io

import librosa
import numpy as np
import pytest
import soundfile

from sinobench.errors import InputError
from sinobench.ld.models.vad_lid import VadLid, as_the_baseline_hears
from sinobench.ld.vad import frame_decisions, speech_clips
from tests.ld.test_vad import plain_loop, sounds
from tests.ld.voices import score, write_recording


@pytest.fixture(scope="module", params=[1, 2, 3])
def recording(request):
    """Samples at 32 kHz, and what the baseline's own way makes of them: a 16-bit file at 16 kHz."""
    # Speech-like at 16 kHz only: at 32 kHz, more than half of the energy is noise out of the band.
    noise = np.random.default_rng(request.param).standard_normal(40_000) * 1000
    hissing = np.sin(np.arange(40_000) / 5) * 1183 + noise
    samples = np.concatenate([sounds(32_000, request.param), hissing.astype(np.int16)])
    floats = librosa.resample(samples / np.float32(32768), orig_sr=32_000, target_sr=16_000)
    with io.BytesIO() as file:
        soundfile.write(file, floats, 16_000, "PCM_16", format="WAV")
        file.seek(0)
        return samples, soundfile.read(file, dtype="int16")[0]


def test_the_baseline_hears_16_khz(recording):
    samples, at_16_khz = recording
    np.testing.assert_array_equal(as_the_baseline_hears(samples), at_16_khz)


def test_all_frames_are_decided_as_by_the_baseline(recording, tmp_path):
    samples, at_16_khz = recording
    expected = np.array(plain_loop(at_16_khz, 16_000))
    assert (frame_decisions(samples, 32_000) != expected).mean() > 0.01, "the rate must matter here"
    assert (frame_decisions(as_the_baseline_hears(samples), 16_000) == expected).all()
    soundfile.write(tmp_path / "a.wav", samples, 32_000, "PCM_16")
    found = VadLid().predict(tmp_path / "a.wav", lambda windows: np.zeros(len(windows)))
    assert [turn[:2] for turn in found] == [tuple(clip) for clip in speech_clips(expected, len(samples) // 32).tolist()]


def test_each_clip_has_one_language(tmp_path):
    turns = [(1000, 2500, "Mandarin"), (4000, 4900, "English"), (6000, 11_000, "Mandarin")]
    path = write_recording(tmp_path / "a.wav", 13_000, turns)
    found = VadLid().predict(path, score)
    assert [language for *_, language in found] == ["Mandarin", "English", "Mandarin"]
    np.testing.assert_allclose([turn[:2] for turn in found], [turn[:2] for turn in turns], atol=100)


def test_a_clip_with_both_languages_takes_the_longer_one(tmp_path):
    turns = [(1000, 4200, "English"), (4200, 10_000, "Mandarin")]
    found = VadLid().predict(write_recording(tmp_path / "a.wav", 11_000, turns), score)
    assert [language for *_, language in found] == ["Mandarin"]


def test_speech_up_to_the_end_of_the_file_is_kept(tmp_path):
    path = write_recording(tmp_path / "a.wav", 5000, [(3000, 5000, "English")])
    assert VadLid().predict(path, score)[-1][1] == 5000


def test_short_speech_is_dropped_and_silence_has_none(tmp_path):
    assert VadLid().predict(write_recording(tmp_path / "a.wav", 5000, [(3000, 3300, "English")]), score) == []
    soundfile.write(tmp_path / "b.wav", np.zeros(32_000, np.int16), 32_000, subtype="PCM_16")
    assert VadLid().predict(tmp_path / "b.wav", score) == []


def test_a_tie_is_english(tmp_path):
    path = write_recording(tmp_path / "a.wav", 5000, [(1000, 3000, "Mandarin")])
    assert VadLid().predict(path, lambda windows: np.zeros(len(windows)))[0][2] == "English"


def test_needs_an_identification_model(tmp_path):
    path = write_recording(tmp_path / "a.wav", 5000, [(1000, 3000, "Mandarin")])
    with pytest.raises(InputError, match="name one as `lid`"):
        VadLid().predict(path, None)
