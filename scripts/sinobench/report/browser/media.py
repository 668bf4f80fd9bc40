"""What a page can show and play of a recording: its mel spectrogram as a picture, and its sound, compressed.

Of masked audio alone, and of corpora that are not confidential.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from sinobench.merlion.audio.features import mel_filters
from sinobench.merlion.audio.wav import opened

# Of all recordings of a run; an hour is 10 MB.
LIMIT_S = 3600
LISTING = "recordings.json"
_RATE_HZ = 16_000
_WINDOW, _COLUMNS_PER_S, _MOST_COLUMNS, _BANDS, _SHADES, _RANGE_DB = 512, 25, 16_000, 64, 32, 60


def render(recordings: Iterable[tuple[str, str, Path]], folder: Path) -> dict[str, dict[str, dict]]:
    """Write pictures and sound into the folder, below the corpus's name, and a listing of them, which is returned.

    recordings: corpus, name and masked audio of each. The listing has by corpus and recording ``image`` and ``sound``,
    files beside, or a ``note`` on why they are not there: beyond ``LIMIT_S`` in all.
    """
    listing: dict[str, dict[str, dict]] = {}
    total_s = 0.0
    for corpus, name, path in recordings:
        own = listing.setdefault(corpus, {})
        with opened(path) as file:
            duration_s = file.frames / file.samplerate
        if total_s + duration_s > LIMIT_S:
            own[name] = {"note": f"without sound: a report holds {LIMIT_S // 60} minutes, and those before fill them"}
            continue
        total_s += duration_s
        (folder / corpus).mkdir(parents=True, exist_ok=True)
        files = {"image": f"{len(own)}.png", "sound": f"{len(own)}.mp3"}
        samples = resampled(path)
        (folder / corpus / files["image"]).write_bytes(png(spectrogram(samples)))
        write_sound(samples, folder / corpus / files["sound"])
        own[name] = files
    folder.mkdir(parents=True, exist_ok=True)
    (folder / LISTING).write_text(json.dumps(listing, ensure_ascii=False), encoding="utf-8")
    return listing


def listed(folder: str | Path) -> Mapping[str, Mapping[str, dict]]:
    """The listing in a folder that was rendered."""
    return json.loads(Path(folder, LISTING).read_text(encoding="utf-8"))


def resampled(path: str | Path) -> np.ndarray:
    """The samples of a recording at 16 kHz, int16."""
    import soxr

    with opened(path) as file:
        samples = file.read(dtype="int16")
        return soxr.resample(samples, file.samplerate, _RATE_HZ)


def spectrogram(samples: np.ndarray) -> np.ndarray:
    """The log mel spectrogram of samples at 16 kHz, (bands, columns) from 0 to 31, low tones last."""
    from scipy import fft

    hop = max(_RATE_HZ // _COLUMNS_PER_S, len(samples) // _MOST_COLUMNS + 1)
    window = (0.5 - 0.5 * np.cos(2 * np.pi * np.arange(_WINDOW) / _WINDOW)).astype(np.float32)
    padded = np.pad(samples.astype(np.float32) / 32_768, _WINDOW // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, _WINDOW)[::hop]
    mel = mel_filters(_WINDOW, _BANDS).astype(np.float32) @ np.square(np.abs(fft.rfft(frames * window, axis=1))).T
    db = 10 * np.log10(np.maximum(mel, 1e-10))
    shades = (db[::-1] - db.max() + _RANGE_DB) * ((_SHADES - 1) / _RANGE_DB)
    return np.round(np.maximum(shades, 0)).astype(np.uint8)


def png(shades: np.ndarray) -> bytes:
    """A grey picture of (height, width) shades from 0, white, to 31, black."""
    height, width = shades.shape
    grey = (255 - shades * (255 // (_SHADES - 1))).astype(np.uint8)
    rows = np.hstack([np.zeros((height, 1), np.uint8), grey])  # each begins with its filter, none
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = [(b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 9)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunks(parts))


def write_sound(samples: np.ndarray, path: str | Path) -> None:
    """Write samples at 16 kHz as MP3, which every browser plays."""
    import soundfile

    with soundfile.SoundFile(
        path, "w", _RATE_HZ, 1, format="MP3", subtype="MPEG_LAYER_III", compression_level=0.9
    ) as file:
        for start in range(0, len(samples), 5 * _RATE_HZ):  # one long write overflows libsndfile's stack
            file.write(samples[start : start + 5 * _RATE_HZ])


def _chunks(parts: Iterable[tuple[bytes, bytes]]) -> Iterator[bytes]:
    for kind, data in parts:
        yield struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
