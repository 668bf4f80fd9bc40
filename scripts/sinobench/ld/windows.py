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


def clip_languages(samples: np.ndarray, clips_ms: np.ndarray, score: Score | None) -> list[tuple[int, int, str]]:
    """A turn (start_ms, end_ms, language) for each clip, (n, 2) of [start, end): English where its ratio is at least 0.

    score cuts clips to chunks of at most 3 s and averages them by their length. Source: plan, "Baseline System".
    """
    ratios = window_llr(samples, clips_ms, score)
    languages = ["English" if llr >= 0 else "Mandarin" for llr in ratios.tolist()]
    return [(start, end, language) for (start, end), language in zip(clips_ms.tolist(), languages, strict=True)]
