"""Chunks and features against the official way and against soxr + librosa, on the same audio in the same run.

Four minutes of 32 kHz noise and tones with a fixed seed are cut into utterances as long as those of child-directed
speech. All ways run on one core, reading the WAV file included; ours also in two processes, one shard each. The
official way loads the whole recording for each utterance; it gets the recording at 16 kHz already. librosa's first
use (seconds) is not counted. ours and soxr + librosa must agree to 1e-3.
"""

import resource
import tempfile
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise
from pathlib import Path

import librosa
import numpy as np
import soundfile
import soxr
from threadpoolctl import threadpool_limits
from timing import best_of, compared

from sinobench.merlion.audio.chunk import chunk_bounds, cut
from sinobench.merlion.audio.features import mfcc39_flat

RATE, DURATION_S, N_OFFICIAL, SHARD_SIZE, REPEATS = 32_000, 240, 20, 5, 5
Bounds = list[tuple[int, int]]


def write_recording(path: Path) -> None:
    """Noise that comes and goes, with tones."""
    random = np.random.default_rng(1)
    t = np.arange(DURATION_S * RATE) / RATE
    samples = random.standard_normal(len(t)) * 2000 * np.sin(t) ** 2
    for hertz in (150, 440, 1700):
        samples += 2000 * np.sin(2 * np.pi * hertz * t) * (np.sin(hertz * t / 200) > 0)
    soundfile.write(path, np.rint(samples).astype(np.int16), RATE, subtype="PCM_16")


def utterances() -> Bounds:
    """Samples of utterances of 0.2 s and longer, 1.3 s on average, one after the other."""
    random = np.random.default_rng(2)
    bounds, start = [], 0
    while (stop := start + round((0.2 + random.exponential(1.1)) * RATE)) < DURATION_S * RATE:
        bounds.append((start, stop))
        start = stop
    return bounds


def chunks_of(bounds: Bounds) -> Bounds:
    """The chunks of all utterances, with the default rule."""
    return [chunk for start, stop in bounds for chunk in chunk_bounds(start, stop, RATE)]


def ours(path: Path, bounds: Bounds) -> tuple[np.ndarray, np.ndarray]:
    """Features and frame offsets, by the package."""
    return mfcc39_flat(*cut(path, chunks_of(bounds)))


def one_shard(path: Path, bounds: Bounds) -> int:
    """As ours, several recordings in one process; the number of frames."""
    return sum(len(ours(path, bounds)[0]) for _ in range(SHARD_SIZE))


def per_chunk(path: Path, bounds: Bounds) -> list[np.ndarray]:
    """One seek, one resampling and librosa's calls a chunk."""
    result = []
    with soundfile.SoundFile(path) as file:
        for a, b in chunks_of(bounds):
            file.seek(a)
            samples = soxr.resample(file.read(b - a, dtype="float32"), RATE, 16_000, "HQ")
            result.append(librosa_mfcc39(librosa.util.fix_length(samples, size=-(-(b - a) // 2))))
    return result


def official(path: Path, bounds: Bounds) -> list[np.ndarray]:
    """The whole recording is loaded for each utterance."""
    result = []
    for a, b in bounds:
        samples, _ = soundfile.read(path, dtype="float32")
        result.append(librosa_mfcc39(samples[a // 2 : b // 2]))
    return result


def librosa_mfcc39(samples: np.ndarray) -> np.ndarray:
    """(n_frames, 39) features of one chunk at 16 kHz."""
    samples = np.append(samples[0], samples[1:] - 0.97 * samples[:-1])
    mfcc = librosa.feature.mfcc(y=samples, sr=16_000, n_mfcc=13, n_fft=400, hop_length=160)
    mode = "interp" if mfcc.shape[1] >= 9 else "nearest"
    return np.vstack([mfcc, *(librosa.feature.delta(mfcc, order=order, mode=mode) for order in (1, 2))]).T


def main() -> None:
    """Print one line a way: times real time, and how much faster ours is."""
    bounds = utterances()
    spoken_s = (bounds[-1][1] - bounds[0][0]) / RATE
    with tempfile.TemporaryDirectory() as folder, threadpool_limits(1):
        path, path_16_khz = Path(folder, "32.wav"), Path(folder, "16.wav")
        write_recording(path)
        soundfile.write(path_16_khz, librosa.resample(soundfile.read(path)[0], orig_sr=RATE, target_sr=16_000), 16_000)

        seconds, (features, offsets) = best_of(1 + REPEATS, ours, path, bounds)
        speed = spoken_s / seconds
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"sinobench: {speed:,.0f} x real time on one core, {3600 / speed:.2f} s an hour of speech")
        with ProcessPoolExecutor(2) as pool:
            two_s, _ = best_of(1 + REPEATS, lambda: list(pool.map(one_shard, [path] * 2, [bounds] * 2)))
        both = 2 * SHARD_SIZE * spoken_s / two_s
        print(f"sinobench: {both:,.0f} x real time in two processes, {3600 / both:.2f} s an hour; {memory:,.0f} MiB")

        seconds, expected = best_of(1 + REPEATS, per_chunk, path, bounds)
        differs = max(
            float(np.abs(features[a:b] - reference).max())
            for (a, b), reference in zip(pairwise(offsets), expected, strict=True)
        )
        if differs > 1e-3:
            raise SystemExit(f"the features differ by {differs} from librosa's")
        other = spoken_s / seconds
        compared("features of an hour of speech", 3600 / speed, "soxr and librosa, chunk after chunk", 3600 / other)

        part = bounds[:N_OFFICIAL]
        seconds, _ = best_of(1 + REPEATS, official, path_16_khz, part)
        other = (part[-1][1] - part[0][0]) / RATE / seconds
        compared("features of an hour of speech", 3600 / speed, "the official way", 3600 / other)


if __name__ == "__main__":
    main()
