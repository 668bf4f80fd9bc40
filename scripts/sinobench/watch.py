"""Watch what a job's child process takes: time, memory, processes, what it prints and what it writes.

Memory is what the child and all its descendants hold, as ``/proc`` tells; elsewhere it is not watched. Imported by
nearly every job: nothing heavy here.
"""

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

LOG_MB = 10  # of output that the log keeps
OUTPUT_MB = 100  # of output that ends its model
WRITTEN_MB = 20_000  # in a folder
PROCESSES = 1000
_LOOK_S = 0.25
_STRAY_S = 5.0  # in which what a child left behind may end by itself
_STOP_S = 1.0
_MB = 10**6


@dataclass(frozen=True)
class Limits:
    """What a child may take; None for what is not watched. ``folder``: where it writes."""

    time_min: float | None = None
    memory_mb: float | None = None
    folder: Path | None = None


def adopt_orphans() -> None:
    """Let this process be the parent of all its descendants whose own parent ended: none escapes by forking away."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER


def wait(child: int, output: int, log: IO[bytes], limits: Limits) -> tuple[int, str]:
    """Wait for a child, and write what it prints to its log: its exit code, and the limit that it broke, else "".

    output: descriptor to read what it prints. The child and all its descendants have ended then.
    """
    with _Printed(output, log) as printed, _ending_with_us():
        started = time.monotonic()
        next_look = started + _LOOK_S
        breach, code = "", None
        while code is None:
            printed.copy(max(0.0, min(0.05, next_look - time.monotonic())))
            code = _reap(child)
            now = time.monotonic()
            if code is None and now >= next_look:
                breach = _breach(limits, (now - started) / 60, printed)
                next_look = time.monotonic() + max(_LOOK_S, 20 * (time.monotonic() - now))
                if breach:
                    code = end_family(child)
        if -code in (signal.SIGINT, signal.SIGTERM):
            time.sleep(_STOP_S)  # whoever stops a run stops this process too
        if left_behind() and not breach:
            breach = "left processes behind, which were ended"
        end_family(child)
        return code, breach


def left_behind() -> bool:
    """Whether there are descendants that do not end soon after the child did."""
    end = time.monotonic() + _STRAY_S
    while time.monotonic() < end:
        try:
            if os.waitpid(-1, os.WNOHANG)[0] == 0:
                time.sleep(0.01)
        except ChildProcessError:
            return False
    return True


def end_family(child: int) -> int:
    """Kill all descendants of this process; the exit code of the child, if it was not known before."""
    code = -signal.SIGKILL
    while True:
        for pid in _family() if sys.platform == "linux" else [child]:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        try:
            pid, status = os.waitpid(-1, 0)
        except ChildProcessError:
            return code
        if pid == child:
            code = os.waitstatus_to_exitcode(status)


class _Printed:
    """What a child prints, on its way to the log."""

    def __init__(self, source: int, log: IO[bytes]) -> None:
        self._source, self._log = source, log
        self.n_bytes = 0
        self._is_open = True

    def copy(self, timeout_s: float) -> bool:
        """Wait for output for so long, and copy it; whether there was any."""
        if not self._is_open:
            time.sleep(min(timeout_s, 0.005))  # the child is about to end
            return False
        if not select.select([self._source], [], [], timeout_s)[0]:
            return False
        read = os.read(self._source, 1 << 16)
        self._is_open = bool(read)
        room = LOG_MB * _MB - self.n_bytes
        self.n_bytes += len(read)
        if room > 0:
            self._write(read[:room])
            if len(read) > room:
                self._write(f"\n[cut: the log keeps {LOG_MB} MB of what the job printed]\n".encode())
        return bool(read)

    def _write(self, text: bytes) -> None:
        try:
            self._log.write(text)
            self._log.flush()
        except OSError as error:
            print(f"error: {self._log.name}: the log can not be written ({error.strerror})", file=sys.stderr)
            self._log = open(os.devnull, "wb")  # noqa: SIM115

    def __enter__(self) -> "_Printed":
        return self

    def __exit__(self, *_: object) -> None:
        while self.copy(0):
            pass
        os.close(self._source)


@contextlib.contextmanager
def _ending_with_us() -> Iterator[None]:
    """End all descendants where this process is told to end."""

    def end(*_: object) -> None:
        raise SystemExit(1)

    former = signal.signal(signal.SIGTERM, end)
    try:
        yield
    except BaseException:
        end_family(0)
        raise
    finally:
        signal.signal(signal.SIGTERM, former)


def _reap(child: int) -> int | None:
    """The exit code of the child, if it has ended; of others that have, nothing is kept."""
    while True:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == child:
            return os.waitstatus_to_exitcode(status)
        if pid == 0:
            return None


def _breach(limits: Limits, minutes: float, printed: _Printed) -> str:
    """The limit that is broken, in words; else ""."""
    if limits.time_min is not None and minutes > limits.time_min:
        return f"ran longer than its limit of {limits.time_min:g} min (`limits.time_min` of its catalog entry)"
    if printed.n_bytes > OUTPUT_MB * _MB:
        return f"printed more than {OUTPUT_MB} MB"
    if limits.memory_mb is not None and sys.platform == "linux":
        family = _family()
        if len(family) > PROCESSES:
            return f"started more than {PROCESSES} processes"
        held_mb = sum(family.values()) / _MB
        if held_mb > limits.memory_mb:
            held_mb = sum(_own_bytes(pid, held) for pid, held in family.items()) / _MB
        if held_mb > limits.memory_mb:
            return (
                f"took {held_mb:.0f} MB of memory, more than its limit of {limits.memory_mb:g} MB "
                "(`limits.memory_mb` of its catalog entry)"
            )
    if limits.folder is not None and _written_mb(limits.folder) > WRITTEN_MB:
        return f"wrote more than {WRITTEN_MB} MB"
    return ""


def _family() -> dict[int, int]:
    """All descendants of this process, with the bytes of memory that each holds, shared ones too."""
    parents, held = {}, {}
    page = os.sysconf("SC_PAGE_SIZE")
    for name in os.listdir("/proc"):
        if name.isdigit():
            with contextlib.suppress(OSError):
                fields = Path("/proc", name, "stat").read_bytes().rpartition(b")")[2].split()
                if fields[0] != b"Z":
                    parents[int(name)], held[int(name)] = int(fields[1]), int(fields[21]) * page
    children: dict[int, list[int]] = {}
    for pid, parent in parents.items():
        children.setdefault(parent, []).append(pid)
    found: dict[int, int] = {}
    waiting = [os.getpid()]
    while waiting:
        for pid in children.get(waiting.pop(), ()):
            found[pid] = held[pid]
            waiting.append(pid)
    return found


def _own_bytes(pid: int, held: int) -> int:
    """What a process holds, of what several share its part; ``held`` where that can't be known."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        told = Path("/proc", str(pid), "smaps_rollup").read_bytes()
        return 1024 * int(told.partition(b"\nPss:")[2].split()[0])
    return held


def _written_mb(folder: Path) -> float:
    """What a folder holds, as far as can be seen; infinite for very many files."""
    size, n = 0, 0
    for place, _, names in os.walk(folder):
        for name in names:
            n += 1
            if n > 100_000:
                return float("inf")
            with contextlib.suppress(OSError):
                size += os.lstat(os.path.join(place, name)).st_size
    return size / _MB
