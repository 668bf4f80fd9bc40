"""Hashes of content, SHA-256: what something holds, not where it stands, when it was made, or in which order."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path


def of_rows(rows: Iterable[Sequence[object]]) -> str:
    """The hash of rows of what JSON knows, whatever their order."""
    lines = sorted(json.dumps(row, ensure_ascii=False) for row in rows)
    return hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()


def of_file(path: str | Path) -> str:
    """The hash of what a file holds; of a folder, of the names and contents of the files in it, less hidden ones."""
    if Path(path).is_dir():
        files = [file for file in Path(path).rglob("*") if file.is_file() and not file.name.startswith(".")]
        return of_rows([file.relative_to(path).as_posix(), of_file(file)] for file in files)
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
