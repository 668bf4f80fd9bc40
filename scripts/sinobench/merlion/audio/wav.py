"""Audio files: found by name, checked before anything trusts them, read by seeking as int16.

Times are integer ms, positions are samples, intervals are half-open. Source: specification of the released files
(mono 16-bit PCM WAV at 32 kHz); the training corpora have other rates and, rarely, other sample types.
"""

import os
import struct
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import soundfile

from sinobench.errors import InputError, is_not_text
from sinobench.guard import regular

RATE_HZ = 32_000
BLOCK = 1 << 18  # samples read at a time: half a megabyte, 8 s at 32 kHz
_SAMPLE_TYPES = {
    "PCM_U8": "8-bit",
    "PCM_24": "24-bit",
    "PCM_32": "32-bit",
    "FLOAT": "32-bit float",
    "DOUBLE": "64-bit float",
}


@dataclass(frozen=True)
class Audio:
    """What a readable file holds."""

    path: Path
    sample_rate_hz: int
    n_samples: int
    subtype: str  # as libsndfile names it: PCM_16, FLOAT, ...
    channels: int

    @property
    def duration_ms(self) -> int:
        """Whole milliseconds, rounded down."""
        return self.n_samples * 1000 // self.sample_rate_hz


def probe(path: str | Path, sample_rate_hz: int | None = RATE_HZ, subtypes: Collection[str] = ("PCM_16",)) -> Audio:
    """Check a file and say what it holds; any rate is right where sample_rate_hz is None.

    Raises InputError, each with its own message, for a file that is absent, empty, no audio, truncated, without
    samples, not mono, of another rate, of another sample type, or (float types) with NaN or infinite samples.
    """
    path = Path(path)
    with opened(path) as file:
        audio = Audio(path, file.samplerate, file.frames, file.subtype, file.channels)
        _refuse_truncated(file, path)
    if not audio.n_samples:
        raise InputError("holds no samples; remove the recording or restore its audio", path)
    if audio.channels != 1:
        raise InputError(f"has {audio.channels} channels; expected mono: keep or mix to one channel", path)
    if sample_rate_hz is not None and audio.sample_rate_hz != sample_rate_hz:
        raise InputError(
            f"has a sample rate of {audio.sample_rate_hz} Hz; expected {sample_rate_hz} Hz: resample it", path
        )
    if audio.subtype not in subtypes:
        kind = _SAMPLE_TYPES.get(audio.subtype, audio.subtype)
        raise InputError(f"has {kind} samples ({audio.subtype}); expected {' or '.join(subtypes)}: convert it", path)
    if audio.subtype in ("FLOAT", "DOUBLE"):
        with opened(path) as file:
            for start, samples in zip(range(0, file.frames, BLOCK), file.blocks(BLOCK, dtype="float64"), strict=False):
                _refuse_nan(samples, start, file)
    return audio


def read(path: str | Path, start: int, stop: int) -> np.ndarray:
    """The samples [start, stop) of a mono file as int16; see read_opened."""
    with opened(path) as file:
        return read_opened(file, start, stop)


def read_opened(file: soundfile.SoundFile, start: int, stop: int, out: np.ndarray | None = None) -> np.ndarray:
    """The samples [start, stop) of an open mono file as int16, (stop - start,), in ``out`` where it is given.

    Float samples are scaled by 32768, rounded and clipped. Raises InputError for bounds outside the file, and for
    float samples that are NaN or infinite.
    """
    if not 0 <= start <= stop <= file.frames:
        raise InputError(f"samples {start} to {stop} were asked for; the file has {file.frames}", file.name)
    try:
        file.seek(start)
        if file.subtype in ("FLOAT", "DOUBLE"):
            # libsndfile does not scale floats that are read as integers.
            samples = file.read(stop - start, dtype="float32")
            _refuse_nan(samples, start, file)
            samples = np.clip(np.rint(samples * np.float32(32768)), -32768, 32767).astype(np.int16)
            if out is not None:
                out[: len(samples)] = samples
        else:
            samples = file.read(stop - start, dtype="int16", out=out)
    except soundfile.LibsndfileError as error:
        raise InputError(f"can't be read from sample {start} on ({error.error_string})", file.name) from None
    if len(samples) != stop - start:
        raise InputError(f"ends {stop - start - len(samples)} samples before sample {stop}", file.name)
    return samples


