"""External files as they must be: where they are published, their size and their SHA-256."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, urlsplit

from sinobench.errors import InputError, nearest

UNUSABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")  # control characters and lone surrogates


class RetrievalError(InputError):
    """A file could not be supplied; the message names it, what was tried and what to do."""


@dataclass(frozen=True)
class Pin:
    """A file as it must be, and where it is published; in a mirror it stands at ``<source>/<file>``."""

    source: str
    file: str
    url: str
    sha256: str
    size_bytes: int


def pin_of(source: str, file: str, sources: Mapping) -> Pin:
    """The file that ``sources``, the content of config/sources.yaml, names; RetrievalError where it names none."""
    for name in (source, file):
        if not _is_plain_name(name):
            raise RetrievalError(
                f"{file!r} of {source!r}: {name!r} is not a plain name; expected one without folders, '..' or control "
                "characters"
            )
    where = f"{file} of {source}"
    entry = _look_up(source, sources, f"{where}: sources has no {source!r}")
    files = _look_up("files", entry, f"{where}: source {source!r} has no 'files'")
    facts = _look_up(file, files, f"{where}: source {source!r} lists no file {file!r}")
    return pinned(source, file, entry.get("base_url"), facts)


def pinned(source: str, file: str, base: object, facts: Mapping) -> Pin:
    """A file by the facts that a catalog has of it: its path below the address ``base``, sha256 and size_bytes.

    Raises RetrievalError for what can't be one of them.
    """
    where, path, sha256, size = f"{file} of {source}", *map(facts.get, ("path", "sha256", "size_bytes"))
    if not _is_web_folder(base):
        raise RetrievalError(f"{where}: base_url is {base!r}; expected http:// or https://, ASCII, ending with /")
    if not isinstance(path, str) or UNUSABLE.search(path) or {"", ".", ".."} & set(path.split("/")):
        raise RetrievalError(f"{where}: path is {path!r}; expected a path inside the repository, without '..'")
    if not isinstance(sha256, str) or not re.fullmatch("[0-9a-f]{64}", sha256):
        raise RetrievalError(f"{where}: sha256 is {sha256!r}; expected 64 lower-case hexadecimal digits, in quotes")
    if type(size) is not int or size < 0:
        raise RetrievalError(f"{where}: size_bytes is {size!r}; expected a whole number of bytes")
    return Pin(source, file, base + quote(path), sha256, size)


def is_as_pinned(file: Path, sha256: str, size_bytes: int) -> bool:
    """Whether the file is there with the size and SHA-256 that are pinned."""
    if not file.is_file() or file.stat().st_size != size_bytes:
        return False
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest() == sha256


def _look_up(key: str, mapping: object, missing: str) -> Mapping:
    value = mapping.get(key) if isinstance(mapping, Mapping) else None
    if isinstance(value, Mapping):
        return value
    others = [str(name) for name in mapping if name != key] if isinstance(mapping, Mapping) else []
    raise RetrievalError(f"{missing}; {nearest(key, others)}")


def _is_plain_name(name: object) -> bool:
    # "\\" and ":" so that a name means the same on Windows, where they lead to other folders and drives
    return (
        isinstance(name, str)
        and name not in ("", ".", "..")
        and not set(name) & set("/\\:")
        and not UNUSABLE.search(name)
    )


def _is_web_folder(url: object) -> bool:
    if not isinstance(url, str) or not re.fullmatch(r"https?://[!-~]+/", url):
        return False
    try:
        parts = urlsplit(url)
        return bool(parts.hostname) and parts.port != 0 and not parts.query and not parts.fragment
    except ValueError:  # a port or an IPv6 address that is none
        return False
