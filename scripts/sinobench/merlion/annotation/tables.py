"""Tables beside the audio, as CSV or XLSX: evaluated regions and redactions, and the cells that all tables share.

Times are whole milliseconds, half-open [start, end). A recording is named by its file without ``.wav``. Rows are lines
of a CSV and rows of a sheet, from 1.
"""

import csv
import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path, PureWindowsPath

from sinobench.errors import InputError, nearest, private
from sinobench.merlion.annotation.workbook import sheet_rows
from sinobench.merlion.tables import Redaction, Region
from sinobench.text import stream_lines

# The controlled vocabulary Sensitive_Masking of the BELA template, version 3. The last one waits for a decision.
UNDECIDED_REDACTION = ":PROTECTION-CHECK"
REDACTION_LABELS = (
    "BABYNAME",
    "SIBLINGNAME",
    "ADULTNAME",
    "FATHERNAME",
    "MOTHERNAME",
    "GRANDMOTHERNAME",
    "GRANDFATHERNAME",
    "STRANGERNAME",
    "CONFIDENTIAL",
    UNDECIDED_REDACTION,
)

_MILLISECONDS = re.compile(r"[0-9]{1,9}(\.0*)?")
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?")
_NOT_IN_A_NAME = re.compile(r"[\s/\\]")
_MAX_NAME_BYTES = 200  # a file system takes 255, and suffixes follow

log = logging.getLogger(__name__)


def read_regions(path: str | Path) -> list[Region]:
    """The evaluated regions in the order of the file: columns file, start, end by place, the rest unread.

    The first row is a header where its second and third cells name start and end: the official reader takes it for one
    always, and so loses a region of a headerless file. Raises InputError with the row for a wrong name or time, an end
    at or before its start, and regions of a recording that overlap (a millisecond is scored once).
    Source: plan, Table 4.
    """
    path = Path(path)
    regions: list[Region] = []
    for position, (row, cells) in enumerate(read_rows(path)):
        if len(cells) < 3:
            raise InputError(f"expected file, start, end, found {_shown(cells)}", path, row)
        if position == 0 and not any(_NUMBER.fullmatch(cell) for cell in cells[1:3]):
            if not all(name in cell.lower() for name, cell in zip(("start", "end"), cells[1:3], strict=True)):
                message = f"{_shown(cells)} is neither a region nor a header; expected file, start and end"
                raise InputError(message, path, row)
            continue
        regions.append(Region(recording_name(cells[0], path, row), *bounds(cells[1], cells[2], path, row), row))
    if not regions:
        raise InputError("holds no region; expected rows with file, start and end", path)
    refuse_overlaps(regions, path)
    return regions


def read_redactions(path: str | Path) -> list[Redaction]:
    """The redactions in the order of the file: columns audio_name, start, end, label, by name.

    A header without rows is a corpus without redactions. An undecided one (``:PROTECTION-CHECK``) is kept, so that it
    is masked, with a warning. Overlapping ones are merged (``merge_redactions``). Raises InputError with the row for a
    wrong name or time and an unknown label. An end beyond the audio is for those to find who have the audio.
    """
    path = Path(path)
    redactions = []
    for row, cells in read_table(path, ("audio_name", "start", "end", "label")):
        label = redaction_label(cells["label"], path, row)
        recording = recording_name(cells["audio_name"], path, row)
        redactions.append(Redaction(recording, *bounds(cells["start"], cells["end"], path, row), label, row))
    return merge_redactions(redactions, path)


def merge_redactions(redactions: Iterable[Redaction], file: Path) -> list[Redaction]:
    """Redactions of a recording that overlap as one, on the row of the first, with a warning; touching ones stay two.

    Different labels are all kept, as in ``BABYNAME+ADULTNAME``. The order is that of the rows.
    """
    merged: dict[str, list[Redaction]] = {}
    for redaction in sorted(redactions, key=lambda r: (r.start_ms, r.end_ms, r.row)):
        of_recording = merged.setdefault(redaction.recording, [])
        if not of_recording or redaction.start_ms >= of_recording[-1].end_ms:
            of_recording.append(redaction)
            continue
        first = of_recording[-1]
        labels = dict.fromkeys([*first.label.split("+"), redaction.label])
        end_ms, row = max(first.end_ms, redaction.end_ms), min(first.row, redaction.row)
        of_recording[-1] = Redaction(first.recording, first.start_ms, end_ms, "+".join(labels), row)
        log.warning("%s, line %d: overlaps the redaction of line %d; they are masked as one", file, redaction.row, row)
    return sorted((redaction for of_recording in merged.values() for redaction in of_recording), key=lambda r: r.row)


def redaction_label(text: str, file: Path, row: int) -> str:
    """The label in its own spelling; warns of an undecided one, InputError for an unknown one."""
    label = text.strip().upper()
    if label not in REDACTION_LABELS:
        hint = nearest(label, REDACTION_LABELS)
        raise InputError(f"'{private(text)}' is no label of a redaction; {hint}", file, row)
    if label == UNDECIDED_REDACTION:
        log.warning("%s, line %d: %s is undecided; it is masked until someone decides", file, row, label)
    return label


