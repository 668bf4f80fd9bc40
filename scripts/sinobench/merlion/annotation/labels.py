"""Labels as the challenge releases them: one segment a row, with its language and whether another one overlaps it.

Times are whole milliseconds. Source: plan, Table 3 and Appendix C; the released header has two columns more.
"""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import starmap
from operator import attrgetter
from pathlib import Path

import numpy as np

from sinobench.errors import InputError, private
from sinobench.merlion.annotation.plain import blocks_of, milliseconds, translated
from sinobench.merlion.annotation.tables import bounds, name_of, read_table, recording_name
from sinobench.merlion.languages import LANGUAGES
from sinobench.merlion.tables import Segment, Timestamp

HEADER = ("audio_name", "utt_id", "start", "end", "length", "language_tag", "overlap_diff_lang", "dev_eval_status")

_MAX_ID = 40  # files of chunks are named by it
_NEEDED = ("audio_name", "utt_id", "start", "end")
RELEASED_FIELDS = ("recording", "utt_id", "start_ms", "end_ms", "language", "overlap_diff_lang", "status")
_NEEDED_OF_LABELS = (*_NEEDED, "language_tag", "overlap_diff_lang")
_OPTIONAL = ("length", "dev_eval_status")
TAGS = {  # by the tag as `fold` gives it
    "ENGLISH": "English",
    "MANDARIN": "Mandarin",
    "NON_SPEECH": "NON_SPEECH",
    "NON_EVALUATED": "NON_EVALUATED",
    "NON_EVALUATED_SPEECH": "NON_EVALUATED",
}
_RELEASED_SPELLING = {language: language for language in LANGUAGES} | {"NON_EVALUATED": "Non-Evaluated-Speech"}


@lru_cache(maxsize=1024)  # a table has few tags
def fold(tag: str) -> str:
    """The tag in upper case with ``_`` for hyphens and spaces: spellings vary between releases."""
    return tag.strip().upper().replace("-", "_").replace(" ", "_")


def read_labels(path: str | Path) -> list[Segment]:
    """The segments of a labels table, in its order; ``length`` and ``dev_eval_status`` may be missing.

    Raises InputError with file and line for an unknown language tag, a time that is not whole, an end at or before its
    start, a utt_id that stands twice in a recording, an audio_name with a folder, a
    missing column, and a table without rows.
    """
    columns = label_columns(path)
    return list(starmap(Segment, zip(*map(_values, columns.values()), strict=True)))


def label_columns(path: str | Path) -> dict[str, Sequence]:
    """The same as columns, named and ordered as the fields of a segment; times and rows are arrays (n,) int64."""
    path = Path(path)
    return _columns_at_once(path, _NEEDED_OF_LABELS, _OPTIONAL) or _as_columns(_labels_by_line(path), Segment)


def read_timestamps(path: str | Path) -> list[Timestamp]:
    """The segments of the evaluation set for Task 1, in the order that a submission must have.

    Columns audio_name, utt_id, start, end. Raises InputError as ``read_labels`` does.
    """
    columns = timestamp_columns(path)
    return list(starmap(Timestamp, zip(*map(_values, columns.values()), strict=True)))


def timestamp_columns(path: str | Path) -> dict[str, Sequence]:
    """The same as columns, as ``label_columns``."""
    path = Path(path)
    return _columns_at_once(path, _NEEDED) or _as_columns(_timestamps_by_line(path), Timestamp)


def write_labels(segments: Iterable[Segment], path: str | Path) -> None:
    """A labels CSV with the released header and spelling, in the order given; the same segments, the same bytes."""
    write_rows(map(attrgetter(*RELEASED_FIELDS), segments), path)


def write_rows(segments: Iterable[Sequence], path: str | Path) -> None:
    """The same of segments as values of ``RELEASED_FIELDS``."""
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        writer.writerows(
            (f"{name}.wav", utt_id, start_ms, end_ms, end_ms - start_ms, _RELEASED_SPELLING[language], overlap, status)
            for name, utt_id, start_ms, end_ms, language, overlap, status in segments
        )


def segment_id(segment: Segment | Timestamp) -> str:
    """The id in result files, ``<recording>_<utt_id>_<start>_<end>`` (plan, Appendix C)."""
    return f"{segment.recording}_{segment.utt_id}_{segment.start_ms}_{segment.end_ms}"


def segment_ids(columns: Mapping[str, Sequence]) -> list[str]:
    """Those of columns of segments."""
    parts = (_values(columns[name]) for name in ("recording", "utt_id", "start_ms", "end_ms"))
    return ["_".join(map(str, row)) for row in zip(*parts, strict=True)]


