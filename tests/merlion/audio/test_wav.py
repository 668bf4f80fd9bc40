import os
import subprocess
import sys

import numpy as np
import pytest
import soundfile

from sinobench.errors import InputError
from sinobench.merlion.audio.wav import blocks, files_by_stem, probe, read, samples_outward

RAMP = np.arange(-5000, 5000, dtype=np.int16)


def write(path, samples=RAMP, rate=32_000, subtype="PCM_16", **options):
    path.parent.mkdir(parents=True, exist_ok=True)
    soundfile.write(path, samples, rate, subtype=subtype, **options)
    return path


def test_a_good_file(tmp_path):
    audio = probe(write(tmp_path / "a.wav"))
    assert (audio.sample_rate_hz, audio.n_samples, audio.subtype, audio.channels) == (32_000, 10_000, "PCM_16", 1)
    assert audio.duration_ms == 312


@pytest.mark.parametrize(
    ("samples", "options", "message"),
    [
        (np.stack([RAMP, RAMP], axis=1), {}, "has 2 channels; expected mono"),
        (RAMP, {"rate": 44_100}, "44100 Hz; expected 32000 Hz"),
        (RAMP, {"subtype": "FLOAT"}, r"32-bit float samples \(FLOAT\); expected PCM_16"),
        (RAMP, {"subtype": "PCM_24"}, r"24-bit samples \(PCM_24\); expected PCM_16"),
        (RAMP[:0], {}, "holds no samples"),
    ],
)
def test_wrong_files_are_named(tmp_path, samples, options, message):
    path = write(tmp_path / "wrong.wav", samples, **options)
    with pytest.raises(InputError, match=f"wrong.wav: .*{message}"):
        probe(path)


@pytest.mark.parametrize("left", [44, 45, 10_044, 20_043])
def test_truncated_wav(tmp_path, left):
    path = write(tmp_path / "cut.wav")
    path.write_bytes(path.read_bytes()[:left])
    with pytest.raises(InputError, match=f"truncated: its header promises 20000 bytes of audio, {left - 44} are"):
        probe(path)


def test_truncated_flac(tmp_path):
    path = write(tmp_path / "cut.flac", np.random.default_rng(0).integers(-9999, 9999, 50_000).astype(np.int16))
    assert probe(path).n_samples == 50_000
    path.write_bytes(path.read_bytes()[:-2_000])
    with pytest.raises(InputError, match="truncated: its header promises 50000 samples"):
        probe(path)


def test_data_after_another_chunk_is_not_truncated(tmp_path):
    path = write(tmp_path / "a.wav")
    data = path.read_bytes()
    other = b"LIST\x03\x00\x00\x00abc\x00"
    path.write_bytes(data[:36] + other + data[36:] + other)
    assert probe(path).n_samples == 10_000
    np.testing.assert_array_equal(read(path, 0, 10_000), RAMP)


@pytest.mark.parametrize("value", [np.nan, np.inf])
@pytest.mark.parametrize("subtype", ["FLOAT", "DOUBLE"])
def test_nan_samples(tmp_path, value, subtype):
    samples = np.zeros(300_000)
    samples[280_000] = value
    path = write(tmp_path / "nan.wav", samples, 16_000, subtype)
    with pytest.raises(InputError, match=r"nan.wav: sample 280000 \(at 17.500 s\) is (nan|inf)"):
        probe(path, 16_000, ("PCM_16", "FLOAT", "DOUBLE"))
    assert not read(path, 0, 280_000).any()
    with pytest.raises(InputError, match=r"nan.wav: sample 280000 \(at 17.500 s\) is (nan|inf)"):
        read(path, 279_990, 280_010)


def test_what_is_no_audio(tmp_path):
    (tmp_path / "empty.wav").touch()
    (tmp_path / "text.wav").write_text("no audio at all, but some text")
    for name, message in [("empty.wav", "0 bytes"), ("text.wav", "as audio"), ("absent.wav", "No such file")]:
        with pytest.raises(InputError, match=f"{name}: .*{message}"):
            probe(tmp_path / name)
    with pytest.raises(InputError, match="is a folder; give a regular file"):
        probe(tmp_path)


def test_reading_by_position(tmp_path):
    path = write(tmp_path / "a.wav")
    np.testing.assert_array_equal(read(path, 17, 4_000), RAMP[17:4_000])
    assert len(read(path, 10_000, 10_000)) == 0
    np.testing.assert_array_equal(np.concatenate(list(blocks(path, 999))), RAMP)
    for start, stop in [(-1, 5), (0, 10_001), (6, 5)]:
        with pytest.raises(InputError, match="the file has 10000"):
            read(path, start, stop)


def test_float_files_are_read_as_int16(tmp_path):
    path = write(tmp_path / "a.wav", np.array([0.5, -1.0, 1.5, -2.0, 1 / 32768]), 16_000, "FLOAT")
    assert read(path, 0, 5).tolist() == [16384, -32768, 32767, -32768, 1]


def test_outward_bounds():
    assert samples_outward(1, 2, 32_000) == (32, 64)
    assert samples_outward(1, 2, 44_100) == (44, 89)
    assert samples_outward(1, 2, 22_050) == (22, 45)
    assert samples_outward(np.int32(2_000_000), np.int32(2_000_001), 32_000) == (64_000_000, 64_000_032)


def test_found_in_any_layout(tmp_path):
    one, two = write(tmp_path / "a/b/One.wav"), write(tmp_path / "Two.x.WAV", format="WAV")
    again = write(tmp_path / "c/One.wav")
    (tmp_path / "a" / "again").symlink_to(tmp_path)
    (tmp_path / "notes.txt").touch()
    assert files_by_stem(tmp_path, (".wav",)) == {"One": [one, again], "Two.x": [two]}


def test_unreadable(tmp_path):
    path = write(tmp_path / "a.wav")
    path.chmod(0)
    # Permissions bind root only without these capabilities.
    prefix = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] if os.geteuid() == 0 else []
    code = f"from sinobench.merlion.audio.wav import probe; probe({str(path)!r})"
    result = subprocess.run([*prefix, sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "InputError" in result.stderr and "Permission denied" in result.stderr
