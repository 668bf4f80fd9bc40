import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sinobench.errors import InputError
from sinobench.ld.vad import frame_decisions, speech_clips


def plain_loop(samples, rate):
    """The rule frame by frame, as the official vad.py has it: a frame that would end with the audio is left out."""
    window, hop = rate // 50, rate // 100
    speech = []
    for start in range(0, len(samples) - window, hop):
        frame = samples[start : start + window].astype(float)
        energy = np.abs(np.fft.rfft(frame)) ** 2
        in_band = sum(e for k, e in enumerate(energy) if 300 * window < k * rate < 3000 * window)
        constant = len(set(frame.tolist())) == 1  # what is left of it is rounding
        speech.append(not constant and in_band > 0.55 * sum(energy[1:]))
    at = [min(max(i, 0), len(speech) - 1) for i in range(-12, len(speech) + 12)]
    return [sorted(speech[k] for k in at[i : i + 25])[12] for i in range(len(speech))]


def sounds(rate, seed=1):
    """Two seconds or so of each kind of sound, one after the other, int16."""
    random = np.random.default_rng(seed)
    t = np.arange(2 * rate) / rate
    voiced = sum(np.sin(2 * np.pi * 140 * k * t + k) / k for k in range(1, 25)) * np.sin(2 * np.pi * 1.5 * t) ** 2
    low = np.cumsum(random.standard_normal(len(t)))
    pieces = [
        voiced * 9000,
        random.standard_normal(len(t)) * 2000,
        np.zeros(len(t)),
        np.full(len(t), 7),
        random.integers(-1, 2, len(t)),
        np.sin(2 * np.pi * 440 * t) * 3000,
        np.sin(2 * np.pi * 300 * t) * 3000,  # at the edge of the band, hence outside
        np.sin(2 * np.pi * 2950 * t) * 3000,
        voiced * 4000 + (low - low.mean()) * 20,
        np.sin(2 * np.pi * 90 * t) * 40_000,
    ]
    order = random.permutation(len(pieces))
    lengths = random.integers(rate // 20, len(t), len(pieces))
    joined = np.concatenate([pieces[i][:n] for i, n in zip(order, lengths, strict=True)])
    return np.clip(np.rint(joined), -32768, 32767).astype(np.int16)


@pytest.mark.parametrize("rate", [32_000, 16_000, 44_100])
@pytest.mark.parametrize("seed", [1, 2])
def test_equal_to_a_plain_loop_frame_by_frame(rate, seed):
    samples = sounds(rate, seed)
    found = frame_decisions(samples, rate)
    assert found.dtype == bool
    assert found.tolist() == plain_loop(samples, rate)
    assert 0.1 < found.mean() < 0.9


@pytest.mark.parametrize("n", [0, 1, 639, 640, 959, 960, 640 + 320 * 25])
def test_short_audio(n):
    samples = sounds(32_000)[5000 : 5000 + n]
    assert frame_decisions(samples, 32_000).tolist() == plain_loop(samples, 32_000)


def test_loudness_and_offset_do_not_matter():
    samples = sounds(32_000) // 8
    found = frame_decisions(samples, 32_000)
    assert (frame_decisions(samples + np.int16(9000), 32_000) == found).all()
    assert (frame_decisions(samples * 4, 32_000) == found).all()


def test_a_rate_without_whole_frames_is_refused():
    with pytest.raises(InputError, match=r"11025 Hz.*multiple of 100"):
        frame_decisions(np.zeros(40_000, np.int16), 11_025)


def test_clips_end_where_silence_starts_and_short_ones_are_dropped():
    decisions = np.zeros(300, bool)
    decisions[10:60] = decisions[70:119] = decisions[200:280] = True
    assert speech_clips(decisions, 3010).tolist() == [[100, 600], [2000, 2800]]


def test_a_clip_that_reaches_the_end_of_the_file_is_kept():
    decisions = np.zeros(99, bool)
    decisions[40:] = True
    assert speech_clips(decisions, 1003).tolist() == [[400, 1003]]
    assert speech_clips(np.ones(2, bool), 1000).tolist() == [[0, 1000]]
    assert speech_clips(np.zeros(0, bool), 15).tolist() == []


@settings(max_examples=50)
@given(st.lists(st.tuples(st.booleans(), st.integers(1, 80)), max_size=12), st.integers(0, 19))
def test_clips_hold_every_long_run_of_speech(runs, rest_ms):
    decisions = np.repeat([kind for kind, _ in runs], [n for _, n in runs]).astype(bool)
    duration_ms = len(decisions) * 10 + rest_ms
    found = np.zeros(duration_ms, bool)
    for start, end in speech_clips(decisions, duration_ms).tolist():
        assert not found[start:end].any() and end - start >= 500
        found[start:end] = True
    expected = np.pad(np.repeat(decisions, 10), (0, rest_ms), mode="edge" if len(decisions) else "constant")
    edges = np.flatnonzero(np.diff(np.concatenate([[False], expected, [False]]).astype(int))).reshape(-1, 2)
    for start, end in edges:
        if end - start < 500:
            expected[start:end] = False
    assert (found == expected).all()
