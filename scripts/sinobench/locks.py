"""The locks of runs: those of dead ones are released, and of those of live ones it is known who holds them.

Snakemake's lock of a folder outlives a run that is killed, and the next one asks for ``--unlock``. Here each run holds
a file in ``.snakemake/runs`` locked by the operating system, which lets go of it however the run ends: so it is known
whether the owner of a lock still runs. The file names the locks that the run took. Imported while Snakemake parses:
nothing heavy here.
"""

import atexit
import contextlib
import fcntl
import os
import socket
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from sinobench.errors import InputError

_VARIABLE = "SINOBENCH_RUN"  # tells jobs the file of their run
_held: list[int] = []
_watched: list[threading.Thread] = []


@dataclass(frozen=True)
class _Run:
    """A run by its file."""

    path: Path
    began_ns: int
    took: frozenset[str]  # names of locks

    @property
    def is_elsewhere(self) -> bool:
        return self.path.name.partition("@")[2] != socket.gethostname()

    @property
    def told(self) -> str:
        """Its process, machine, and since when it runs."""
        pid, _, host = self.path.name.partition("@")
        since = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(self.began_ns / 1e9))
        return f"process {pid} on {host}, since {since}"


def enter(folder: str | Path = ".snakemake") -> bool:
    """Announce this run, and release the locks of runs of this machine that are dead; whether there were any.

    A lock stays while its owner may still go on: one that lives, or one of another machine. Raises InputError where
    a user has run who shares no group with this one.
    """
    runs = Path(folder, "runs")
    try:
        runs.mkdir(parents=True, exist_ok=True)
        _announce(runs)
    except PermissionError:
        raise _of_another(runs) from None
    # What Snakemake notes of files, its group may read and write, whatever the umask, and nobody else.
    if (noted := next(Path(folder, "metadata").glob("*"), None)) and not os.access(noted, os.R_OK):
        raise _of_another(noted)
    _keep_to_own_locks()
    # The locks before the runs: the owner of each was announced earlier, so it is among those found.
    locks, announced = _locks(folder), _announced(folder)
    dead = {run for run in announced if _is_dead(run.path)}
    free = [lock for lock, taken_ns in locks.items() if (of := _owners(lock, taken_ns, announced)) and of <= dead]
    for lock in free:
        lock.unlink(missing_ok=True)
    if len(free) == len(locks):
        for run in dead:
            run.path.unlink(missing_ok=True)
    return bool(free)


def refusal(folder: str | Path = ".snakemake") -> list[str]:
    """Why a run can't take its locks, a line each: who of the others may hold them, and what to do."""
    announced = [run for run in _announced(folder) if str(run.path.resolve()) != own_run()]
    found = {run for lock, taken_ns in _locks(folder).items() for run in _owners(lock, taken_ns, announced)}
    lines = ["Error: another run in this folder makes the same files. Wait for it to end:"]
    lines += [f"  {run.told}" for run in sorted(found, key=lambda run: run.began_ns)]
    if not found:
        lines = [
            f"Error: locks of an unknown run in {folder}/locks. If none runs here, `snakemake --unlock` removes them."
        ]
    elif any(run.is_elsewhere for run in found):
        lines.append("If it is on another machine and dead, `snakemake --unlock` removes its lock.")
    return lines


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


def _of_another(path: Path) -> InputError:
    there = next(place for place in (path, *path.absolute().parents) if place.exists())
    try:
        owner = there.owner()
    except KeyError:  # a user without a name
        owner = f"user {there.stat().st_uid}"
    return InputError(
        f"belongs to {owner}, and you may not write it. Run in a clone of your own, or share the folder with a group "
        "(docs/cluster.md)",
        there,
    )


def _locks(folder: str | Path) -> dict[Path, int]:
    """The locks, and when each was taken."""
    return {path: path.stat().st_mtime_ns for path in Path(folder, "locks").glob("*.lock")}


def _announced(folder: str | Path) -> list[_Run]:
    found = []
    for path in Path(folder, "runs").glob("*@*"):
        with contextlib.suppress(FileNotFoundError):  # it ended meanwhile
            found.append(_Run(path, path.stat().st_mtime_ns, frozenset(path.read_text(encoding="utf-8").split())))
    return found


def _owners(lock: Path, taken_ns: int, announced: list[_Run]) -> set[_Run]:
    """The runs that name the lock; without one, as after a kill before it was named, all that began before it."""
    named = {run for run in announced if lock.name in run.took}
    return named or {run for run in announced if run.began_ns <= taken_ns}


def _announce(runs: Path) -> None:
    path = runs / f"{os.getpid()}@{socket.gethostname()}"
    unlocked = path.with_name(f".{path.name}")
    descriptor = os.open(unlocked, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o666)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    unlocked.rename(path)  # never seen before it is locked
    _held.append(descriptor)
    os.environ[_VARIABLE] = str(path.resolve())
    atexit.register(path.unlink, missing_ok=True)


def _keep_to_own_locks() -> None:
    """Let Snakemake note the locks that it takes in this run's file, and remove at its end no others than these.

    By itself it removes those of all runs in the folder; ``--unlock`` still does.
    """
    from snakemake.persistence.file import FilePersistence

    take, remove_all = FilePersistence._write_locks, FilePersistence._delete_locks

    def take_and_note(persistence: FilePersistence, kind: str, files: object) -> None:
        take(persistence, kind, files)
        names = "".join(f"{Path(path).name}\n" for path in persistence._lockfile.values())
        began_ns = os.fstat(_held[-1]).st_mtime_ns
        os.pwrite(_held[-1], names.encode(), 0)
        os.utime(_held[-1], ns=(began_ns, began_ns))  # which says when the run began

    def remove_own(persistence: FilePersistence) -> None:
        for path in persistence._lockfile.values():
            Path(path).unlink(missing_ok=True)
        persistence._lockfile.clear()

    FilePersistence._write_locks, FilePersistence._delete_locks = take_and_note, remove_own
    FilePersistence.cleanup_locks = remove_all


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
