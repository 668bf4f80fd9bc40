"""The locks of runs that were killed.

Snakemake's lock of a folder outlives a run that is killed, and the next one asks for ``--unlock``. Here each run holds
a file in ``.snakemake/runs`` locked by the operating system, which lets go of it however the run ends: so it is known
whether the owner of a lock still runs. Imported while Snakemake parses: nothing heavy here.
"""

import atexit
import contextlib
import fcntl
import os
import socket
import threading
from pathlib import Path

_VARIABLE = "SINOBENCH_RUN"  # tells jobs the file of their run
_held: list[int] = []
_watched: list[threading.Thread] = []


def enter(folder: str | Path = ".snakemake") -> bool:
    """Announce this run, and release the locks of runs of this machine that are dead; whether there were any.

    A lock stays while any run that began before it may still go on: one that lives, or one of another machine.
    """
    runs = Path(folder, "runs")
    runs.mkdir(parents=True, exist_ok=True)
    _announce(runs)
    # The locks before the runs: the owner of each was announced earlier, so it is among those found.
    locks = {path: path.stat().st_mtime_ns for path in Path(folder, "locks").glob("*.lock")}
    announced = {path: (path.stat().st_mtime_ns, _is_dead(path)) for path in runs.glob("*@*")}
    released = False
    for path, locked_ns in locks.items():
        owners = [dead for began_ns, dead in announced.values() if began_ns <= locked_ns]
        if owners and all(owners):
            path.unlink(missing_ok=True)
            released = True
    if released or not locks:
        for path in (path for path, (_, dead) in announced.items() if dead):
            path.unlink(missing_ok=True)
    return released


def own_run() -> str:
    """The file of this run, or of the run that this process is a job of; "" for a job that was not told."""
    return os.environ.get(_VARIABLE, "")


def is_alive(run: str) -> bool:
    """Whether the run with this file may still go on."""
    return bool(run) and not _is_dead(Path(run))


def end_with_run() -> None:
    """End this process when the run that it is a job of is killed: the next run may do the same job."""
    run = Path(own_run())
    if _watched or run.name.partition("@")[2] != socket.gethostname():
        return

    def wait() -> None:
        with contextlib.suppress(FileNotFoundError), run.open("rb") as stream:
            fcntl.flock(stream, fcntl.LOCK_SH)
            os._exit(1)

    _watched.append(threading.Thread(target=wait, daemon=True))
    _watched[0].start()


def _announce(runs: Path) -> None:
    path = runs / f"{os.getpid()}@{socket.gethostname()}"
    unlocked = path.with_name(f".{path.name}")
    descriptor = os.open(unlocked, os.O_CREAT | os.O_WRONLY, 0o666)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    unlocked.rename(path)  # never seen before it is locked
    _held.append(descriptor)
    os.environ[_VARIABLE] = str(path.resolve())
    atexit.register(path.unlink, missing_ok=True)


def _is_dead(run: Path) -> bool:
    if run.name.partition("@")[2] != socket.gethostname():
        return False
    try:
        with run.open("rb") as stream:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:  # it ended meanwhile
        return True
    except BlockingIOError:
        return False
    return True
