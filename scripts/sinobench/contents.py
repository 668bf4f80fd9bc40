"""What the files that people bring hold: replaced by one with an older time, a file is another all the same.

Imported while Snakemake parses: nothing heavy here.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

# Digests by path, each with what the file system said of the file: it is read again only after that changed.
_KNOWN = Path(".snakemake/contents.json")


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
    found = os.stat(path)
    # The time of the last change of any kind can't be set back, as `cp -p` sets that of the content.
    state = [found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]
    name = os.path.abspath(path)
    if name not in _known() or _known()[name][0] != state:
        with open(path, "rb") as stream:
            _known()[name] = [state, hashlib.file_digest(stream, "sha256").hexdigest()]
        _keep()
    return _known()[name][1]


def _listing(folder: str, start: int) -> Iterator[str]:
    for entry in os.scandir(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from _listing(entry.path, start)
        else:
            found = entry.stat(follow_symlinks=not entry.is_symlink() or os.path.exists(entry.path))
            yield f"{entry.path[start:]}\t{found.st_size}\t{found.st_mtime_ns}"


@cache
def _known() -> dict[str, list]:
    try:
        return json.loads(_KNOWN.read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):  # ValueError: not what was written here
        return {}


def _keep() -> None:
    unfinished = _KNOWN.with_name(f".{_KNOWN.name}.{os.getpid()}")
    unfinished.parent.mkdir(exist_ok=True)
    unfinished.write_text(json.dumps(_known()), encoding="utf-8")
    unfinished.replace(_KNOWN)
