"""The challenge's baseline: energy VAD, and one language for each clip of speech by any identification model."""

from pathlib import Path

from sinobench.ld.vad import frame_decisions, speech_clips
from sinobench.ld.windows import Score, window_llr
from sinobench.merlion.audio import RATE_HZ, probe, read


class VadLid:
    """Clips of speech by their energy (sinobench.ld.vad), each of the language that its samples score for."""

    def predict(self, path: Path, score: Score) -> list[tuple[int, int, str]]:
        """The turns (start_ms, end_ms, language) of a 32 kHz recording; a clip with the ratio 0 is English.

        score cuts clips to chunks of at most 3 s and averages them by their length. Source: plan, "Baseline System".
        """
        audio = probe(path)
        samples = read(path, 0, audio.n_samples)
        clips = speech_clips(frame_decisions(samples, RATE_HZ), audio.duration_ms)
        return [
            (start, end, "English" if llr >= 0 else "Mandarin")
            for (start, end), llr in zip(clips.tolist(), window_llr(samples, clips, score).tolist(), strict=True)
        ]
