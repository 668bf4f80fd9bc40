"""How likely each frame of a recording is speech, by its level among the recording's own levels."""

import numpy as np

from sinobench import logistic
from sinobench.ld.vad import frame_energies
from sinobench.merlion.audio.wav import RATE_HZ

N_CUES = 6
_RANGE_DB = 40.0
_RIDGE = 1e-3


def speech_cues(samples: np.ndarray) -> np.ndarray:
    """The cues of each frame of sinobench.ld.vad, (n_frames, N_CUES), the last a constant. samples: int16 at 32 kHz.

    Cues are the level between 300 and 3000 Hz over the recording's floor (its 10th percentile) in 50 ms and in 0.5 s,
    below its peak (95th), its standard deviation in 0.5 s (voices rise and fall, machines hum), all in units of 10 dB,
    and the band's share of the energy in 250 ms. Frames of digital silence have no say in floor and peak.
    """
    band, total = frame_energies(samples, RATE_HZ)
    level = _smoothed(10 * np.log10(band + 1), 5)
    heard = level[total > 0]
    floor, peak = np.percentile(heard, (10, 95)) if len(heard) else (0.0, 0.0)
    slow = _smoothed(level, 51)
    deviation = np.sqrt(np.maximum(_smoothed(level * level, 51) - slow * slow, 0))
    return np.column_stack(
        [
            np.clip(level - floor, 0, _RANGE_DB) / 10,
            np.clip(slow - floor, 0, _RANGE_DB) / 10,
            np.clip(level - peak, -_RANGE_DB, 0) / 10,
            deviation / 10,
            _smoothed(band / np.maximum(total, 1), 25),
            np.ones(len(level)),
        ]
    )


def log_odds(cues: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The log-odds of speech of each frame, (n_frames,)."""
    return np.einsum("ij,j->i", cues, weights)


def fit_weights(cues: np.ndarray, is_speech: np.ndarray) -> np.ndarray:
    """The weights (N_CUES,) of a logistic regression."""
    return logistic.fit(np.ascontiguousarray(cues.T), is_speech, precision=_RIDGE)


def _smoothed(values: np.ndarray, width: int) -> np.ndarray:
    """The mean over ``width`` frames around each one, those at the edges repeated."""
    if not len(values):
        return values
    sums = np.concatenate([[0.0], np.cumsum(np.pad(values, width // 2, mode="edge"))])
    return (sums[width:] - sums[:-width]) / width
