"""The clips: copied from a mirror as a listing pins them, and read with their speakers."""

import hashlib
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sinobench.errors import InputError, nearest, short
from sinobench.merlion.annotations import inside, read_table
from sinobench.merlion.audio import probe, read
from sinobench.merlion.training import LANGUAGES

RATE_HZ = 16_000
SPLITS = ("train", "test")
MANIFEST = "manifest.csv"
_MAX_S = 60  # of a clip: what is longer is no utterance, and may not fit the memory
_SHOWN = 5  # problems in a message


@dataclass(frozen=True)
class Clip:
    """Speech of one speaker in one language; ``path`` is relative to the folder of the clips."""

    path: str
    language: str
    speaker: str


def copy_clips(mirror: str | Path, listing: str | Path, out: str | Path) -> int:
    """Copy every listed clip from the mirror into ``out`` and the listing beside them as their manifest; how many.

    listing: CSV with path, sha256 and size_bytes beside the columns of `read_clips`. Raises InputError, naming them,
    for clips that the mirror lacks or has with other bytes, and for a path that leaves the mirror.
    """
    mirror, out = Path(mirror), Path(out)
    if not mirror.is_dir():
        raise InputError("is no folder; give the mirror's folder that holds the clips", mirror)
    problems = []
    rows = read_table(listing, ("path", "sha256", "size_bytes"))
    for line, row in rows:
        if not re.fullmatch("[0-9]{1,8}", row["size_bytes"]):
            raise InputError(f"size_bytes '{short(row['size_bytes'])}'; expected a whole number", listing, line)
        data = _bytes(inside(mirror, row["path"], listing, line), int(row["size_bytes"]))
        if data is None:
            problems.append(f"{row['path']} is missing")
        elif hashlib.sha256(data).hexdigest() != row["sha256"]:
            problems.append(f"{row['path']} has not the {row['size_bytes']} bytes of sha256 {row['sha256']}")
        else:
            target = out / row["path"]
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    if problems:
        more = f" and {len(problems) - _SHOWN} more" if len(problems) > _SHOWN else ""
        raise InputError(f"{'; '.join(problems[:_SHOWN])}{more}; restore the copies that {listing} lists", mirror)
    shutil.copyfile(listing, out / MANIFEST)
    return len(rows)


def _bytes(path: Path, size: int) -> bytes | None:
    """At most a byte more than ``size``; None where there is no such file."""
    try:
        with path.open("rb") as file:
            return file.read(size + 1)
    except OSError:
        return None


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
        for column, known in (("language", LANGUAGES), ("split", SPLITS)):
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
    if audio.n_samples > _MAX_S * RATE_HZ:
        raise InputError(f"lasts {audio.duration_ms} ms; expected an utterance of at most {_MAX_S} s", audio.path)
    return read(audio.path, 0, audio.n_samples)
