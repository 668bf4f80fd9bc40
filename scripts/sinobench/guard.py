"""Bounds for reading files that anybody may have made."""

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from sinobench.errors import InputError

MEMORY_BYTES = 400 * 2**20


def regular(path: str | Path) -> Path:
    """The path of a regular file; InputError for a folder, a device or a pipe, without opening it.

    Opening a pipe waits for its writer, and a device may never end. A path that can't be looked at is left to whoever
    opens it.
    """
    path = Path(path)
    with contextlib.suppress(OSError):
        mode = path.stat().st_mode
        if not stat.S_ISREG(mode):
            kind = "a folder" if stat.S_ISDIR(mode) else "a pipe, socket or device"
            raise InputError(f"is {kind}; give a regular file", path)
    return path


@contextlib.contextmanager
def bounded_memory(path: str | Path, limit: int = MEMORY_BYTES) -> Iterator[None]:
    """Let a parser that builds its document in memory take ``limit`` bytes more than there are now; InputError beyond.

    For single-threaded readers of small files. Without effect where the system does not tell or bound a process's size.
    """
    try:
        import resource

        used = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    except (ImportError, OSError):
        yield
        return
    bounds = [used + limit, *(value for value in (soft, hard) if value != resource.RLIM_INFINITY)]
    resource.setrlimit(resource.RLIMIT_AS, (min(bounds), hard))
    is_too_large = False
    try:
        yield
    except MemoryError:
        is_too_large = True
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    if is_too_large:
        raise InputError(f"takes more than {limit >> 20} MiB to read; save it anew, or in parts", path)
