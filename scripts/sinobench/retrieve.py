"""Fetch one pinned external file: from a mirror folder or the network, checked by size and SHA-256 either way."""

import hashlib
import logging
import os
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http.client import HTTPException, InvalidURL
from pathlib import Path
from typing import BinaryIO
from urllib import request
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit

from sinobench.errors import InputError, nearest
from sinobench.guard import regular
from sinobench.web import Watch, opener, time_limit

TIMEOUT_S = 30.0
LEAST_BYTES_PER_S = 10_000  # on average, once TIMEOUT_S is over
BLOCK_BYTES = 1 << 16
UNUSABLE = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")  # control characters and lone surrogates

log = logging.getLogger(__name__)


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


@dataclass(frozen=True)
class Retrieval:
    """A file that arrived: ``origin`` is the URL or the mirror's path that it came from."""

    origin: str
    sha256: str
    size_bytes: int


def mirror_of(config: Mapping) -> Path | None:
    """The folder with copies of public files: what SINOBENCH_MIRROR names, else the config's ``mirror``."""
    folder = os.environ.get("SINOBENCH_MIRROR") or config.get("mirror")
    return Path(folder) if folder else None


def retrieve(
    source: str,
    file: str,
    destination: Path,
    sources: Mapping,
    mirror: Path | None = None,
    attempts: int = 3,
    wait_s: float = 2.0,
    timeout_s: float = TIMEOUT_S,
) -> Retrieval:
    """Write a file that ``sources``, the content of config/sources.yaml, names to ``destination``, as `supply` does."""
    return supply(_pin(source, file, sources), destination, mirror, attempts, wait_s, timeout_s)


def supply(
    pin: Pin,
    destination: Path,
    mirror: Path | None = None,
    attempts: int = 3,
    wait_s: float = 2.0,
    timeout_s: float = TIMEOUT_S,
) -> Retrieval:
    """Write a file to ``destination``, atomically and only once size and SHA-256 are as pinned.

    ``mirror`` is a folder laid out ``<source>/<file>``; a file that it has is final, be it right or wrong, and one that
    it lacks is asked from the network. Passing failures of the network are tried ``attempts`` times in all, after
    ``wait_s``, ``2 * wait_s``, … seconds; ``timeout_s`` bounds each wait for the server, LEAST_BYTES_PER_S an
    attempt in all. A destination that is as pinned already is left alone. Raises RetrievalError; an existing
    destination is then as it was.
    """
    if attempts < 1:
        raise ValueError(f"attempts must be at least 1, not {attempts}")
    destination = Path(destination)
    tried = []
    try:
        if is_as_pinned(destination, pin.sha256, pin.size_bytes):
            return Retrieval(f"{destination}, where it was", pin.sha256, pin.size_bytes)
        if mirror is None:
            tried.append("mirror: none is set")
        else:
            copy = Path(mirror) / pin.source / pin.file
            try:
                if found := _from_mirror(copy, pin, destination):
                    return found
                tried.append(f"mirror: {copy} does not exist")
            except _Failure as failure:
                tried.append(f"mirror: {copy}: {failure}; replace this copy or remove it")
                raise
        try:
            return _from_network(pin, destination, attempts, wait_s, timeout_s)
        except _Failure as failure:
            tried.append(f"network: {pin.url}: {failure}")
            raise
    except _Failure:
        raise RetrievalError(_explain(pin, tried)) from None
    except OSError as error:
        message = f"{pin.file} of {pin.source}: cannot write {destination}: {error.strerror or error}"
        raise RetrievalError(message) from error


class _Failure(Exception):
    """One way of supplying the file failed for good."""


class _Passing(Exception):
    """A failure of the network that another attempt may not meet."""


def _pin(source: str, file: str, sources: Mapping) -> Pin:
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


def is_as_pinned(file: Path, sha256: str, size_bytes: int) -> bool:
    """Whether the file is there with the size and SHA-256 that are pinned."""
    if not file.is_file() or file.stat().st_size != size_bytes:
        return False
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest() == sha256


def _from_mirror(copy: Path, pin: Pin, destination: Path) -> Retrieval | None:
    try:
        data = regular(copy).open("rb")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _Failure(f"cannot be read: {error.strerror or error}") from None
    except InputError:
        raise _Failure("cannot be read: is no regular file") from None

    def read(n: int) -> bytes:
        try:
            return data.read(n)
        except OSError as error:
            raise _Failure(f"cannot be read: {error.strerror or error}") from None

    with data, _beside(destination) as output:
        sha256, size_bytes = _copy(read, output, pin.size_bytes)
        _check(sha256, size_bytes, pin)
    return Retrieval(str(copy), sha256, size_bytes)