def blocks(path: str | Path, size: int = BLOCK) -> Iterator[np.ndarray]:
    """All samples of a mono file as int16, at most ``size`` at a time, in order."""
    with opened(path) as file:
        for start in range(0, file.frames, size):
            yield read_opened(file, start, min(start + size, file.frames))


def opened(path: str | Path) -> soundfile.SoundFile:
    """The open file, a context manager. Raises InputError where there is none or it is no audio."""
    path = Path(path)
    if is_not_text(path):
        raise InputError("has a path that is not UTF-8, which libsndfile can't open; rename it", path)
    try:
        if not regular(path).stat().st_size:
            raise InputError("is empty (0 bytes); restore the audio file", path)
        with path.open("rb"):
            pass  # for the system's own reason: libsndfile only says "System error"
        return soundfile.SoundFile(path)
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror}); give an existing, readable audio file", path) from None
    except soundfile.LibsndfileError as error:
        raise InputError(f"can't be read as audio ({error.error_string.strip()})", path) from None


def samples_outward(start_ms: int, end_ms: int, sample_rate_hz: int) -> tuple[int, int]:
    """The whole samples [start, stop) that hold [start_ms, end_ms)."""
    # Python's integers: the product is more than 32 bits of a NumPy scalar hold.
    return int(start_ms) * sample_rate_hz // 1000, -(-int(end_ms) * sample_rate_hz // 1000)


def files_by_stem(folder: Path, suffixes: Collection[str]) -> dict[str, list[Path]]:
    """Files below the folder by stem, in the order of their paths; a file reached twice by links is one file."""
    files: dict[str, list[Path]] = {}
    seen: set[str] = set()
    for parent, folders, names in os.walk(folder, followlinks=True):
        if (real := os.path.realpath(parent)) in seen:  # a link to a folder above would never end
            folders.clear()
            continue
        seen.add(real)
        folders.sort()
        for name in sorted(names):
            path = Path(parent, name)
            if path.suffix.lower() in suffixes and (real := os.path.realpath(path)) not in seen:
                seen.add(real)
                files.setdefault(path.stem, []).append(path)
    return files


def _refuse_truncated(file: soundfile.SoundFile, path: Path) -> None:
    """A WAV whose data chunk is longer than the file, or another format whose last sample can't be read.

    libsndfile itself takes such a WAV for a shorter recording, without a word.
    """
    if file.format in ("WAV", "WAVEX", "RF64"):
        sizes = _data_chunk(path)
        if sizes is not None and sizes[0] > sizes[1]:
            raise InputError(
                f"is truncated: its header promises {sizes[0]} bytes of audio, {sizes[1]} are there; copy it again",
                path,
            )
    elif file.frames:
        try:
            file.seek(file.frames - 1)
            complete = len(file.read(1)) == 1
        except soundfile.LibsndfileError:
            complete = False
        if not complete:
            raise InputError(f"is truncated: its header promises {file.frames} samples; copy it again", path)


def _data_chunk(path: Path) -> tuple[int, int] | None:
    """The size that a WAV's data chunk claims and the bytes that follow its header; None where there is no chunk."""
    size = path.stat().st_size
    with path.open("rb") as stream:
        if stream.read(12)[:4] not in (b"RIFF", b"RF64"):
            return None
        long_size = None
        while len(header := stream.read(8)) == 8:
            name, length = struct.unpack("<4sI", header)
            if name == b"data":
                if length == 0xFFFFFFFF and long_size is not None:
                    length = long_size
                return length, size - stream.tell()
            if name == b"ds64":  # sizes over 4 GB: of the file, then of the data
                body = stream.read(length + length % 2)
                long_size = struct.unpack_from("<Q", body, 8)[0]
            else:
                stream.seek(length + length % 2, os.SEEK_CUR)
    return None


def _refuse_nan(samples: np.ndarray, start: int, file: soundfile.SoundFile) -> None:
    if not (finite := np.isfinite(samples)).all():
        i = int(finite.argmin())
        second = (start + i) / file.samplerate
        raise InputError(f"sample {start + i} (at {second:.3f} s) is {samples[i]}; repair the file", file.name)
