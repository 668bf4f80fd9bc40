import numpy as np
import pytest
import soundfile

from sinobench.errors import InputError
from sinobench.ld.models.vad_lid import VadLid
from tests.ld.voices import score, write_recording


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