def refuse_overlaps(regions: Iterable[Region], file: Path) -> None:
    """InputError at the first region of a recording that starts before an earlier one ends."""
    last: dict[str, Region] = {}
    for region in sorted(regions, key=lambda r: (r.start_ms, r.end_ms, r.row)):
        before = last.get(region.recording)
        if before is not None and region.start_ms < before.end_ms:
            raise InputError(
                f"region {private(region.start_ms, region.end_ms)} of '{private(region.recording)}' overlaps "
                f"{private(before.start_ms, before.end_ms)} on line {before.row}; join them or correct the times",
                file,
                region.row,
            )
        last[region.recording] = region


def recording_name(text: str, file: Path, row: int | None) -> str:
    """The recording's name from a cell with a bare file name: ``.wav`` in any case taken off.

    InputError for anything that leads to another folder, and for white space, which parts the columns of result files.
    """
    name = name_of(text)
    if name is None:
        raise InputError(
            f"audio_name '{private(text)}' is no plain file name; write the name only: no folder, white space or "
            f"character that is not printed, and at most {_MAX_NAME_BYTES} bytes",
            file,
            row,
        )
    return name


@lru_cache(maxsize=1024)  # a recording has many rows
def name_of(text: str) -> str | None:
    """The recording's name from such a cell; None where it is no plain file name."""
    name = re.sub(r"\.wav$", "", text, flags=re.IGNORECASE)
    odd = not name.strip(".") or not name.isprintable() or _NOT_IN_A_NAME.search(name) or re.match("[A-Za-z]:", name)
    return None if odd or len(name.encode()) > _MAX_NAME_BYTES else name


def inside(folder: Path, text: str, file: str | Path, row: int) -> Path:
    """The path that a cell gives below a folder; InputError for one that leaves it."""
    # PureWindowsPath knows drives and both slashes.
    outside = PureWindowsPath(text).anchor or ".." in PureWindowsPath(text).parts
    if outside or not (folder / text).resolve().is_relative_to(folder.resolve()):
        raise InputError(f"path '{private(text)}' leaves the folder {folder}; expected one inside it", file, row)
    return folder / text


def bounds(start: str, end: str, file: Path, row: int) -> tuple[int, int]:
    """Start and end in ms from two cells; InputError unless both are whole and the end is after the start."""
    start_ms, end_ms = _milliseconds(start, "start", file, row), _milliseconds(end, "end", file, row)
    if end_ms <= start_ms:
        where = "before" if end_ms < start_ms else "at"
        message = f"end {private(end_ms)} is {where} start {private(start_ms)}; correct the times"
        raise InputError(message, file, row)
    return start_ms, end_ms


def _milliseconds(text: str, column: str, file: Path, row: int) -> int:
    if not _MILLISECONDS.fullmatch(text):
        raise InputError(f"{column} '{private(text)}' is no time; expected whole milliseconds, as in 1170", file, row)
    return int(text.partition(".")[0])


def read_table(
    path: str | Path, required: Sequence[str], optional: Sequence[str] = ()
) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows of a table with a header as (row, cells by column); other columns are left out, names are folded to lower.

    Raises InputError for a missing or doubled column and for a row with more or fewer cells than the header.
    """
    path = Path(path)
    rows = read_rows(path)
    header_row, cells = next(rows, (0, []))
    if not cells:
        raise InputError(f"is empty; expected columns {', '.join(required)}", path)
    header = [name.lower() for name in cells]
    wanted = [name for name in (*required, *optional) if name in header]
    for name in required:
        if name not in header:
            raise InputError(f"column '{name}' is missing in {_shown(header)}", path, header_row)
    for name in wanted:
        if header.count(name) > 1:
            raise InputError(f"column '{name}' stands twice; keep one", path, header_row)
    places = [(name, header.index(name)) for name in wanted]
    for row, cells in rows:
        if len(cells) != len(header):
            raise InputError(f"expected {len(header)} cells, found {len(cells)} in {_shown(cells)}", path, row)
        yield row, {name: cells[place] for name, place in places}


def read_rows(path: str | Path) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, as (row, stripped cells), of a CSV (comma or tab) or the first sheet of an XLSX."""
    path = Path(path)
    rows = sheet_rows(path) if path.suffix.lower() in (".xlsx", ".xlsm") else _csv_rows(path)
    return ((row, cells) for row, cells in rows if any(cells))


def _csv_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    delimiter = ","
    for number, line in enumerate(stream_lines(path), start=1):
        if number == 1 and "\t" in line:
            delimiter = "\t"
        if '"' not in line and "\r" not in line:  # three times as fast
            yield number, [cell.strip() for cell in line.split(delimiter)] if line else []
            continue
        try:
            # Line by line: a quote that is never closed must not swallow the rest of the file.
            cells = next(csv.reader([line], delimiter=delimiter, strict=True), [])
        except csv.Error as error:
            raise InputError(f"can't be split into cells ({error}): '{private(line)}'", path, number) from None
        yield number, [cell.strip() for cell in cells]


def _shown(cells: Sequence[str]) -> str:
    return f"'{private(' | '.join(cells))}'"
