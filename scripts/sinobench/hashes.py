"""Hashes of content, SHA-256: what something holds, not where it stands, when it was made, or in which order."""

import hashlib
import heapq
import json
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from json.encoder import encode_basestring
from pathlib import Path

_LINES_AT_ONCE = 2**18
_LINES_HASHED_AT_ONCE = 2**12
_BYTES_AT_ONCE = 2**22


def of_rows(rows: Iterable[Sequence[object]]) -> str:
    """The hash of rows of what JSON knows, whatever their order; of many, which need not fit in memory."""
    return of_lines(map(as_json, rows))


def of_lines(lines: Iterable[str]) -> str:
    """``of_rows`` of rows that are JSON already."""
    found, between, ordered = hashlib.sha256(), b"", _sorted(iter(lines))
    while part := list(islice(ordered, _LINES_HASHED_AT_ONCE)):
        found.update(between + "\n".join(part).encode("utf-8", "surrogatepass"))
        between = b"\n"
    return found.hexdigest()


def as_json(value: object) -> str:
    """As ``json.dumps`` writes it, which takes three times as long for a row of texts and numbers."""
    if type(value) is str:
        return encode_basestring(value)
    if type(value) is int:
        return str(value)
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


def _sorted(lines: Iterator[str]) -> Iterator[str]:
    """Lines without line ends in their order, by way of files where they are many."""
    first = sorted(islice(lines, _LINES_AT_ONCE))
    if len(first) < _LINES_AT_ONCE:
        yield from first
        return
    with ExitStack() as opened:
        parts = []
        while first:
            part = tempfile.TemporaryFile("w+", encoding="utf-8", errors="surrogatepass", newline="\n")  # noqa: SIM115
            parts.append(opened.enter_context(part))
            part.writelines(f"{line}\n" for line in first)
            part.seek(0)
            first = sorted(islice(lines, _LINES_AT_ONCE))
        # JSON has no character before the line end, so it changes no order.
        yield from (line[:-1] for line in heapq.merge(*parts))
