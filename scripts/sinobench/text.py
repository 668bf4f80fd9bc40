"""Text files as people have them: UTF-8 with or without BOM, LF or CRLF, with or without a last newline."""

import codecs
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from sinobench.errors import InputError
from sinobench.guard import regular

_BYTES_AT_ONCE = 2**20
_OTHER_SPACE = "\t\v\f\r\x1c\x1d\x1e\x1f"  # of ASCII, but what ends a line


def whole_number(text: str) -> int | None:
    """The number from 0 that up to nine digits write; None for any other text."""
    return int(text) if re.fullmatch("[0-9]{1,9}", text) else None


def storable(text: str) -> str:
    """The text with what not every file can hold, NUL and lone surrogates, as escapes."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")


def cells_by_column(lines: Sequence[str], n: int) -> list[list[str]] | None:
    """The cells of lines of n cells with one space between, by column; None where a line is not quite that.

    What is not may still be right: it is left to the reader that goes line by line, which names what is wrong.
    """
    text = " ".join(lines)
    if not text.isascii() or any(character in text for character in _OTHER_SPACE):
        return None
    cells = text.split(" ")
    if "" in cells or any(line.count(" ") != n - 1 for line in lines):
        return None
    return [cells[column::n] for column in range(n)]


def read_lines(path: str | Path) -> list[str]:
    """The lines of a UTF-8 file, less BOM and line endings and nothing else. Raises InputError as ``read_text``."""
    return read_text(path).split("\n")


def stream_lines(path: str | Path) -> Iterator[str]:
    """The same lines in memory that does not grow with the file; what is wrong with it is raised where it stands."""
    path = regular(path)
    if not path.is_file() or not path.stat().st_size:
        read_text(path)
    with path.open("rb") as file:
        for place, lines in enumerate(iter(lambda: file.readlines(_BYTES_AT_ONCE), [])):
            data = b"".join(lines)
            if place == 0:
                data = data.removeprefix(codecs.BOM_UTF8)
            try:
                text = str(data, "utf-8").removesuffix("\n")
            except UnicodeDecodeError:
                text = "\0"
            if not data or "\0" in text:
                read_text(path)  # says what is wrong
            yield from text.replace("\r\n", "\n").removesuffix("\r").split("\n")


def read_text(path: str | Path) -> str:
    """The lines of a UTF-8 file with LF between them, less BOM and the end of the last line.

    Only LF and CRLF end a line: U+2028, a form feed or a lone CR are text.
    Raises InputError for a missing or empty file and, with the line, for bytes that are not UTF-8.
    """
    return _decoded(_data(path), path)


def read_utf8(path: str | Path) -> bytes:
    """The same in UTF-8, each line with its end."""
    data = _data(path)
    if not data.isascii() or b"\r" in data:
        text = _decoded(data, path)
        data = data if b"\r" not in data else text.encode("utf-8") + b"\n"
    return data if data.endswith(b"\n") else data + b"\n"


def lines_of(data: bytes) -> list[str]:
    """The lines of what ``read_utf8`` gives, less their ends."""
    return data.decode("utf-8").removesuffix("\n").split("\n")


def _data(path: str | Path) -> bytes:
    path = regular(path)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"can't be read ({error.strerror}); give an existing, readable UTF-8 text file", path
        ) from None
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError("is UTF-16; save it as UTF-8", path, 1)
    data = data.removeprefix(codecs.BOM_UTF8)
    if not data:
        raise InputError("is empty; expected at least one line of text", path)
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(0)) + 1
        raise InputError("holds a NUL character; is it UTF-16? Save the file as UTF-8", path, line)
    return data


def _decoded(data: bytes, path: str | Path) -> str:
    try:
        text = str(memoryview(data)[: len(data) - data.endswith(b"\n")], "utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        place = error.start - data.rfind(b"\n", 0, error.start)
        raise InputError(f"byte {place} is not UTF-8 (GBK or Big5?); save the file as UTF-8", path, line) from None
    if b"\r" in data:
        text = text.replace("\r\n", "\n").removesuffix("\r")
    return text
