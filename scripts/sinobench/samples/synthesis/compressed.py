"""Recordings small enough to stand in the repository: OGG Vorbis, named by what it becomes (``x.wav.ogg``)."""

import shutil
import zlib
from pathlib import Path

import numpy as np

# libsndfile crashes on one long Vorbis write.
_BLOCK_S = 5
# libsndfile's scale from 0 to 1, smallest; a tenth smaller than its default.
_COMPRESSION = 0.8
_SERIAL = b"sino"
# In a page of OGG: serial number at 14, checksum at 22, number of segments, their lengths, the segments.
_SEGMENTS = 26
_REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def write_ogg(path: Path, samples: np.ndarray, rate_hz: int) -> None:
    """int16 samples as OGG Vorbis; the same samples, the same bytes."""
    import soundfile

    path.parent.mkdir(parents=True, exist_ok=True)
    kind = {"format": "OGG", "subtype": "VORBIS", "compression_level": _COMPRESSION}
    with soundfile.SoundFile(path, "w", rate_hz, 1, **kind) as file:
        for first in range(0, len(samples), _BLOCK_S * rate_hz):
            file.write(samples[first : first + _BLOCK_S * rate_hz])
    path.write_bytes(_with_fixed_serial(path.read_bytes()))


def expand(source: str | Path, target: str | Path) -> list[Path]:
    """Decode a sample corpus: ``x.wav.ogg`` to PCM_16 WAV, ``x.flac.ogg`` to FLAC, other files copied as they are.

    Rate and folders stay. Returns the files written below ``target``, by path.
    """
    source, target = Path(source), Path(target)
    written = []
    for file in sorted(path for path in source.rglob("*") if path.is_file()):
        written_to = target / file.relative_to(source)
        written_to.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".ogg":
            written_to = written_to.with_suffix("")
            expand_file(file, written_to)
        else:
            shutil.copyfile(file, written_to)
        written.append(written_to)
    return written


def expand_file(source: str | Path, target: str | Path) -> None:
    """Decode one OGG file to WAV or FLAC, as the target's suffix says, 16 bit."""
    import soundfile

    kind = Path(target).suffix.removeprefix(".").upper()
    with (
        soundfile.SoundFile(source) as old,
        soundfile.SoundFile(target, "w", old.samplerate, old.channels, format=kind, subtype="PCM_16") as new,
    ):
        for block in old.blocks(_BLOCK_S * old.samplerate, dtype="int16"):
            new.write(block)


def _with_fixed_serial(data: bytes) -> bytes:
    """The pages of an OGG file with one serial number: libsndfile draws one by the clock."""
    pages, start = [], 0
    while start < len(data):
        n_segments = data[start + _SEGMENTS]
        body = start + _SEGMENTS + 1 + n_segments
        end = body + sum(data[start + _SEGMENTS + 1 : body])
        page = bytearray(data[start:end])
        page[14:18] = _SERIAL
        page[22:26] = bytes(4)
        page[22:26] = _checksum(page)
        pages.append(page)
        start = end
    return b"".join(pages)


def _checksum(page: bytes) -> bytes:
    """OGG's CRC-32: zlib's polynomial without inversion, most significant bit first."""
    crc = zlib.crc32(page.translate(_REVERSED), 0xFFFFFFFF) ^ 0xFFFFFFFF
    return crc.to_bytes(4, "big").translate(_REVERSED)
