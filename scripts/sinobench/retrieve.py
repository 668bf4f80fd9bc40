"""Fetch one pinned external file: from a mirror folder or the network, checked by size and SHA-256 either way."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from sinobench.arrival import Failure, Retrieval, from_mirror, from_network
from sinobench.pins import Pin, RetrievalError, is_as_pinned, pin_of

TIMEOUT_S = 30.0


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
    return supply(pin_of(source, file, sources), destination, mirror, attempts, wait_s, timeout_s)


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
                if retrieval := from_mirror(copy, pin, destination):
                    return retrieval
                tried.append(f"mirror: {copy} does not exist")
            except Failure as failure:
                tried.append(f"mirror: {copy}: {failure}; replace this copy or remove it")
                raise
        try:
            return from_network(pin, destination, attempts, wait_s, timeout_s)
        except Failure as failure:
            tried.append(f"network: {pin.url}: {failure}")
            raise
    except Failure:
        raise RetrievalError(_explain(pin, tried)) from None
    except OSError as error:
        message = f"{pin.file} of {pin.source}: cannot write {destination}: {error.strerror or error}"
        raise RetrievalError(message) from error


@contextmanager
def needed_for(*corpora: str) -> Iterator[None]:
    """Say in a RetrievalError what there is not without the file."""
    try:
        yield
    except RetrievalError as error:
        head, _, ways = str(error).partition("\n")
        missing = ", ".join(corpora) or "selected corpus"
        raise RetrievalError(f"{head}, without which there is no {missing}\n{ways}") from None


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
