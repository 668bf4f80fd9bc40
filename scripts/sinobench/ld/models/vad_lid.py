"""The challenge's baseline: energy VAD, and one language for each clip of speech by any identification model."""

from pathlib import Path

import numpy as np

from sinobench.ld.vad import frame_decisions, speech_clips
from sinobench.ld.windows import Score, clip_languages
from sinobench.merlion.audio import features
from sinobench.merlion.audio.wav import RATE_HZ, probe, read


class VadLid:
    """Clips of speech by their energy (sinobench.ld.vad), each of the language that its samples score for."""

    def predict(self, path: Path, score: Score) -> list[tuple[int, int, str]]:
        """The turns (start_ms, end_ms, language) of a 32 kHz recording; a clip with the ratio 0 is English."""
        audio = probe(path)
        samples = read(path, 0, audio.n_samples)
        decisions = frame_decisions(as_the_baseline_hears(samples), features.RATE_HZ)
        return clip_languages(samples, speech_clips(decisions, audio.duration_ms), score)


def as_the_baseline_hears(samples: np.ndarray) -> np.ndarray:
    """The recording's samples at 16 kHz, int16 to int16: the official dev_process_diar.py resamples before its VAD."""
    # libsndfile stores the official script's floats so: to 32 bits, of which it keeps the upper 16.
    floats = features.at_16_khz(samples, RATE_HZ)
    return np.clip(np.floor(np.rint(floats * 65536) / 65536), -32768, 32767).astype(np.int16)
