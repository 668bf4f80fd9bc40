"""The clips, with their speakers."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sinobench.errors import InputError, nearest, short
from sinobench.merlion.annotation.tables import inside, read_table
from sinobench.merlion.audio.wav import probe, read
from sinobench.merlion.languages import TARGETS
from sinobench.samples.joined.conversion import MAX_S, RATE_HZ

SPLITS = ("train", "test")
MANIFEST = "manifest.csv"


@dataclass(frozen=True)
class Clip:
    """Speech of one speaker in one language; ``path`` is relative to the folder of the clips."""

    path: str
    language: str
    speaker: str


def read_clips(folder: str | Path, split: str) -> list[Clip]:
    """The clips of one split, in the order of ``manifest.csv`` with path, language, speaker and split.

    Raises InputError with the line for a path that leaves the folder or leads to no file, and a file name that stands
    twice; for an unknown language or split; for an empty speaker and one with clips in both splits; and where the split
    has no clip.
    """
    folder = Path(folder)
    manifest = folder / MANIFEST
    clips: list[Clip] = []
    split_of: dict[str, str] = {}
    seen: set[str] = set()
    for line, row in read_table(manifest, ("path", "language", "speaker", "split")):
        for column, known in (("language", TARGETS), ("split", SPLITS)):
            if row[column] not in known:
                hint = nearest(row[column], known)
                raise InputError(f"{column} '{short(row[column])}' is not known; {hint}", manifest, line)
        path, speaker = row["path"], row["speaker"]
        if not inside(folder, path, manifest, line).is_file():
            raise InputError(f"path '{short(path)}' names no file in {folder}; restore the clip", manifest, line)
        # Recordings of the training corpus are named by their clip.
        if (stem := Path(path).stem) in seen:
            raise InputError(f"a second clip is named '{short(stem)}'; rename or remove one", manifest, line)
        seen.add(stem)
        if not speaker:
            raise InputError("speaker is empty; give a name", manifest, line)
        if split_of.setdefault(speaker, row["split"]) != row["split"]:
            raise InputError(f"speaker '{short(speaker)}' is in both splits; keep each in one", manifest, line)
        if row["split"] == split:
            clips.append(Clip(path, row["language"], speaker))
    if not clips:
        raise InputError(f"has no clip of the split '{split}'", manifest)
    return clips


def samples_of(folder: str | Path, clip: Clip) -> np.ndarray:
    """The int16 samples of a clip. Raises InputError unless it is 16 kHz mono PCM_16 of at most a minute."""
    audio = probe(Path(folder, clip.path), RATE_HZ)
    if audio.n_samples > MAX_S * RATE_HZ:
        raise InputError(f"lasts {audio.duration_ms} ms; expected an utterance of at most {MAX_S} s", audio.path)
    return read(audio.path, 0, audio.n_samples)
