from itertools import pairwise

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st

from sinobench.errors import InputError
from sinobench.merlion.audio.chunk import BASELINE, BASELINE_AS_CUT, chunk_bounds, cut

RATE = 32_000


def seconds(length_s, **options):
    return [(a / RATE, b / RATE) for a, b in chunk_bounds(0, round(length_s * RATE), RATE, **options)]


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_default_chunks_cover_the_utterance_exactly(start, length):
    bounds = chunk_bounds(start, start + length, RATE)
    assert bounds[0][0] == start and bounds[-1][1] == start + length
    assert all(a < b <= a + 3 * RATE for a, b in bounds)
    assert all(b == next_a for (_, b), (next_a, _) in pairwise(bounds))


@given(
    st.integers(1, 20_000),
    st.integers(1, 60),
    st.integers(0, 59),
    st.integers(0, 60),
    st.sampled_from(["keep", "last"]),
)
def test_what_is_not_covered_is_a_remainder_under_the_minimum(length, window, overlap, least, tail):
    overlap = min(overlap, window - 1)
    options = {"max_s": window / 10, "overlap_s": overlap / 10, "min_s": least / 10, "tail": tail}
    bounds = chunk_bounds(7, 7 + length, 100, **options)
    covered = np.zeros(7 + length, bool)
    for a, b in bounds:
        assert 7 <= a < b <= min(a + 10 * window, 7 + length)
        covered[a:b] = True
    missing = np.flatnonzero(~covered[7:])
    assert len(missing) < max(10 * least, 1)
    assert missing.tolist() == list(range(length - len(missing), length))


def test_short_utterances_and_tails():
    assert seconds(0.2) == [(0, 0.2)]
    assert seconds(7) == [(0, 3), (3, 6), (6, 7)]
    assert seconds(7, min_s=1.5) == [(0, 3), (3, 6)]
    assert seconds(0.2, min_s=0.25) == []
    assert seconds(2, keep_short=False) == []
    assert seconds(5, max_s=2, overlap_s=1) == [(0, 2), (1, 3), (2, 4), (3, 5)]
    assert seconds(4.5, max_s=2, overlap_s=1) == [(0, 2), (1, 3), (2, 4), (3, 4.5)]
    assert seconds(4.5, max_s=2, overlap_s=1, tail="last") == [(0, 2), (1, 3), (2, 4), (2.5, 4.5)]


@pytest.mark.parametrize(
    ("length_s", "expected"),
    [
        (2.999, []),
        (3, [(0, 3)]),
        (3.999, [(0, 3)]),
        (4, [(0, 3), (1, 4)]),
        (5.5, [(0, 3), (2.5, 5.5)]),
        (6.4, [(0, 3), (2.5, 5.5)]),
        (7, [(0, 3), (2.5, 5.5), (4, 7)]),
        (8, [(0, 3), (2.5, 5.5), (5, 8)]),
    ],
)
def test_baseline_preset(length_s, expected):
    assert seconds(length_s, **BASELINE) == expected


@given(st.integers(1, 30 * 16_000))
def test_baseline_as_cut_is_the_official_arithmetic(length):
    """The script counts in floating-point seconds and truncates the start and end of every window but the last."""
    duration, bounds, start = length / 16_000, [], 0
    n = int((duration - 0.5) // 2.5)
    for _ in range(n):
        bounds.append((int(start) * 16_000, int(start + 3) * 16_000))
        start += 2.5
    if n >= 1 and duration - 0.5 - n * 2.5 >= 1.0:
        bounds.append((length - 48_000, length))
    assert chunk_bounds(0, length, 16_000, **BASELINE_AS_CUT) == bounds


@pytest.mark.parametrize("options", [{"max_s": 0}, {"overlap_s": 3}, {"overlap_s": -1}, {"min_s": -1}, {"tail": "x"}])
def test_impossible_options(options):
    with pytest.raises(InputError, match="can't be cut"):
        chunk_bounds(0, 100, RATE, **options)


def test_empty_utterance():
    for start, stop in [(5, 5), (6, 5), (-1, 5)]:
        with pytest.raises(InputError, match=f"from sample {start} to {stop} is empty"):
            chunk_bounds(start, stop, RATE)


@pytest.mark.parametrize("subtype", ["PCM_16", "FLOAT"])
def test_samples_of_chunks(tmp_path, subtype):
    samples = np.random.default_rng(1).integers(-9999, 9999, 5_000).astype(np.int16)
    path = tmp_path / "a.wav"
    soundfile.write(path, samples / 32768, RATE, subtype=subtype)
    bounds = [(400, 1_000), (0, 700), (4_999, 5_000), (20, 20)]
    flat, offsets = cut(path, bounds)
    assert flat.dtype == np.int16
    for (a, b), (start, stop) in zip(bounds, pairwise(offsets), strict=True):
        np.testing.assert_array_equal(flat[start:stop], samples[a:b])
    flat, offsets = cut(path, [])
    assert len(flat) == 0 and offsets.tolist() == [0]


def test_segment_beyond_the_audio(tmp_path):
    path = tmp_path / "a.wav"
    soundfile.write(path, np.zeros(100, np.int16), RATE)
    with pytest.raises(InputError, match=r"a\.wav: chunk 1 is samples 50 to 101; the audio has 100"):
        cut(path, [(0, 5), (50, 101)])
