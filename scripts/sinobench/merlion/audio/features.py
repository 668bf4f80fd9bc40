"""39-dimensional MFCC of speech chunks: 13 coefficients, their first and their second differences, at 16 kHz.

The definition is librosa's with the settings of the challenge's baseline: pre-emphasis 0.97, frames of 25 ms every
10 ms centred with zero padding, Hann window, 128 Slaney mels, decibels down to 80 below the chunk's loudest mel,
orthonormal DCT-II, differences by Savitzky-Golay over 9 frames. Source: preprocess_train.py of the official baseline.

A chunk is computed from its own samples alone, in calls whose shapes follow from its length, and without BLAS (whose
sums depend on shapes and threads): the same bytes come out whichever chunks are computed together, on any cores.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import pairwise

import numpy as np

from sinobench.errors import InputError

RATE_HZ = 16_000
N_FFT, HOP, N_MELS, N_MFCC = 400, 160, 128, 13
N_FEATURES = 3 * N_MFCC
BLOCK = 104  # frames whose spectra stay in the cache: 0.6 of the time of a whole chunk at once
PREEMPHASIS = np.float32(0.97)
TOP_DB = np.float32(80)
SMALLEST_POWER = np.float32(1e-10)
# Least-squares slope of a line and curvature of a parabola through 9 neighbours, by their lag.
WIDTH = 9
LAGS = np.arange(-4, 5, dtype=np.int32)
SLOPE = (LAGS / 60).astype(np.float32)
CURVATURE = (np.array([28, 7, -8, -17, -20, -17, -8, 7, 28]) / 462).astype(np.float32)


def mfcc39(chunks: Sequence[np.ndarray], sample_rate_hz: int = 32_000) -> list[np.ndarray]:
    """The features of each chunk: (n_frames, 39) float32 with n_frames = 1 + (its samples at 16 kHz) // 160.

    chunks: (n,) int16 samples, n >= 1, at sample_rate_hz; columns of the result are 13 MFCC, 13 Δ, 13 ΔΔ.
    Raises InputError for a chunk without samples and for a type other than int16.
    """
    for i, chunk in enumerate(chunks):
        if chunk.dtype != np.int16:
            raise InputError(f"chunk {i} has samples of type {chunk.dtype}; expected int16")
    lengths = [len(chunk) for chunk in chunks]
    offsets = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    samples = np.concatenate(chunks) if len(chunks) else np.zeros(0, np.int16)
    features, frame_offsets = mfcc39_flat(samples, offsets, sample_rate_hz)
    return [features[a:b] for a, b in pairwise(frame_offsets.tolist())]


def mfcc39_flat(
    samples: np.ndarray, offsets: np.ndarray, sample_rate_hz: int = 32_000
) -> tuple[np.ndarray, np.ndarray]:
    """The features of n chunks that lie one behind the other: (total frames, 39) float32 and (n + 1,) frame offsets.

    samples: int16; chunk i is samples[offsets[i] : offsets[i + 1]], offsets has n + 1 entries.
    """
    lengths = np.diff(offsets)
    if len(lengths) and lengths.min() < 1:
        raise InputError(f"chunk {int(lengths.argmin())} has no samples; drop empty chunks before features")
    # As librosa's resampling rounds: up.
    n_frames = 1 + -(-lengths * RATE_HZ // sample_rate_hz) // HOP
    frame_offsets = np.concatenate([[0], np.cumsum(n_frames)])
    features = np.empty((frame_offsets[-1], N_FEATURES), np.float32)
    for i, (start, stop) in enumerate(pairwise(frame_offsets.tolist())):
        mfcc = _mfcc(at_16_khz(samples[offsets[i] : offsets[i + 1]], sample_rate_hz))
        differences = _differentiator(stop - start) @ mfcc
        features[start:stop] = np.concatenate([mfcc, *np.split(differences, 2)], axis=1)
    return features, frame_offsets


def at_16_khz(samples: np.ndarray, sample_rate_hz: int) -> np.ndarray:
    """int16 samples as float32 of int16's range at 16 kHz, ceil(n * 16000 / rate) of them."""
    import soxr

    floats = samples.astype(np.float32)
    if sample_rate_hz == RATE_HZ:
        return floats
    resampled = soxr.resample(floats, sample_rate_hz, RATE_HZ, "HQ")
    # soxr's own rounding of half a sample is not documented; librosa, too, pads or cuts.
    n = -(-len(samples) * RATE_HZ // sample_rate_hz)
    return resampled[:n] if len(resampled) >= n else np.pad(resampled, (0, n - len(resampled)))


def _mfcc(samples: np.ndarray) -> np.ndarray:
    """The 13 coefficients of one chunk at 16 kHz, (n_frames, 13)."""
    from scipy import fft

    window, mel, dct = _constants()
    n_frames = 1 + len(samples) // HOP
    padded = np.zeros(len(samples) + N_FFT, np.float32)
    emphasized = padded[N_FFT // 2 : N_FFT // 2 + len(samples)]
    np.multiply(samples[:-1], -PREEMPHASIS, out=emphasized[1:])
    emphasized += samples  # the first sample, with nothing before it, stays as it is
    frames = np.ndarray((n_frames, N_FFT), np.float32, padded, strides=(4 * HOP, 4))
    # One row a bin: the sparse products below then run along the frames.
    power = np.empty((N_FFT // 2 + 1, n_frames), np.float32)
    for start in range(0, n_frames, BLOCK):
        spectrum = fft.rfft(frames[start : start + BLOCK] * window, axis=1, overwrite_x=True)
        squares = np.square(spectrum.real)
        squares += np.square(spectrum.imag)
        power[:, start : start + BLOCK] = squares.T
    decibel = mel @ power
    np.maximum(decibel, SMALLEST_POWER, out=decibel)
    np.log10(decibel, out=decibel)
    decibel *= np.float32(10)
    # Sums of float32 are ten times as exact about the middle of the range; the DCT of a constant is its first row's.
    middle = decibel.max() - TOP_DB / 2
    decibel -= middle
    np.maximum(decibel, -TOP_DB / 2, out=decibel)
    mfcc = np.ascontiguousarray((dct @ decibel).T)
    mfcc[:, 0] += middle * np.float32(N_MELS**0.5)
    return mfcc


@lru_cache(maxsize=320)  # chunks of up to 3 s have 301 lengths
def _differentiator(n_frames: int):
    """The sparse matrix (2 n_frames, n_frames) that makes slopes, then curvatures, of a chunk's coefficients.

    The first and last 4 frames take the line or parabola fitted to the first or last 9, whose slope and curvature are
    those of the 5th frame from the edge. Chunks of fewer than 9 frames are continued by their edge frames.
    """
    from scipy import sparse

    centre = np.arange(n_frames, dtype=np.int32)
    if n_frames >= WIDTH:
        centre = np.clip(centre, WIDTH // 2, n_frames - 1 - WIDTH // 2)
    neighbours = np.clip(centre[:, None] + LAGS, 0, n_frames - 1).ravel()
    weights = np.concatenate([np.tile(SLOPE, n_frames), np.tile(CURVATURE, n_frames)])
    rows = np.arange(0, len(weights) + 1, WIDTH, dtype=np.int32)
    return sparse.csr_array((weights, np.tile(neighbours, 2), rows), shape=(2 * n_frames, n_frames))


@cache
def _constants():
    """The Hann window (400,), the mel filters (128, 201) and the DCT-II (13, 128), the last two sparse; float32.

    The window also brings int16 to [-1, 1): a power of two, hence exact.
    """
    from scipy import fft, sparse

    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(N_FFT) / N_FFT)
    dct = fft.dct(np.eye(N_MELS), axis=0, norm="ortho")[:N_MFCC]
    return (
        (window / 32768).astype(np.float32),
        sparse.csr_array(mel_filters(N_FFT, N_MELS).astype(np.float32)),
        sparse.csr_array(dct.astype(np.float32)),
    )


def mel_filters(n_fft: int, n_mels: int) -> np.ndarray:
    """Slaney's triangular filters of equal area at 16 kHz, (n_mels, 1 + n_fft // 2): librosa's, two seconds to load.

    Source: Slaney 1998, "Auditory Toolbox", linear up to 1 kHz and logarithmic above, 27 filters for a factor of 6.4.
    """
    linear_mel, knee_mel, log_step = 200 / 3, 15, np.log(6.4) / 27  # Hz a mel, 1 kHz in mel, a mel above it
    highest_mel = knee_mel + np.log(RATE_HZ / 2 / 1000) / log_step
    mel = np.linspace(0, highest_mel, n_mels + 2)
    edge_hz = np.where(mel < knee_mel, linear_mel * mel, 1000 * np.exp(log_step * (mel - knee_mel)))
    width_hz = np.diff(edge_hz)
    away_hz = edge_hz[:, None] - np.fft.rfftfreq(n_fft, 1 / RATE_HZ)
    rising = -away_hz[:-2] / width_hz[:-1, None]
    falling = away_hz[2:] / width_hz[1:, None]
    return np.maximum(0, np.minimum(rising, falling)) * (2 / (edge_hz[2:] - edge_hz[:-2]))[:, None]
