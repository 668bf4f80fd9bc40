"""Labels as the challenge releases them: one segment a row, with its language and whether another one overlaps it.

Times are whole milliseconds. Source: plan, Table 3 and Appendix C; the released header has two columns more.
"""

import csv
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from sinobench.errors import InputError, private
from sinobench.merlion.annotation.tables import bounds, read_table, recording_name
from sinobench.merlion.languages import LANGUAGES
from sinobench.merlion.tables import Segment, Timestamp

HEADER = ("audio_name", "utt_id", "start", "end", "length", "language_tag", "overlap_diff_lang", "dev_eval_status")

_MAX_ID = 40  # files of chunks are named by it
_NEEDED = ("audio_name", "utt_id", "start", "end")
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
    path = Path(path)
    needed = (*_NEEDED, "language_tag", "overlap_diff_lang")
    segments = []
    for row, cells in read_table(path, needed, optional=("length", "dev_eval_status")):
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


def read_timestamps(path: str | Path) -> list[Timestamp]:
    """The segments of the evaluation set for Task 1, in the order that a submission must have.

    Columns audio_name, utt_id, start, end. Raises InputError as ``read_labels`` does.
    """
    path = Path(path)
    stamps = []
    for row, cells in read_table(path, _NEEDED):
        recording, utt_id = recording_name(cells["audio_name"], path, row), _utt_id(cells["utt_id"], path, row)
        stamps.append(Timestamp(recording, utt_id, *bounds(cells["start"], cells["end"], path, row), row))
    _refuse_unusable(stamps, path)
    return stamps


def write_labels(segments: Iterable[Segment], path: str | Path) -> None:
    """A labels CSV with the released header and spelling, in the order given; the same segments, the same bytes."""
    with Path(path).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(HEADER)
        for s in segments:
            writer.writerow(
                (
                    f"{s.recording}.wav",
                    s.utt_id,
                    s.start_ms,
                    s.end_ms,
                    s.end_ms - s.start_ms,
                    _RELEASED_SPELLING[s.language],
                    s.overlap_diff_lang,
                    s.status,
                )
            )


def segment_id(segment: Segment | Timestamp) -> str:
    """The id in result files, ``<recording>_<utt_id>_<start>_<end>`` (plan, Appendix C)."""
    return f"{segment.recording}_{segment.utt_id}_{segment.start_ms}_{segment.end_ms}"


def _language(tag: str, file: Path, row: int) -> str:
    language = TAGS.get(fold(tag))
    if language is None:
        known = ", ".join(_RELEASED_SPELLING.values())
        raise InputError(f"language tag '{private(tag)}' is unknown; expected one of {known}", file, row)
    return language


def _truth(text: str, file: Path, row: int) -> bool:
    if text.lower() not in ("true", "false"):
        raise InputError(f"overlap_diff_lang '{private(text)}' is neither True nor False", file, row)
    return text.lower() == "true"


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
