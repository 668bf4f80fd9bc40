"""Files of corpora in object storage, and where a run has its copies.

Imported while Snakemake parses: nothing heavy here.
"""

from collections.abc import Iterable, Mapping

from sinobench.errors import InputError, short

SCHEME = "s3://"
# Parts of corpora that are folders.
_FOLDERS = {"audio", "eaf"}


def is_object(path: str) -> bool:
    """Whether a path of a catalog is the address of an object, or of a folder of them."""
    return path.startswith(SCHEME)


def bucket_and_key(path: str, where: str | None = None) -> str:
    """``bucket/key`` of an object; InputError, with where it is named, for one whose copy would stand elsewhere."""
    found = path.removeprefix(SCHEME).rstrip("/")
    if not {"", ".", ".."}.isdisjoint(found.split("/")) or "/" not in found:
        raise InputError(
            f"'{short(path)}' names no object; expected s3://bucket/key, no part empty, '.' or '..'", where
        )
    return found


def place(path: str, retrieved: str) -> str:
    """Where an object's copy stands: ``<retrieved>/s3/<bucket>/<key>``; another path as it is."""
    return f"{retrieved}/s3/{bucket_and_key(path)}" if is_object(path) else path


def named(corpora: Iterable[Mapping], folders: bool) -> list[str]:
    """``bucket/key`` of each object that entries of corpora name, or of each folder of objects."""
    files = [item for corpus in corpora for item in corpus["files"].items() if isinstance(item[1], str)]
    chosen = [file for part, file in files if is_object(file) and (part in _FOLDERS) == folders]
    return sorted(set(map(bucket_and_key, chosen)))
