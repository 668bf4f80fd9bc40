"""Silero VAD in place of the baseline's energy rule, and one language for each clip of speech, as in the baseline."""

from pathlib import Path

from sinobench.ld.silero import SileroVad
from sinobench.ld.windows import Score, clip_languages
from sinobench.merlion.audio.wav import RATE_HZ, probe, read


class SileroLid:
    """Clips of speech by Silero VAD (sinobench.ld.silero), each of the language that its samples score for."""

    def __init__(self) -> None:
        self._vad = SileroVad()

    def predict(self, path: Path, score: Score) -> list[tuple[int, int, str]]:
        """The turns (start_ms, end_ms, language) of a 32 kHz recording; a clip with the ratio 0 is English."""
        samples = read(path, 0, probe(path).n_samples)
        return clip_languages(samples, self._vad.clips(samples, RATE_HZ), score)
