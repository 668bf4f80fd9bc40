"""NIST files of diarization: turns as RTTM, evaluated regions as UEM; seconds in the files, whole ms here.

Source: "The 2009 (RT-09) Rich Transcription Meeting Recognition Evaluation Plan", Appendix A. Only SPEAKER lines carry
a turn; the name in one is a speaker for most tools and a language for Task 2, so it is read as it stands.
"""

import codecs
import re
from collections.abc import Iterable
from decimal import Decimal
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sinobench.errors import InputError, private
from sinobench.guard import regular
from sinobench.merlion.annotation.tables import name_of, recording_name, refuse_overlaps
from sinobench.merlion.tables import Region
from sinobench.text import cells_by_column, read_lines, stream_lines

# A thousand hours of dense speech fit into less.
MAX_FILE_BYTES = 64 * 2**20

_LINES_AT_ONCE = 2**14
_SECONDS = re.compile(r"[0-9]{1,6}(\.[0-9]{0,18})?|\.[0-9]{1,18}")
_TO_THE_MS = re.compile(r"[0-9]{1,6}\.[0-9]{3}")


class NamedTurn(NamedTuple):
    """A turn [start_ms, end_ms) of whom or what the file names; ``line`` is 0 for a turn that no file holds."""

    recording: str
    start_ms: int
    end_ms: int
    name: str
    line: int = 0


class PlainTurns(NamedTuple):
    """n turns as columns: places in ``recordings`` and ``names``, and times, (n,) int64 each."""

    recordings: list[str]
    recording: np.ndarray
    start_ms: np.ndarray
    end_ms: np.ndarray
    names: list[str]
    name: np.ndarray


def read_rttm(path: str | Path) -> list[NamedTurn]:
    """The turns of an RTTM file in its order; comments (``;;``) and SPKR-INFO lines, which carry no time, are passed.

    Both bounds are rounded to whole ms, half to even, the end after onset and duration were added. Raises InputError
    with the line for any other kind of line, a wrong number of fields, a time that is no plain number of seconds, a
    file field that is no bare name, and a recording with two channels (they would be mixed into one).
    """
    path = Path(path)
    turns, channels = [], {}
    for number, cells in _rows(path):
        if cells[0] == "SPKR-INFO":
            continue
        if cells[0] != "SPEAKER" or not 8 <= len(cells) <= 10:
            expected = "SPEAKER file channel onset duration <NA> <NA> name <NA> <NA>"
            raise InputError(f"expected {expected}, found '{private(' '.join(cells))}'", path, number)
        recording = recording_name(cells[1], path, number)
        if channels.setdefault(recording, cells[2]) != cells[2]:
            found = f"'{private(channels[recording])}' and '{private(cells[2])}'"
            raise InputError(f"'{private(recording)}' has the channels {found}; give one file a channel", path, number)
        onset, duration = _seconds(cells[3], "onset", path, number), _seconds(cells[4], "duration", path, number)
        turns.append(NamedTurn(recording, _ms(onset), _ms(onset + duration), cells[7], number))
    return turns


def plain_rttm(path: str | Path) -> PlainTurns | None:
    """The turns of a file whose times have three decimals, read without holding its lines.

    None for a file with anything else in it, which ``read_rttm`` reads or refuses.
    """
    recordings: dict[str, int] = {}
    names: dict[str, int] = {}
    channels: set[tuple[int, str]] = set()
    parts = []
    lines = stream_lines(path) if _has_lines(Path(path)) else iter(())
    while part := list(islice(lines, _LINES_AT_ONCE)):
        columns = cells_by_column(part, 10)
        if columns is None:
            return None
        kinds, files, of_channels, onsets, durations, _, _, of_names, *_ = columns
        name_of_file = {file: name_of(file) for file in dict.fromkeys(files)}
        if set(kinds) != {"SPEAKER"} or None in name_of_file.values():
            return None
        if not all(map(_TO_THE_MS.fullmatch, chain(onsets, durations))):
            return None
        place_of = {file: recordings.setdefault(name, len(recordings)) for file, name in name_of_file.items()}
        code_of = {name: names.setdefault(name, len(names)) for name in dict.fromkeys(of_names)}
        recording, name = (
            np.array([*map(of.__getitem__, texts)]) for of, texts in ((place_of, files), (code_of, of_names))
        )
        channels |= set(zip(recording.tolist(), of_channels, strict=True))
        start_ms, lasting_ms = (
            np.array([int(text.replace(".", "")) for text in texts], np.int64) for texts in (onsets, durations)
        )
        parts.append((recording, start_ms, start_ms + lasting_ms, name))
    if not parts or len(channels) != len(recordings):
        return None
    recording, start_ms, end_ms, name = map(np.concatenate, zip(*parts, strict=True))
    return PlainTurns([*recordings], recording, start_ms, end_ms, [*names], name)