def _columns_at_once(path: Path, required: Sequence[str], optional: Sequence[str] = ()) -> dict[str, Sequence] | None:
    """The columns of a file in which nothing is wrong and nothing unusual; None for any other, to be read by line."""
    parts = []
    for block in blocks_of(path, required, optional):
        part = _of_block(block) if block else None
        if part is None:
            return None
        parts.append(part)
    if not parts:
        return None
    columns: dict[str, Sequence] = {}
    for name, first in list(parts[0].items()):
        of_parts = [part.pop(name) for part in parts]
        is_array = isinstance(first, np.ndarray)
        columns[name] = np.concatenate(of_parts) if is_array else [value for part in of_parts for value in part]
    columns["row"] = np.arange(2, 2 + len(columns["recording"]))
    places = [_places(columns[name]) for name in ("recording", "utt_id")]
    keys = places[0] * (1 + places[1].max()) + places[1]
    return columns if len(np.unique(keys)) == len(keys) else None


def _of_block(block: Mapping[str, Sequence[str]]) -> dict[str, Sequence] | None:
    """The columns of a block of cells; None where one of them needs a look."""
    times = {name: milliseconds(block[name.removesuffix("_ms")]) for name in ("start_ms", "end_ms")}
    if any(each is None for each in times.values()) or (times["end_ms"] <= times["start_ms"]).any():
        return None
    found = {
        "recording": translated(block["audio_name"], name_of),
        "utt_id": translated(block["utt_id"], lambda text: text if _is_utt_id(text) else None),
        **times,
    }
    if "language_tag" in block:
        found["language"] = translated(block["language_tag"], lambda text: TAGS.get(fold(text)))
        found["overlap_diff_lang"] = translated(block["overlap_diff_lang"], _truth_of)
        n = len(block["audio_name"])
        found["status"] = translated(block["dev_eval_status"], str) if "dev_eval_status" in block else [""] * n
    return None if any(values is None for values in found.values()) else found


def _places(values: Sequence[str]) -> np.ndarray:
    """(n,) of each value among the distinct ones."""
    of = {value: place for place, value in enumerate(dict.fromkeys(values))}
    return np.fromiter(map(of.__getitem__, values), np.int64, len(values))


def _values(column: Sequence) -> Sequence:
    return column.tolist() if isinstance(column, np.ndarray) else column


def _as_columns(rows: Sequence[Segment] | Sequence[Timestamp], held: type) -> dict[str, Sequence]:
    columns = {name: [getattr(row, name) for row in rows] for name in held.__dataclass_fields__}
    return columns | {name: np.array(columns[name], np.int64) for name in ("start_ms", "end_ms", "row")}


def _labels_by_line(path: Path) -> list[Segment]:
    segments = []
    for row, cells in read_table(path, _NEEDED_OF_LABELS, _OPTIONAL):
        start_ms, end_ms = bounds(cells["start"], cells["end"], path, row)
        segments.append(
            Segment(
                recording_name(cells["audio_name"], path, row),
                _utt_id(cells["utt_id"], path, row),
                start_ms,
                end_ms,
                _language(cells["language_tag"], path, row),
                _truth(cells["overlap_diff_lang"], path, row),
                cells.get("dev_eval_status", ""),
                row,
            )
        )
    _refuse_unusable(segments, path)
    return segments


def _timestamps_by_line(path: Path) -> list[Timestamp]:
    stamps = []
    for row, cells in read_table(path, _NEEDED):
        recording, utt_id = recording_name(cells["audio_name"], path, row), _utt_id(cells["utt_id"], path, row)
        stamps.append(Timestamp(recording, utt_id, *bounds(cells["start"], cells["end"], path, row), row))
    _refuse_unusable(stamps, path)
    return stamps


def _language(tag: str, file: Path, row: int) -> str:
    language = TAGS.get(fold(tag))
    if language is None:
        known = ", ".join(_RELEASED_SPELLING.values())
        raise InputError(f"language tag '{private(tag)}' is unknown; expected one of {known}", file, row)
    return language


def _truth(text: str, file: Path, row: int) -> bool:
    truth = _truth_of(text)
    if truth is None:
        raise InputError(f"overlap_diff_lang '{private(text)}' is neither True nor False", file, row)
    return truth


def _truth_of(text: str) -> bool | None:
    return {"true": True, "false": False}.get(text.lower())


def _utt_id(text: str, file: Path, row: int) -> str:
    if not _is_utt_id(text):
        raise InputError(
            f"utt_id '{private(text)}' is none; expected at most {_MAX_ID} characters, no blank, no slash, as in a1",
            file,
            row,
        )
    return text


@lru_cache(maxsize=4096)  # those of one recording are those of others too
def _is_utt_id(text: str) -> bool:
    return len(text.split()) == 1 and len(text) <= _MAX_ID and text.isprintable() and not re.search(r"[/\\]", text)


def _refuse_unusable(segments: list[Segment] | list[Timestamp], file: Path) -> None:
    if not segments:
        raise InputError("has a header and no segment below it; give the rows too", file)
    first: dict[tuple[str, str], int] = {}
    for segment in segments:
        line = first.setdefault((segment.recording, segment.utt_id), segment.row)
        if line != segment.row:
            raise InputError(
                f"utt_id '{private(segment.utt_id)}' of '{private(segment.recording)}' stands twice, first on line "
                f"{line}; give each segment its own",
                file,
                segment.row,
            )
