import os
import tracemalloc

import numpy as np
import pytest
import soundfile
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sinobench.errors import InputError
from sinobench.merlion.audio.redact import MIN_TONE_MS, detect_tone, mask, verify

RATE = 32_000
FULL = 32_767


@pytest.fixture
def original(tmp_path):
    """Two seconds of noise."""
    return write(tmp_path / "original.wav", noise(2))


def noise(duration_s, seed=0, rate=RATE):
    return np.random.default_rng(seed).integers(-8000, 8000, round(duration_s * rate)).astype(np.int16)


def write(path, samples, rate=RATE):
    soundfile.write(path, samples, rate, subtype="PCM_16")
    return path


def samples_of(path):
    return soundfile.read(path, dtype="int16")[0]


def sine(n, amplitude, phase=0.0, hertz=440, rate=RATE):
    return np.rint(amplitude * np.sin(2 * np.pi * hertz * np.arange(n) / rate + phase)).astype(np.int16)


def test_tone_in_place_of_the_redaction(original, tmp_path):
    before = samples_of(original)
    mask(original, tmp_path / "masked.wav", [(100, 250), (1990, 2000)])
    after = samples_of(tmp_path / "masked.wav")
    np.testing.assert_array_equal(after[3200:8000], sine(4800, 0.1 * FULL))
    np.testing.assert_array_equal(after[63_680:], sine(320, 0.1 * FULL))
    for part in (slice(0, 3200), slice(8000, 63_680)):
        np.testing.assert_array_equal(after[part], before[part])
    proof = verify(original, tmp_path / "masked.wav", [(100, 250), (1990, 2000)])
    assert (proof.n_samples, proof.n_redacted_samples, proof.n_regions) == (64_000, 5120, 2)


@pytest.fixture(scope="module")
def long_original(tmp_path_factory):
    """Nine seconds of noise: more than is read at a time."""
    return write(tmp_path_factory.mktemp("long") / "original.wav", noise(9))


near_the_end_of_a_block = st.tuples(st.integers(7500, 8999), st.integers(1, 700))


@given(redactions=st.lists(near_the_end_of_a_block, max_size=6), peak=st.sampled_from([0.01, 0.1, 1.0]))
@settings(max_examples=60, deadline=None)
def test_no_sample_changes_outside_and_none_stays_inside(long_original, redactions, peak):
    target = long_original.with_name("masked.wav")
    redactions = [(start, min(start + length, 9000)) for start, length in redactions]
    mask(long_original, target, redactions, peak)
    proof = verify(long_original, target, redactions, peak)
    before, after = samples_of(long_original), samples_of(target)
    redacted = np.zeros(len(before), bool)
    for start, end in redactions:
        redacted[start * 32 : end * 32] = True
    assert proof.n_redacted_samples == redacted.sum()
    np.testing.assert_array_equal(after[~redacted], before[~redacted])
    edges = np.flatnonzero(np.diff(redacted.astype(int), prepend=0, append=0)).reshape(-1, 2)
    for start, stop in edges:
        tone = peak * FULL * np.sin(2 * np.pi * 440 * np.arange(stop - start) / RATE)
        assert np.abs(after[start:stop] - tone).max() <= 0.5 + 1e-6


