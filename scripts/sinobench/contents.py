"""What the files that people bring hold: replaced by one with an older time, a file is another all the same.

Imported while Snakemake parses: nothing heavy here.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from sinobench.known import Known

_FILES = Known("contents")


def contents(paths: Iterable[str]) -> list[str]:
    """A digest of each path: of a file, what it holds; of a folder, names, sizes and times of all files below it.

    Left out are paths that do not exist, those that begin with ``<``, which the workflow makes, and folders of which
    files are named too.
    """
    brought = [path for path in paths if not path.startswith("<") and os.path.exists(path)]
    told_by_files = {str(parent) for path in brought for parent in Path(path).parents}
    return [_digest(path) for path in brought if str(Path(path)) not in told_by_files]


@cache
def _digest(path: str) -> str:
    try:
        if os.path.isdir(path):
            listing = "\n".join(sorted(_listing(path, len(path))))
            return hashlib.sha256(listing.encode("utf-8", "surrogateescape")).hexdigest()
        return _of_file(path) if os.path.isfile(path) else ""
    except OSError:  # the job that reads it says what is wrong
        return ""


def _of_file(path: str) -> str:
    def find() -> str:
        with open(path, "rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()

    digest = _FILES.of(path, find)
    _FILES.keep()
    return digest


def _listing(folder: str, start: int) -> Iterator[str]:
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from _listing(entry.path, start)
        else:
            found = entry.stat(follow_symlinks=not entry.is_symlink() or os.path.exists(entry.path))
            yield f"{entry.path[start:]}\t{found.st_size}\t{found.st_mtime_ns}"
