"""Hashes of content, SHA-256: what something holds, not where it stands, when it was made, or in which order."""

import hashlib
import json
import os
import tempfile
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from json.encoder import encode_basestring
from pathlib import Path

_LINES_AT_ONCE = 2**15  # what a core's cache holds is sorted faster than more
_BYTES_MERGED_AT_ONCE = 2**16  # of each sorted part
_BYTES_AT_ONCE = 2**22


def of_rows(rows: Iterable[Sequence[object]]) -> str:
    """The hash of rows of what JSON knows, whatever their order; of many, which need not fit in memory."""
    return of_lines(map(as_json, rows))


def of_lines(lines: Iterable[str]) -> str:
    """``of_rows`` of rows that are JSON already."""
    found, before = hashlib.sha256(), b""
    for part in _sorted(iter(lines)):
        found.update(before)
        found.update(memoryview(b"".join(part))[:-1])
        before = b"\n"
    return found.hexdigest()


def json_lines(name: str, columns: Sequence[Sequence[object]]) -> Iterator[str]:
    """The JSON of rows that are given by column, each row after this name: in half of the time that rows take."""
    cells = [map(_encoder(values), values) for values in columns]
    yield from map(f"[{encode_basestring(name)}, {', '.join(['{}'] * len(columns))}]".format, *cells)


def as_json(value: object) -> str:
    """As ``json.dumps`` writes it, which takes three times as long for a row of texts and numbers."""
    if type(value) is str:
        return encode_basestring(value)
    if type(value) is int:
        return str(value)
    if value is None:
        return "null"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(as_json, value))}]"
    return json.dumps(value, ensure_ascii=False)


def of_file(path: str | Path) -> str:
    """The hash of what a file holds; of a folder, of the names and contents of the files in it, less hidden ones."""
    if Path(path).is_dir():
        files = [file for file in Path(path).rglob("*") if file.is_file() and not file.name.startswith(".")]
        return of_rows([file.relative_to(path).as_posix(), of_file(file)] for file in files)
    found = hashlib.sha256()
    with Path(path).open("rb", buffering=0) as stream:
        # Few large parts: a thread that hashes beside others waits for its turn after each.
        part = memoryview(bytearray(min(os.fstat(stream.fileno()).st_size, _BYTES_AT_ONCE) + 1))
        while n := stream.readinto(part):
            found.update(part[:n])
    return found.hexdigest()


def _encoder(values: Sequence[object]) -> Callable[[object], str]:
    """What ``as_json`` does with each of the values, without asking again of which type it is."""
    return {(str,): encode_basestring, (int,): str}.get((*set(map(type, values)),), as_json)


def _sorted(lines: Iterator[str]) -> Iterator[list[bytes]]:
    """Lines in their order, with line ends, some at a time; by way of a file where they are many.

    UTF-8 orders them by their code points, and JSON has no character before the line end.
    """
    first = _some(lines)
    if len(first) < _LINES_AT_ONCE:
        yield from filter(None, [first])
        return
    with tempfile.TemporaryFile() as file:
        ends = [0]
        while first:
            file.writelines(first)
            ends.append(file.tell())
            first = _some(lines)
        file.flush()
        yield from _merged([_read(file.fileno(), *part) for part in pairwise(ends)])


def _some(lines: Iterator[str]) -> list[bytes]:
    return sorted(f"{line}\n".encode("utf-8", "surrogatepass") for line in islice(lines, _LINES_AT_ONCE))


def _read(file: int, start: int, end: int) -> Iterator[list[bytes]]:
    """The lines between two places of a file, some at a time; whatever else is read of it in between."""
    begun = b""
    while start < end:
        block = os.pread(file, min(_BYTES_MERGED_AT_ONCE, end - start), start)
        start += len(block)
        lines = (begun + block).splitlines(keepends=True)
        begun = b"" if lines[-1].endswith(b"\n") else lines.pop()
        yield lines


def _merged(parts: Sequence[Iterator[list[bytes]]]) -> Iterator[list[bytes]]:
    """The lines of sorted parts in one order. Not one by one: what stands before the earliest end is sorted at once."""
    held: list[list[bytes]] = [[] for _ in parts]
    while True:
        for lines, part in zip(held, parts, strict=True):
            while not lines and (more := next(part, None)) is not None:
                lines += more
        if not any(held):
            return
        end = min(lines[-1] for lines in held if lines)
        found = []
        for lines in held:
            n = bisect_right(lines, end)
            found += lines[:n]
            del lines[:n]
        yield sorted(found)
