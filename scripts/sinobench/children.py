"""The process in which the body of a job works, so that it fails alone.

A copy of the job's own process, or, where its model is foreign and there is a sandbox, the job's script once more in
there. Imported by nearly every job: nothing heavy here.
"""

import contextlib
import gc
import os
import signal
import sys
import threading
import traceback
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from sinobench import isolation, watch
from sinobench.errors import InputError
from sinobench.log import job_log, reason_of

# What a job takes beside its model: megabytes, and minutes for its start.
BASE_MB, BASE_MIN = 500, 5
_RETRIES = "SINOBENCH_RETRIES"  # tells jobs how often they are tried again, for Snakemake tells them that none is
_DONE = b"done"
_ENTERED = b"entered\n"  # what a report begins with in a sandbox
_STRAYS = b"; left processes behind, which were ended"
_REPORT_BYTES = 10_000


@dataclass(frozen=True)
class Child:
    """The process in which a job works, the folder where it writes if it is isolated; or why there is no process."""

    pid: int
    folder: Path | None = None
    reason: str = ""


def seldom_collect() -> None:
    """Let this process rarely look for garbage: what a job loads and reads stays until it ends."""
    gc.set_threshold(50_000, 20, 20)


def tell_retries(n: int) -> None:
    """Let jobs know how often each of them is tried again."""
    os.environ[_RETRIES] = str(n)


def retries() -> int:
    """How often a job is tried again, as the run told it; 0 where it did not."""
    return int(os.environ.get(_RETRIES, 0))


def models_in(snakemake: Any) -> list[Mapping]:
    """The catalog's entries of the models that run in a job; none in one without a model."""
    return [entry for name in ("entry", "lid_entry") if (entry := snakemake.params.get(name)) and "kind" in entry]


def start(
    snakemake: Any, witness: Iterator[None] | None, report: IO[bytes], log: IO[bytes], printed: int
) -> Child | None:
    """Start the process in which a job works; None in that process, where it is a copy of this one."""
    entries = models_in(snakemake)
    try:
        next(witness or iter(()), None)
        is_isolated, said = isolation.chosen(entries, snakemake.config.get("isolation", "when available"))
    except Exception as error:
        log.write(traceback.format_exc().encode() if not isinstance(error, InputError) else b"")
        return Child(0, reason=_words(error))
    log.write(f"{said}\n".encode() if said else b"")
    if entries:
        watch.adopt_orphans()
    if not is_isolated:
        child = _fork()
        return Child(child) if child else None
    folder = isolation.folder_of(snakemake.output[0])
    isolation.prepare(folder, len(snakemake.output))
    places = [(entry.get("class") or "").rpartition(":")[0] for entry in entries]
    needed = [*snakemake.input, *(str(Path(place).parent) for place in places if place.endswith(".py"))]
    return Child(isolation.start(folder, needed, report.fileno(), printed), folder)


def end(
    snakemake: Any,
    child: Child,
    report: IO[bytes],
    log: IO[bytes],
    output: int,
    folders: Collection[str],
    apart: Collection[str],
) -> str:
    """Wait for the child, and see to what it made; why it failed, "" where it did not.

    output: descriptor to read what it prints. folders: outputs that are folders; apart: those that it does not make.
    Raises SystemExit where it was ended, for a limit or from outside, and Snakemake is to try the job again with more.
    """
    reason, is_said, was_ended = child.reason, False, False
    if child.pid:
        code, reason = watch.wait(child.pid, output, log, _limits(snakemake, child.folder))
        was_ended = bool(reason) or code < 0 or (child.folder is not None and code > 128)
        if not reason:
            reason, is_said = _reason(code, report, child.folder is not None)
        outputs = {i: path for i, path in enumerate(map(str, snakemake.output)) if path not in apart}
        if not reason and child.folder:
            reason = isolation.take(child.folder, outputs, folders)
        elif not reason and models_in(snakemake):
            problems = (isolation.problem_of(Path(path), path in folders) for path in outputs.values())
            reason = next(filter(None, problems), "")
        if child.folder:
            isolation.remove(child.folder, keep_unfinished=bool(reason))
    if reason and not is_said:
        log.write(f"error: {reason}\n".encode())
    if reason and (child.folder or not is_said):
        print(f"error: {log.name}: {reason}", file=sys.stderr)
    if was_ended and snakemake.resources.get("tries_left", 0) > 0:
        raise SystemExit(1)
    return reason


def _limits(snakemake: Any, folder: Path | None) -> watch.Limits:
    """What the model of a job may take: what the job asks for, less what it takes itself."""
    if not models_in(snakemake):
        return watch.Limits()
    time_min, memory_mb = (snakemake.resources.get(name) for name in ("runtime", "mem_mb"))
    return watch.Limits(
        time_min and (time_min - BASE_MIN if time_min > BASE_MIN else 1),
        memory_mb and max(BASE_MB, memory_mb - BASE_MB),
        folder,
    )


@contextlib.contextmanager
def in_sandbox(snakemake: Any) -> Iterator[None]:
    """The body of a job in its sandbox, in a child of this process, which nothing there can end."""
    with os.fdopen(isolation.enter(snakemake), "wb", buffering=0) as report:
        printed = os.dup(2)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        report.write(_ENTERED)
        if child := _fork():
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if watch.left_behind():
                report.write(_STRAYS)
            os._exit(128 - code if code < 0 else code)
        with job_log(snakemake.log[0], printed), reporting(report):
            yield


@contextlib.contextmanager
def reporting(report: IO[bytes]) -> Iterator[None]:
    """Write to ``report`` how the body ended, as far as it can say so itself."""
    try:
        yield
    except Exception as error:
        report.write(_words(error).encode())
        report.flush()
        raise
    report.write(_DONE)
    report.flush()


def _reason(code: int, report: IO[bytes], is_isolated: bool) -> tuple[str, bool]:
    """Why the child failed, "" where it did not, and whether it said so itself."""
    report.seek(0)
    written = report.read(_REPORT_BYTES)
    if is_isolated and not written.startswith(_ENTERED):
        return "its sandbox did not start, as the log has it", False
    written = written.removeprefix(_ENTERED) if is_isolated else written
    if is_isolated and code > 128:
        code = 128 - code
    if written == _DONE:
        return "", False
    if written:
        said = written.removeprefix(_DONE).removeprefix(b"; ").decode(errors="backslashreplace")
        return str(InputError(said)), not written.endswith(_STRAYS)
    if code >= 0:
        return f"ended its process with status {code}", False
    said = ", as happens when memory runs out" if -code == signal.SIGKILL else ""
    return f"was killed by {signal.Signals(-code).name}{said}", False


def _words(error: Exception) -> str:
    return str(error) if isinstance(error, InputError) else reason_of(error)


def _fork() -> int:
    """As ``os.fork``; the child ends when its parent does, in whatever way."""
    alive, held_by_parent = os.pipe()
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child:
        os.close(alive)
        return child
    os.close(held_by_parent)

    def end_with_parent() -> None:
        os.read(alive, 1)
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
    return 0
