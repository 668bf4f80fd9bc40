"""The first sheet of a workbook that anybody may have made, bounded before it is parsed."""

import logging
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sinobench.errors import InputError, private, short
from sinobench.guard import bounded_memory, regular

# A workbook of a few kilobytes can unpack to gigabytes, or hold a million rows: a corpus needs far less than these.
MAX_UNPACKED_BYTES = 128 * 2**20
MAX_SHEET_ROWS = 200_000
# Elements, start and end, of a part: sheets are read as a stream, all else becomes objects in memory.
_MAX_TAGS = (("xl/worksheets/", 8_000_000), ("xl/sharedStrings.xml", 1_200_000), ("", 50_000))
_MAX_COLUMNS = 64

log = logging.getLogger(__name__)


def sheet_rows(path: Path) -> list[tuple[int, list[str]]]:
    """Row numbers and stripped cells of the first sheet; InputError for no workbook, or one too large for a table."""
    # openpyxl streams the cells that exist; calamine lays out the whole rectangle, 16384 x 1048576 for one far cell.
    from openpyxl import load_workbook

    _guarded(regular(path), _refuse_bomb)
    with bounded_memory(path):
        return _first_sheet(path, load_workbook)


def _first_sheet(path: Path, load_workbook: Callable) -> list[tuple[int, list[str]]]:
    workbook = _guarded(path, lambda file: load_workbook(file, read_only=True, data_only=True, keep_links=False))
    try:
        if not workbook.worksheets:
            raise InputError("holds no sheet with cells", path)
        sheet = workbook.worksheets[0]
        if len(workbook.worksheets) > 1:
            log.warning("%s: only the first of its %d sheets is read", path, len(workbook.worksheets))
        found = sheet.iter_rows(max_row=MAX_SHEET_ROWS + 1, max_col=_MAX_COLUMNS, values_only=True)
        rows = _guarded(path, lambda _: [_sheet_cells(cells) for cells in found])
    finally:
        workbook.close()
    if len(rows) > MAX_SHEET_ROWS:
        raise InputError(f"has more than {MAX_SHEET_ROWS} rows; delete what is below the table or give a CSV", path)
    # Rows of a sheet have no common length: all are filled up to the longest.
    width = max(map(len, rows), default=0)
    return [(number, cells + [""] * (width - len(cells))) for number, cells in enumerate(rows, start=1)]


def _sheet_cells(cells: Sequence[object]) -> list[str]:
    texts = ["" if cell is None else str(cell).strip() for cell in cells]
    while texts and not texts[-1]:
        texts.pop()
    return texts


def _refuse_bomb(path: Path) -> None:
    # zipfile never unpacks more of a member than it declares, so the declared sizes are a true bound.
    with zipfile.ZipFile(path) as archive:
        size = sum(member.file_size for member in archive.infolist())
        if size > MAX_UNPACKED_BYTES:
            raise InputError(
                f"unpacks to {size / 2**20:.0f} MiB, more than the {MAX_UNPACKED_BYTES // 2**20} MiB that a table may "
                "have; save it anew with the table alone, or as CSV",
                path,
            )
        for member in archive.infolist():
            if member.filename.endswith((".xml", ".rels")):
                _check_part(archive, member, path)


def _check_part(archive: zipfile.ZipFile, member: zipfile.ZipInfo, path: Path) -> None:
    """InputError for a part with a DTD, whose entities may grow without bound, and for one of too many elements."""
    tags, end = 0, b""
    with archive.open(member) as part:
        while block := part.read(1 << 16):
            # In UTF-16, which no spreadsheet writes, the search would pass a DTD over.
            if b"<!DOCTYPE" in end + block or b"\0" in block:
                raise InputError(f"{short(member.filename)} has a DTD or is not UTF-8; save the workbook anew", path)
            tags, end = tags + block.count(b"<"), block[-8:]
    most = next(most for name, most in _MAX_TAGS if member.filename.startswith(name))
    if tags > most:
        raise InputError(
            f"{short(member.filename)} has {tags} tags, more than the {most} of a table; save it anew with the table "
            "alone, or as CSV",
            path,
        )


def _guarded(path: Path, read: Callable[[Path], Any]) -> Any:
    try:
        return read(path)
    except InputError:
        raise
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror}); give an existing, readable file", path) from None
    except MemoryError:
        raise
    except Exception as error:  # a broken workbook fails in openpyxl in a dozen ways
        raise InputError(f"is no readable Excel workbook ({private(error)}); save it as XLSX", path) from None
