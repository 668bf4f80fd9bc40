"""Windows of a recording, scored by an identification model."""

from collections.abc import Callable

import numpy as np

from sinobench.errors import InputError
from sinobench.merlion.audio.wav import RATE_HZ

# Stretches of int16 samples at 32 kHz to the natural logarithm of each one's likelihood ratio, English over Mandarin.
Score = Callable[[list[np.ndarray]], np.ndarray]
_WINDOWS_A_CALL = 256


def window_llr(samples: np.ndarray, bounds_ms: np.ndarray, score: Score | None) -> np.ndarray:
    """The log-likelihood ratio of each window, (n,) float64; bounds_ms is (n, 2), [start, end) in ms of the samples.

    Raises InputError where there is no scorer.
    """
    if score is None:
        raise InputError("this diarization model needs an identification model; name one as `lid` in the model catalog")
    llr = np.empty(len(bounds_ms))
    bounds = bounds_ms * (RATE_HZ // 1000)
    for start in range(0, len(bounds), _WINDOWS_A_CALL):
        part = bounds[start : start + _WINDOWS_A_CALL].tolist()
        llr[start : start + len(part)] = score([samples[a:b] for a, b in part])
    return llr
