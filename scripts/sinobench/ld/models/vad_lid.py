"""The challenge's baseline: energy VAD, and one language for each clip of speech by any identification model."""

from pathlib import Path

import numpy as np

from sinobench.ld.vad import frame_decisions, speech_clips
from sinobench.ld.windows import Score, window_llr
from sinobench.merlion.audio import features
from sinobench.merlion.audio.wav import RATE_HZ, probe, read


class VadLid:
    """Clips of speech by their energy (sinobench.ld.vad), each of the language that its samples score for."""

    def predict(self, path: Path, score: Score) -> list[tuple[int, int, str]]:
        """The turns (start_ms, end_ms, language) of a 32 kHz recording; a clip with the ratio 0 is English.

        score cuts clips to chunks of at most 3 s and averages them by their length. Source: plan, "Baseline System".
        """
        audio = probe(path)
        samples = read(path, 0, audio.n_samples)
        clips = speech_clips(frame_decisions(as_the_baseline_hears(samples), features.RATE_HZ), audio.duration_ms)
        return [
            (start, end, "English" if llr >= 0 else "Mandarin")
            for (start, end), llr in zip(clips.tolist(), window_llr(samples, clips, score).tolist(), strict=True)
        ]


def as_the_baseline_hears(samples: np.ndarray) -> np.ndarray:
    """The recording's samples at 16 kHz, int16 to int16: the official dev_process_diar.py resamples before its VAD."""
    # libsndfile stores the official script's floats so: to 32 bits, of which it keeps the upper 16.
    floats = features.at_16_khz(samples, RATE_HZ)
    return np.clip(np.floor(np.rint(floats * 65536) / 65536), -32768, 32767).astype(np.int16)
