"""Recordings in the shape of MERLIon CCS's development set, annotated as it is released; the audio is silence.

Its numbers are those of the evaluation plan's Table 1. A file of silence takes no room on the disk.
"""

import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from sinobench.merlion.annotation.labels import HEADER
from sinobench.samples.sized.drawing import Files, lengths, stream

MODELS = {"sized-a": 0.85, "sized-b": 0.75}  # share of segments whose language is told
_RATE_HZ = 32_000
_MEAN_MS, _SEGMENT_MS = 682_000, 2_050  # of a recording; from one segment's start to the next
_MANDARIN, _STAYS, _NO_SPEECH, _OVERLAPPED = 0.2, 0.75, 0.06, 0.03
_ENGLISH_MS, _MANDARIN_MS = (1125, 1444), (900, 1106)  # median and mean of a segment


def make(folder: Path, size: int, seed: int) -> dict:
    """Write that many recordings, ``labels.csv``, ``regions.csv``, and outputs of two models for both tasks.

    Returns keys of the corpus's entry.
    """
    audio = folder / "audio"
    audio.mkdir(parents=True, exist_ok=True)
    outputs = [f"{model}.{kind}" for model in MODELS for kind in ("txt", "rttm")]
    with Files(folder, "labels.csv", "regions.csv", *outputs) as files:
        files.write("labels.csv", [",".join(HEADER)])
        files.write("regions.csv", ["file,start,end"])
        for number in range(size):
            random = stream(seed, "merlion", number)
            # Every other parent–child pair was recorded twice.
            pair, session = 10_000 + (2 * number + 1) // 3, 2 if number % 3 == 2 else 1
            name = f"SIZ_P{pair}TT_VCST_ECxxx_{session:02d}_AO_{number:08d}_MERLIon"
            segments = _segments(random)
            duration_ms = int(segments[-1][1] + random.integers(500, 5_000))
            _silence(audio / f"{name}.wav", duration_ms)
            rows = (
                f"{name}.wav,a{i},{start},{end},{end - start},{tag},{overlapped},Development"
                for i, (start, end, tag, overlapped) in enumerate(segments, start=1)
            )
            files.write("labels.csv", rows)
            middle = len(segments) // 2
            halves = [segments[:middle], segments[middle:]] if random.random() < 0.2 else [segments]
            files.write("regions.csv", (f"{name}.wav,{half[0][0]},{half[-1][1]}" for half in halves))
            for model, right in MODELS.items():
                trials = [(i, s) for i, s in enumerate(segments, start=1) if s[2] in ("English", "Mandarin")]
                told = np.where(random.random(len(trials)) < right, 1, -1)
                signs = told * np.array([1 if s[2] == "English" else -1 for _, s in trials])
                scores = np.round(signs + random.normal(0, 1, len(trials)), 4)
                of_trials = list(zip(trials, scores, signs, strict=True))
                files.write(
                    f"{model}.txt",
                    (f"{name}_a{i}_{s[0]}_{s[1]} {score} {-score}" for (i, s), score, _ in of_trials if not s[3]),
                )
                files.write(f"{model}.rttm", _turns(name, of_trials))
    files = {"audio": str(audio), "labels": str(folder / "labels.csv"), "regions": str(folder / "regions.csv")}
    return {"task": "merlion", "reader": "merlion", "origin": "synthetic", "confidential": "nothing", "files": files}


def _segments(random: np.random.Generator) -> list[tuple[int, int, str, bool]]:
    """Start, end, tag and overlap of each, one after the other."""
    n = max(20, round(random.gamma(9, _MEAN_MS / _SEGMENT_MS / 9)))
    english, mandarin = (lengths(*of, 100, 20_000, n, random) for of in (_ENGLISH_MS, _MANDARIN_MS))
    gaps = random.exponential(_SEGMENT_MS - 0.8 * _ENGLISH_MS[1] - 0.2 * _MANDARIN_MS[1], n).astype(np.int64) + 1
    stays, drawn, silent, overlapped = random.random((4, n))
    found, at, is_mandarin = [], 400, False
    for i in range(n):
        is_mandarin = is_mandarin if stays[i] < _STAYS else bool(drawn[i] < _MANDARIN)
        length = int(mandarin[i] if is_mandarin else english[i])
        tag = "NON_SPEECH" if silent[i] < _NO_SPEECH else "Mandarin" if is_mandarin else "English"
        start = at + int(gaps[i])
        at = start + length
        found.append((start, at, tag, tag != "NON_SPEECH" and bool(overlapped[i] < _OVERLAPPED)))
    return found


def _turns(name: str, trials: list[tuple]) -> Iterator[str]:
    for (_, segment), _, sign in trials:
        language = "English" if sign > 0 else "Mandarin"
        start_s, length_s = segment[0] / 1000, (segment[1] - segment[0]) / 1000
        yield f"SPEAKER {name} 1 {start_s:.3f} {length_s:.3f} <NA> <NA> {language} <NA> <NA>"


def _silence(path: Path, duration_ms: int) -> None:
    """A WAV file whose samples are a hole."""
    n_samples = duration_ms * _RATE_HZ // 1000
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, _RATE_HZ, n_samples, "NONE", "not compressed"))
        file.writeframesraw(b"")
    header = bytearray(path.read_bytes())
    header[4:8] = (36 + 2 * n_samples).to_bytes(4, "little")
    header[40:44] = (2 * n_samples).to_bytes(4, "little")
    with path.open("wb") as file:
        file.write(header)
        file.truncate(len(header) + 2 * n_samples)
