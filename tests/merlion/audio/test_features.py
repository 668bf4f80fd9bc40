import numpy as np
import pytest
from librosa.filters import mel

from sinobench.errors import InputError
from sinobench.merlion.audio.feature_proof import librosa_mfcc39
from sinobench.merlion.audio.features import N_FFT, N_MELS, RATE_HZ, mel_filters, mfcc39, mfcc39_flat

LENGTHS = [1, 2, 3, 319, 320, 321, 799, 2_559, 2_560, 2_561, 2_880, 9_601, 32_001, 33_333, 95_999, 96_000, 200_000]


def sounds(n, seed=0):
    """Different kinds of chunk, (n,) int16."""
    random = np.random.default_rng(seed + n)
    t = np.arange(n) / 32_000
    voiced = sum(8000 / k * np.sin(2 * np.pi * 150 * k * t + k) for k in range(1, 20))
    kinds = {
        "noise": random.standard_normal(n) * 3000,
        "voiced": voiced * np.sin(2 * np.pi * 2 * t) ** 2 + random.standard_normal(n) * 20,
        "quiet": random.standard_normal(n) * 0.6,
        "silence": np.zeros(n),
        "tone": 3276.7 * np.sin(2 * np.pi * 440 * t),
        "click": np.where(t == t[n // 2], 32_767, 0),
        "clipped": 1e6 * np.sin(2 * np.pi * 200 * t),
        "half silent": np.where(t > t[-1] / 2, random.standard_normal(n) * 3000, 0),
    }
    return {name: np.clip(np.rint(x), -32768, 32767).astype(np.int16) for name, x in kinds.items()}


@pytest.mark.parametrize("n", LENGTHS)
def test_equal_to_librosa(n):
    chunks = sounds(n)
    for (name, chunk), found in zip(chunks.items(), mfcc39(list(chunks.values())), strict=True):
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, librosa_mfcc39(chunk, 32_000), rtol=0, atol=1e-3, err_msg=name)


@pytest.mark.parametrize(("n_fft", "n_mels"), [(N_FFT, N_MELS), (512, 64)])
def test_filters_are_librosas_to_the_last_digit(n_fft, n_mels):
    filters = mel_filters(n_fft, n_mels).astype(np.float32)
    assert np.array_equal(filters, mel(sr=RATE_HZ, n_fft=n_fft, n_mels=n_mels, dtype=np.float64).astype(np.float32))


@pytest.mark.parametrize("rate", [16_000, 22_050, 44_100])
def test_other_rates(rate):
    for name, chunk in sounds(40_001).items():
        found = mfcc39([chunk], rate)[0]
        np.testing.assert_allclose(found, librosa_mfcc39(chunk, rate), rtol=0, atol=1e-3, err_msg=name)


def test_same_bytes_whichever_chunks_are_computed_together():
    random = np.random.default_rng(3)
    chunks = [chunk for n in [*LENGTHS, *random.integers(1, 100_000, 12)] for chunk in sounds(int(n), 1).values()]
    alone = [mfcc39([chunk.copy()])[0].tobytes() for chunk in chunks]
    assert [f.tobytes() for f in mfcc39(chunks)] == alone
    order = random.permutation(len(chunks))
    shuffled = mfcc39([chunks[i] for i in order])
    assert all(f.tobytes() == alone[i] for f, i in zip(shuffled, order, strict=True))
    for n_shards in (4, 16):
        shards = [mfcc39(chunks[i::n_shards]) for i in range(n_shards)]
        assert all(f.tobytes() == alone[i + j * n_shards] for i, s in enumerate(shards) for j, f in enumerate(s))


def test_flat_form_is_the_same():
    chunks = list(sounds(12_345).values())
    offsets = np.cumsum([0, *map(len, chunks)])
    features, frame_offsets = mfcc39_flat(np.concatenate(chunks), offsets)
    assert features.shape == (frame_offsets[-1], 39)
    assert features.tobytes() == np.concatenate(mfcc39(chunks)).tobytes()


def test_no_chunk():
    assert mfcc39([]) == []
    features, offsets = mfcc39_flat(np.zeros(0, np.int16), np.zeros(1, np.int64))
    assert features.shape == (0, 39) and offsets.tolist() == [0]


def test_wrong_chunks():
    with pytest.raises(InputError, match="chunk 1 has no samples"):
        mfcc39([np.zeros(9, np.int16), np.zeros(0, np.int16)])
    with pytest.raises(InputError, match="chunk 0 has samples of type float32; expected int16"):
        mfcc39([np.zeros(9, np.float32)])
