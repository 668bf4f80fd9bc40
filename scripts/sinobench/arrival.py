"""Ways for a pinned file to arrive: copied from a mirror, or downloaded; it stands in its place whole or not at all."""

import hashlib
import logging
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

from sinobench.errors import InputError
from sinobench.guard import regular
from sinobench.pins import Pin
from sinobench.web import Watch, opener, time_limit

LEAST_BYTES_PER_S = 10_000  # on average, once the time for an answer is over
BLOCK_BYTES = 1 << 16
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Retrieval:
    """A file that arrived: ``origin`` is the URL or the mirror's path that it came from."""

    origin: str
    sha256: str
    size_bytes: int


class Failure(Exception):
    """One way of supplying the file failed for good."""


class _Passing(Exception):
    """A failure of the network that another attempt may not meet."""


def from_mirror(copy: Path, pin: Pin, destination: Path) -> Retrieval | None:
    """Copy the file to its destination; None where there is no copy. Raises Failure for one that is not as pinned."""
    try:
        data = regular(copy).open("rb")
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise Failure(f"cannot be read: {error.strerror or error}") from None
    except InputError:
        raise Failure("cannot be read: is no regular file") from None

    def read(n: int) -> bytes:
        try:
            return data.read(n)
        except OSError as error:
            raise Failure(f"cannot be read: {error.strerror or error}") from None

    with data, _beside(destination) as output:
        sha256, size_bytes = _copy(read, output, pin.size_bytes)
        _check(sha256, size_bytes, pin)
    return Retrieval(str(copy), sha256, size_bytes)


def from_network(pin: Pin, destination: Path, attempts: int, wait_s: float, timeout_s: float) -> Retrieval:
    """Download the file to its destination. Raises Failure where no attempt succeeds, or none can."""
    for attempt in range(1, attempts + 1):
        try:
            return _download(pin, destination, timeout_s)
        except _Passing as passing:
            if attempt == attempts:
                raise Failure(f"{passing} (the last of {attempts} attempts)") from None
            pause_s = wait_s * 2 ** (attempt - 1)
            _log.warning("%s: %s; attempt %d of %d, again in %g s", pin.url, passing, attempt, attempts, pause_s)
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
        raise Failure(f"wrong size: expected {pin.size_bytes} bytes, found more")
    if size_bytes < pin.size_bytes:
        raise Failure(f"wrong size: expected {pin.size_bytes} bytes, found {size_bytes}")
    if sha256 != pin.sha256:
        raise Failure(f"wrong sha256: expected {pin.sha256}, found {sha256}")


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
        kind = _Passing if error.code == 429 or error.code >= 500 else Failure
        raise kind(f"HTTP {error.code} {error.reason}") from None
    except URLError as error:
        # urllib gives an exception as the reason where the connection failed, and a text where it refuses the address
        raise (_Passing if isinstance(error.reason, OSError) else Failure)(str(error.reason)) from None
    except (InvalidURL, ValueError) as error:  # ValueError: where a redirection leads
        raise Failure(f"not an address: {error}") from None
    except (OSError, HTTPException) as error:
        raise _Passing(str(error) or type(error).__name__) from None