def _from_network(pin: Pin, destination: Path, attempts: int, wait_s: float, timeout_s: float) -> Retrieval:
    for attempt in range(1, attempts + 1):
        try:
            return _download(pin, destination, timeout_s)
        except _Passing as passing:
            if attempt == attempts:
                raise _Failure(f"{passing} (the last of {attempts} attempts)") from None
            pause_s = wait_s * 2 ** (attempt - 1)
            log.warning("%s: %s; attempt %d of %d, again in %g s", pin.url, passing, attempt, attempts, pause_s)
            time.sleep(pause_s)
    raise AssertionError("unreachable")


def _download(pin: Pin, destination: Path, timeout_s: float) -> Retrieval:
    with time_limit(timeout_s + pin.size_bytes / LEAST_BYTES_PER_S) as watch:
        try:
            return _receive(pin, destination, timeout_s, watch)
        except _Passing:
            if watch.is_over:
                raise _Passing(f"slower than {LEAST_BYTES_PER_S // 1000} kB a second") from None
            raise


def _receive(pin: Pin, destination: Path, timeout_s: float, watch: Watch) -> Retrieval:
    start, received = time.monotonic(), 0
    with _network_errors():
        response = opener(watch).open(request.Request(pin.url, headers={"User-Agent": "sinobench"}), timeout=timeout_s)

    def read(n: int) -> bytes:
        nonlocal received
        with _network_errors():
            block = response.read1(n)
        received += len(block)
        if time.monotonic() - start > timeout_s + received / LEAST_BYTES_PER_S:
            watch.end()
            raise _Passing("too slow")
        return block

    with closing(response), _beside(destination) as output:
        sha256, size_bytes = _copy(read, output, pin.size_bytes)
        if size_bytes < pin.size_bytes and not _is_complete(response.headers, size_bytes):
            raise _Passing(f"truncated after {size_bytes} of {pin.size_bytes} bytes")
        _check(sha256, size_bytes, pin)
    return Retrieval(pin.url, sha256, size_bytes)


def _is_complete(headers: Mapping, received: int) -> bool:
    # A reader given a size returns a short body without complaint, so the declared length is compared here. A body
    # that merely ends with its connection cannot be told from a truncated one: it counts as truncated.
    declared = headers.get("Content-Length", "")
    return int(declared) <= received if re.fullmatch("[0-9]{1,18}", declared) else "Transfer-Encoding" in headers


def _copy(read: Callable[[int], bytes], output: BinaryIO, expected_bytes: int) -> tuple[str, int]:
    digest, received = hashlib.sha256(), 0
    # One byte more than expected tells that a body is too long; an endless one must not fill the disk.
    while block := read(min(BLOCK_BYTES, expected_bytes + 1 - received)):
        digest.update(block)
        output.write(block)
        received += len(block)
    return digest.hexdigest(), received


def _check(sha256: str, size_bytes: int, pin: Pin) -> None:
    if size_bytes > pin.size_bytes:
        raise _Failure(f"wrong size: expected {pin.size_bytes} bytes, found more")
    if size_bytes < pin.size_bytes:
        raise _Failure(f"wrong size: expected {pin.size_bytes} bytes, found {size_bytes}")
    if sha256 != pin.sha256:
        raise _Failure(f"wrong sha256: expected {pin.sha256}, found {sha256}")


@contextmanager
def _beside(destination: Path) -> Iterator[BinaryIO]:
    """A temporary file in the destination's folder: takes its place when the block ends well, is removed otherwise."""
    destination.parent.mkdir(parents=True, exist_ok=True)
    # Not tempfile: it would leave the result readable by its owner only.
    temporary = destination.with_name(f".{destination.name}.{secrets.token_hex(4)}.part")
    try:
        with temporary.open("xb") as output:
            yield output
        temporary.replace(destination)
    finally:
        temporary.unlink(missing_ok=True)


@contextmanager
def _network_errors() -> Iterator[None]:
    """Sort what urllib raises; wrapped around network calls only, so that a full disk is not retried."""
    try:
        yield
    except HTTPError as error:
        error.close()
        kind = _Passing if error.code == 429 or error.code >= 500 else _Failure
        raise kind(f"HTTP {error.code} {error.reason}") from None
    except URLError as error:
        # urllib gives an exception as the reason where the connection failed, and a text where it refuses the address
        raise (_Passing if isinstance(error.reason, OSError) else _Failure)(str(error.reason)) from None
    except (InvalidURL, ValueError) as error:  # ValueError: where a redirection leads
        raise _Failure(f"not an address: {error}") from None
    except (OSError, HTTPException) as error:
        raise _Passing(str(error) or type(error).__name__) from None


def _explain(pin: Pin, tried: list[str]) -> str:
    return "\n".join(
        [
            f"cannot retrieve {pin.file} of {pin.source}",
            *(f"  {attempt}" for attempt in tried),
            "To supply it, do one of these:",
            f"  - let this machine reach {urlsplit(pin.url).netloc} and run again;",
            f"  - put the file ({pin.size_bytes} bytes, sha256 {pin.sha256})",
            f"    at $SINOBENCH_MIRROR/{pin.source}/{pin.file}",
            f"    or at {pin.source}/{pin.file} in the folder that the config key `mirror:` names.",
        ]
    )
