"""Recordings with known turns, joined from utterances of training corpora, for the fitting of diarization models.

Turns of English and Mandarin follow each other with and without pauses, over a floor of noise; some pauses hold short
sounds that no voice makes. Levels, lengths and the noise differ between recordings. Times are whole ms at 32 kHz.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sinobench.errors import InputError
from sinobench.merlion.audio.wav import RATE_HZ, opened, read_opened, samples_outward
from sinobench.merlion.languages import TARGETS
from sinobench.merlion.training.tables import Utterance

SPEECH_RMS = 2000.0  # 24 dB under full scale
_PER_MS = RATE_HZ // 1000
_TRIM_DB = 35  # what is so far below the loudest 10 ms, at the ends of an utterance, is no speech
_MARGIN = 5  # frames of 10 ms kept beyond, as people who mark utterances do
_MIN_MS = 200


@dataclass(frozen=True)
class Recording:
    """int16 samples at 32 kHz and the (start_ms, end_ms, language) of its turns, sorted and disjoint."""

    samples: np.ndarray
    turns: list[tuple[int, int, str]]


def simulate(
    utterances: Iterable[tuple[Path, Utterance]], seed: int, n_recordings: int = 6, duration_s: int = 60
) -> list[Recording]:
    """Recordings of about ``duration_s``, joined from pieces of the utterances; the path is that of the audio file.

    Languages are equally frequent, and within a language its speakers. Raises InputError where a language is missing.
    """
    by_speaker: dict[str, dict[str, list]] = {language: defaultdict(list) for language in TARGETS}
    for path, utterance in utterances:
        by_speaker[utterance.language][f"{utterance.corpus}/{utterance.speaker}"].append((path, utterance))
    for language, speakers in by_speaker.items():
        if not speakers:
            raise InputError(
                f"no utterance of {language} is left to tune on; give the partition more speakers of {language}"
            )
    pools = {language: [speakers[name] for name in sorted(speakers)] for language, speakers in by_speaker.items()}
    return [_simulate(pools, np.random.default_rng([seed, i]), duration_s * 1000) for i in range(n_recordings)]


def _simulate(pools: dict[str, list[Sequence]], rng: np.random.Generator, duration_ms: int) -> Recording:
    pieces, turns, now = [], [], 0
    pause_ms = 300 * 10 ** rng.uniform()
    while now < duration_ms:
        pause = _pause(rng, 0 if rng.random() < 0.3 else round(200 + pause_ms * rng.exponential()))
        language = TARGETS[rng.integers(2)]
        speakers = pools[language]
        speaker = speakers[rng.integers(len(speakers))]
        speech = _piece(*speaker[rng.integers(len(speaker))], rng)
        start = now + len(pause) // _PER_MS
        now = start + len(speech) // _PER_MS
        turns.append((start, now, language))
        pieces += [pause, speech]
    samples = np.concatenate([*pieces, _pause(rng, 1000)])
    samples += _noise(rng, len(samples))
    return Recording(np.clip(np.rint(samples), -32768, 32767).astype(np.int16), turns)


def _piece(path: Path, utterance: Utterance, rng: np.random.Generator) -> np.ndarray:
    """A stretch of an utterance, whole ms of float32 samples at 32 kHz, at about SPEECH_RMS."""
    import soxr

    with opened(path) as file:
        rate = file.samplerate
        start, stop = samples_outward(utterance.start_ms, utterance.end_ms, rate)
        samples = read_opened(file, start, min(stop, file.frames)).astype(np.float32)
    wanted = round(1000 * min(0.3 + rng.lognormal(0.3, 0.7), 8))
    samples = _trimmed(samples, rate)
    spare = max(0, len(samples) - wanted * rate // 1000)
    first = int(rng.integers(spare + 1))
    samples = soxr.resample(samples[first : first + len(samples) - spare], rate, RATE_HZ, "HQ")
    n = max(len(samples) // _PER_MS, _MIN_MS) * _PER_MS
    samples = np.pad(samples[:n], (0, max(0, n - len(samples))))
    level = SPEECH_RMS * 10 ** (rng.normal(0, 3) / 20)
    return samples * np.float32(level / max(1.0, float(np.sqrt(np.square(samples).mean(dtype=np.float64)))))


def _trimmed(samples: np.ndarray, rate: int) -> np.ndarray:
    hop = rate // 100
    n = len(samples) // hop
    if not n:
        return samples
    energy = np.square(samples[: n * hop].reshape(n, hop), dtype=np.float64).sum(axis=1)
    loud = np.flatnonzero(energy >= energy.max() / 10 ** (_TRIM_DB / 10))
    return samples[max(0, loud[0] - _MARGIN) * hop : (loud[-1] + 1 + _MARGIN) * hop]


def _pause(rng: np.random.Generator, duration_ms: int) -> np.ndarray:
    """Silence of so many ms; in one of three, where there is room, a knock or a rustle."""
    samples = np.zeros(duration_ms * _PER_MS, np.float32)
    if duration_ms < 200 or rng.random() >= 1 / 3:
        return samples
    n = round(len(samples) * rng.uniform(0.2, 0.9))
    width = int(rng.integers(1, 40))
    sound = np.convolve(rng.standard_normal(n), np.ones(width) / width**0.5, "same")
    fading_s = 0.01 * 50 ** rng.uniform()
    sound *= SPEECH_RMS * 0.05 * 30 ** rng.uniform() * np.exp(-np.arange(n) / RATE_HZ / fading_s)
    first = int(rng.integers(len(samples) - n + 1))
    samples[first : first + n] = sound
    return samples


def _noise(rng: np.random.Generator, n: int) -> np.ndarray:
    """Noise 8 to 35 dB below speech, between flat and 6 dB down an octave."""
    from scipy import fft

    size = fft.next_fast_len(n, real=True)
    spectrum = fft.rfft(rng.standard_normal(size))
    spectrum /= np.maximum(np.arange(len(spectrum)), size * 50 // RATE_HZ) ** rng.uniform(0, 1)
    noise = fft.irfft(spectrum, size)[:n]
    return noise * (SPEECH_RMS / 10 ** (rng.uniform(8, 35) / 20) / noise.std())
