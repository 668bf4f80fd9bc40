"""Speech by the share of its energy, as the challenge's baseline detects it. Source: plan, "Baseline System".

A frame is 20 ms of samples without a window function, one every 10 ms; frame i starts at 10 i ms. It holds speech if
the bins strictly between 300 and 3000 Hz have more than 0.55 of the energy of all bins but the one at 0 Hz; a frame of
equal samples has no energy and no speech. The decisions are smoothed by a median over 25 frames, the first and the last
repeated beyond the edges. The baseline hears audio at 16 kHz; at another rate the whole is another one, and up to 4 %
of frames are decided otherwise.
"""

import numpy as np

from sinobench.errors import InputError

HOP_MS, WINDOW_MS = 10, 20
BAND_HZ = (300, 3000)
SHARE = 0.55
MEDIAN_FRAMES = 25
MIN_CLIP_MS = 500
_BLOCK = 64  # frames whose spectra stay in the cache: 0.5 of the time of 256


def frame_decisions(samples: np.ndarray, sample_rate_hz: int) -> np.ndarray:
    """Whether each frame is speech, (n_frames,) bool, smoothed. samples: (n,) int16.

    Raises InputError for a rate that is no multiple of 100 Hz: frames would not have whole samples.
    """
    # The official vad.py has no frame that ends with the audio.
    band, total = frame_energies(samples[:-1], sample_rate_hz)
    return median(band > SHARE * total)


def frame_energies(samples: np.ndarray, sample_rate_hz: int) -> tuple[np.ndarray, np.ndarray]:
    """The energy of each frame in BAND_HZ and in all bins but the one at 0 Hz: two (n_frames,) float64.

    The last frame ends at or before the end of the audio.
    """
    from scipy import fft

    if sample_rate_hz % 100 or sample_rate_hz <= 0:
        raise InputError(f"a sample rate of {sample_rate_hz} Hz; expected a multiple of 100 Hz: resample the audio")
    hop, window = (ms * sample_rate_hz // 1000 for ms in (HOP_MS, WINDOW_MS))
    n_frames = max(0, 1 + (len(samples) - window) // hop)
    frames = np.lib.stride_tricks.sliding_window_view(samples, window)[::hop] if n_frames else None
    bins = np.arange(window // 2 + 1) * sample_rate_hz
    first, last = np.flatnonzero((bins > BAND_HZ[0] * window) & (bins < BAND_HZ[1] * window))[[0, -1]]
    band, total = np.empty(n_frames), np.empty(n_frames)
    for start in range(0, n_frames, _BLOCK):
        block = frames[start : start + _BLOCK].astype(np.float64)
        # Changes the bin at 0 Hz only, and makes the spectrum of equal samples exactly zero.
        block -= block[:, :1]
        spectrum = fft.rfft(block, axis=1, overwrite_x=True)
        # An array of real and imaginary parts, side by side.
        parts = spectrum.view(np.float64)
        np.square(parts, out=parts)
        band[start : start + _BLOCK] = parts[:, 2 * first : 2 * last + 2].sum(axis=1)
        total[start : start + _BLOCK] = parts[:, 2:].sum(axis=1)
    return band, total


def median(decisions: np.ndarray) -> np.ndarray:
    """The median of MEDIAN_FRAMES decisions around each one, (n,) bool."""
    half = MEDIAN_FRAMES // 2
    if not len(decisions):
        return decisions
    counts = np.concatenate([[0], np.cumsum(np.pad(decisions, half, mode="edge"), dtype=np.int64)])
    return counts[MEDIAN_FRAMES:] - counts[:-MEDIAN_FRAMES] > half


def speech_clips(decisions: np.ndarray, duration_ms: int, min_ms: int = MIN_CLIP_MS) -> np.ndarray:
    """The clips of speech between silences, (n, 2) int64 of [start, end) in ms, sorted; those under min_ms are dropped.

    A clip ends where the first frame without speech starts, the one that reaches the last frame at duration_ms.
    """
    edges = np.flatnonzero(np.diff(np.concatenate([[False], decisions, [False]]).astype(np.int8)))
    clips = edges.reshape(-1, 2) * HOP_MS
    clips[clips[:, 1] == len(decisions) * HOP_MS, 1] = duration_ms
    return clips[clips[:, 1] - clips[:, 0] >= min_ms]