def write_rttm(turns: Iterable[NamedTurn], path: str | Path) -> None:
    """Write turns in the order given, on channel 1, to the millisecond."""
    lines = (
        f"SPEAKER {t.recording} 1 {_text(t.start_ms)} {_text(t.end_ms - t.start_ms)} <NA> <NA> {t.name} <NA> <NA>\n"
        for t in turns
    )
    Path(path).write_text("".join(lines), encoding="utf-8", newline="\n")


def read_uem(path: str | Path) -> list[Region]:
    """The evaluated regions of a UEM file (file, channel, start, end) in its order; ``row`` is the line.

    Raises InputError with the line for a wrong number of fields, a time that is no plain number of seconds, an end at
    or before its start, and regions of a recording that overlap.
    """
    path = Path(path)
    regions = []
    for number, cells in _rows(path):
        if len(cells) != 4:
            raise InputError(f"expected file channel start end, found '{private(' '.join(cells))}'", path, number)
        start_ms, end_ms = (_ms(_seconds(cells[i], name, path, number)) for i, name in ((2, "start"), (3, "end")))
        if end_ms <= start_ms:
            raise InputError(
                f"end {private(cells[3])} is not after start {private(cells[2])}; correct it", path, number
            )
        regions.append(Region(recording_name(cells[0], path, number), start_ms, end_ms, number))
    if not regions:
        raise InputError("holds no region; expected lines with file, channel, start and end", path)
    refuse_overlaps(regions, path)
    return regions


def write_uem(regions: Iterable[Region], path: str | Path) -> None:
    """Write regions in the order given, on channel 1, to the millisecond."""
    lines = (f"{r.recording} 1 {_text(r.start_ms)} {_text(r.end_ms)}\n" for r in regions)
    Path(path).write_text("".join(lines), encoding="utf-8", newline="\n")


def read_optional_lines(path: Path) -> list[str]:
    """The lines of a text file that may be empty. Raises InputError for one that is far too large to be turns."""
    return read_lines(path) if _has_lines(path) else []


def _has_lines(path: Path) -> bool:
    try:
        size = regular(path).stat().st_size
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror}); give an existing, readable file", path) from None
    if size > MAX_FILE_BYTES:
        raise InputError(f"has {size / 2**20:.0f} MiB, more than the {MAX_FILE_BYTES // 2**20} that turns need", path)
    return size > 0 and not (size == len(codecs.BOM_UTF8) and path.read_bytes() == codecs.BOM_UTF8)


def _rows(path: Path) -> list[tuple[int, list[str]]]:
    rows = ((number, line.split()) for number, line in enumerate(read_optional_lines(path), start=1))
    return [(number, cells) for number, cells in rows if cells and not cells[0].startswith(";;")]


def _seconds(text: str, field: str, file: Path, line: int) -> Decimal:
    if not _SECONDS.fullmatch(text):
        raise InputError(f"{field} '{private(text)}' is no time; expected seconds, as in 12.345", file, line)
    return Decimal(text)


def _ms(seconds: Decimal) -> int:
    return round(seconds * 1000)


def _text(ms: int) -> str:
    return f"{ms // 1000}.{ms % 1000:03d}"