def test_memory_does_not_grow_with_the_recording(tmp_path):
    source = write(tmp_path / "a.wav", np.tile(noise(10), 30))
    tracemalloc.start()
    mask(source, tmp_path / "b.wav", [(1000, 290_000)])
    verify(source, tmp_path / "b.wav", [(1000, 290_000)])
    assert detect_tone(tmp_path / "b.wav") == [(1000, 290_000)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < source.stat().st_size / 2


def test_bounds_are_rounded_outward(tmp_path):
    source = write(tmp_path / "a.wav", noise(1, rate=22_050), 22_050)
    mask(source, tmp_path / "b.wav", [(1, 3)], sample_rate_hz=22_050)
    changed = np.flatnonzero(samples_of(source) != samples_of(tmp_path / "b.wav"))
    assert (changed[0], changed[-1]) == (22, 66)  # 22.05 and 66.15 samples


def test_last_millisecond_in_part(tmp_path):
    source = write(tmp_path / "a.wav", noise(1)[:31_990])
    mask(source, tmp_path / "b.wav", [(900, 1000)])
    assert verify(source, tmp_path / "b.wav", [(900, 1000)]).n_redacted_samples == 31_990 - 28_800


@pytest.mark.parametrize(
    ("redaction", "message"),
    [
        ((1900, 2001), "redaction 1900-2001 ms goes beyond the audio, which ends at 2000 ms"),
        ((2000, 2001), "goes beyond the audio"),
        ((5, 5), "redaction 5-5 ms is empty or backward"),
        ((9, 4), "empty or backward"),
        ((-1, 4), "empty or backward"),
    ],
)
def test_wrong_redactions(original, tmp_path, redaction, message):
    with pytest.raises(InputError, match=f"original.wav: .*{message}"):
        mask(original, tmp_path / "masked.wav", [(0, 10), redaction])
    assert os.listdir(tmp_path) == ["original.wav"]


def test_the_original_is_never_written_to(original, tmp_path):
    before = original.read_bytes()
    os.link(original, tmp_path / "hard.wav")
    (tmp_path / "soft.wav").symlink_to(original)
    for target in (original, tmp_path / "hard.wav", tmp_path / "soft.wav", tmp_path / "x" / ".." / "original.wav"):
        with pytest.raises(InputError, match="is the original recording"):
            mask(original, target, [(0, 10)])
    assert original.read_bytes() == before


def test_a_failure_leaves_nothing_behind(original, tmp_path, monkeypatch):
    monkeypatch.setattr("sinobench.merlion.audio.redact._tone", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        mask(original, tmp_path / "masked.wav", [(0, 10)])
    assert os.listdir(tmp_path) == ["original.wav"]


@pytest.mark.parametrize("peak", [0, -0.1, 1.01, float("nan")])
def test_wrong_peak(original, tmp_path, peak):
    with pytest.raises(InputError, match="tone's peak is"):
        mask(original, tmp_path / "masked.wav", [(0, 10)], peak)


def test_metadata_does_not_come_along(original, tmp_path):
    with soundfile.SoundFile(original, "r+") as file:
        file.comment = "Mother of BABYNAME"
    assert b"BABYNAME" in original.read_bytes()
    mask(original, tmp_path / "masked.wav", [])
    assert b"BABYNAME" not in (tmp_path / "masked.wav").read_bytes()
    np.testing.assert_array_equal(samples_of(tmp_path / "masked.wav"), samples_of(original))


@pytest.mark.parametrize(
    ("at", "message"),
    [
        (5000, r"sample 5000 \(at 156.250 ms\) is redacted but not the tone"),
        (3199, "sample 3199 .* is not redacted but differs"),
        (8000, "sample 8000 .* is not redacted but differs"),
    ],
)
def test_one_wrong_sample_fails_the_proof(original, tmp_path, at, message):
    masked = tmp_path / "masked.wav"
    mask(original, masked, [(100, 250)])
    samples = samples_of(masked)
    samples[at] += 2
    with pytest.raises(InputError, match=f"masked.wav: {message}"):
        verify(original, write(masked, samples), [(100, 250)])


def test_proof_fails_for_other_redactions_peak_or_length(original, tmp_path):
    masked = tmp_path / "masked.wav"
    mask(original, masked, [(100, 250)])
    for redactions, peak in (([(100, 251)], 0.1), ([(100, 249)], 0.1), ([], 0.1), ([(100, 250)], 0.2)):
        with pytest.raises(InputError, match="mask it again"):
            verify(original, masked, redactions, peak)
    with pytest.raises(InputError, match="has 63999 PCM_16 samples, the original 64000"):
        verify(original, write(masked, samples_of(masked)[:-1]), [(100, 250)])


@given(
    start=st.integers(0, 1500),
    length=st.integers(MIN_TONE_MS, 500),
    amplitude=st.sampled_from([40, 100, 3277, 30_000]),
    phase=st.floats(0, 6.28),
    rate=st.sampled_from([32_000, 16_000, 44_100]),
    seed=st.integers(0, 3),
)
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_tone_of_any_amplitude_and_phase_is_found(tmp_path, start, length, amplitude, phase, rate, seed):
    samples = noise(2.1, seed, rate)
    a, b = start * rate // 1000, (start + length) * rate // 1000 + 1
    samples[a:b] = sine(b - a, amplitude, phase, rate=rate)
    found = detect_tone(write(tmp_path / "a.wav", samples, rate), rate)
    assert len(found) == 1
    assert abs(found[0][0] - start) <= 1 and abs(found[0][1] - start - length) <= 1


def test_our_own_masks_are_found_to_the_millisecond(original, tmp_path):
    redactions = [(0, 61), (333, 420), (421, 480), (1500, 2000)]
    mask(original, tmp_path / "masked.wav", redactions)
    assert detect_tone(tmp_path / "masked.wav") == redactions


def test_tones_that_touch_with_another_phase_or_amplitude_are_one_stretch(tmp_path):
    samples = np.concatenate([noise(0.5), sine(3200, 3000), sine(3210, 3000), sine(3190, 900, 1.0), noise(0.5)])
    assert detect_tone(write(tmp_path / "a.wav", samples)) == [(500, 800)]


def test_dithered_tone(tmp_path):
    dither = np.random.default_rng(1).integers(-2, 3, 32_000)
    samples = np.concatenate([noise(0.5), sine(32_000, 500) + dither, noise(0.5)]).astype(np.int16)
    assert detect_tone(write(tmp_path / "a.wav", samples)) == [(500, 1500)]


@pytest.mark.parametrize(
    "samples",
    [
        np.zeros(64_000, np.int16),
        noise(2),
        sine(64_000, 3000, hertz=442),
        sine(64_000, 3000, hertz=220),
        sine(64_000, 20),
        sine(64_000, 3000) + sine(64_000, 300, hertz=880),
        np.rint(sine(64_000, 3000) * np.linspace(0, 1, 64_000) ** 9).astype(np.int16),
        sine(300, 3000),
        np.zeros(1, np.int16),
    ],
    ids=["silence", "noise", "442 Hz", "220 Hz", "too quiet", "overtone", "swelling", "too short", "one sample"],
)
def test_what_is_no_tone(tmp_path, samples):
    assert detect_tone(write(tmp_path / "a.wav", samples)) == []
