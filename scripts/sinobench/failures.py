"""A model that fails costs only itself.

A job in which a model runs, ``with job(snakemake, guarded=True)``, works in a child process: in a sandbox where the
model is foreign (``isolation``), within the limits of its entry (``watch``). Where that fails, by an error or killed,
the job ends well all the same and leaves a note of the failure in the place of each of its outputs.
A job that is given a note hands it on instead of working, unless it names that input in ``despite`` and sorts the notes
out with ``parted``. So everything else is made, and the database holds the failure. At the end of a run ``settle``
lists the failures and removes the notes: the next run makes the missing files, which is to try again.
"""

import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from sinobench import isolation, locks, watch
from sinobench.errors import InputError
from sinobench.log import job_log, reason_of
from sinobench.results import arrow, seals

_MARK = b'{"sinobench_failure": '
_IN_FOLDER = "failure.json"
_DONE = b"done"
_ENTERED = b"entered\n"  # what a report begins with in a sandbox
_STRAYS = b"; left processes behind, which were ended"
_REPORT_BYTES = 10_000
# What a job takes beside its model: megabytes, and minutes for its start.
BASE_MB, BASE_MIN = 500, 5


@dataclass(frozen=True)
class Failure:
    """Why something was not made: ``rule``, ``reason`` and ``log`` are those of the job that failed first."""

    task: str  # this and the next two: of what was not made
    corpus: str | None
    model: str | None
    rule: str
    reason: str
    log: str


@contextlib.contextmanager
def job(
    snakemake: Any, guarded: bool = False, despite: Iterable[str] = (), folders: Sequence[str] = ()
) -> Iterator[None]:
    """The log of a job, as ``job_log``; its failure, or that of what it needs, becomes a note.

    guarded: run the body in a child process and note its failure. despite: names of inputs that may be notes. folders:
    names of outputs that are folders.
    """
    if isolation.is_inside():
        with _inside(snakemake):
            yield
        return
    locks.end_with_run()
    log = snakemake.log[0]
    _record(log).unlink(missing_ok=True)
    needed = set(map(str, snakemake.input)) - {path for name in despite for path in _paths(snakemake.input, name)}
    for failure in parted(sorted(needed))[1]:
        with job_log(log):
            print(f"not run, since {failure.rule} failed: {failure.reason}")
        _leave_notes(snakemake, folders, failure.rule, failure.reason, failure.log)
        raise SystemExit(0)
    if not guarded:
        with job_log(log):
            arrow.forgo_pandas()
            yield
        _seal(snakemake)
        return
    with tempfile.TemporaryFile() as report, open(log, "wb", buffering=0) as stream:
        output, printed = os.pipe()
        if child := _started(snakemake, report, stream, printed):
            os.close(printed)
            if reason := _ended(snakemake, folders, child, report, stream, output):
                _leave_notes(snakemake, folders, snakemake.rule, reason, log)
            else:
                _seal(snakemake)
            raise SystemExit(0)
        os.close(output)
        with job_log(log, printed), _reporting(report):
            yield


def parted(paths: Iterable[str]) -> tuple[list[str], list[Failure]]:
    """The paths that were made, and the failures of the others."""
    made, failures = [], []
    for path in paths:
        if failure := _read_note(Path(path)):
            failures.append(failure)
        else:
            made.append(path)
    return made, failures


def made_of_models(
    models: Sequence[str], files: Sequence[str], last: Sequence[str]
) -> Iterator[tuple[str, list[str], str]]:
    """Each model with its own of the files and its last one, but for those whose last one was not made.

    files: equally many a model, in the models' order.
    """
    n = len(files) // max(1, len(models))
    for i, (model, path) in enumerate(zip(models, last, strict=True)):
        if not _read_note(Path(path)):
            yield model, list(files[i * n : (i + 1) * n]), path


def settle(logs: str | Path) -> str:
    """Remove the notes that jobs with logs in this folder left; a list of the failures for the user, "" without one.

    Those of another run that may still go on are left to it.
    """
    lines = []
    for record in sorted(Path(logs).rglob("*.failed")):
        known = json.loads(record.read_text(encoding="utf-8"))
        if known["run"] != locks.own_run() and locks.is_alive(known["run"]):
            continue
        for path in map(Path, known["files"]):
            if _read_note(path):
                shutil.rmtree(path) if path.is_dir() else path.unlink()
        record.unlink()
        failure = Failure(**known["failure"])
        if _record(failure.log) == record:
            of = "".join(f", {kind} {name}" for kind in ("corpus", "model") if (name := getattr(failure, kind)))
            reason = failure.reason.partition("\n")[0]
            lines.append(f"  {failure.rule}{of}: {reason} (log: {failure.log})")
    if not lines:
        return ""
    return "\n".join(["failed, with all that depends on it:", *lines, "The same command tries again."])


def _seal(snakemake: Any) -> None:
    for path in map(str, snakemake.output):
        if path.endswith(".parquet"):
            seals.seal(path)


def _paths(files: Any, name: str) -> list[str]:
    found = files.get(name, [])
    return [found] if isinstance(found, str) else list(found)


def _record(log: str) -> Path:
    """What names a failed job's notes while they stand, beside its log."""
    return Path(f"{log}.failed")


def _read_note(path: Path) -> Failure | None:
    if path.is_dir():
        path = path / _IN_FOLDER
    if not path.is_file():
        return None
    with path.open("rb") as stream:
        if stream.read(len(_MARK)) != _MARK:
            return None
    return Failure(**json.loads(path.read_bytes())["sinobench_failure"])


def _leave_notes(snakemake: Any, folders: Sequence[str], rule: str, reason: str, log: str) -> None:
    wildcards = snakemake.wildcards
    corpus = wildcards.get("corpus") or (f"pooled-{wildcards.pool}" if wildcards.get("pool") else None)
    own = snakemake.rule.rpartition("_")[2], corpus, wildcards.get("model")
    failure = asdict(Failure(*own, rule, reason, log))
    files = list(map(str, snakemake.output))
    # First the record: a note that none names would stand for good.
    known = {"failure": failure, "files": files, "run": locks.own_run()}
    _record(snakemake.log[0]).write_text(json.dumps(known), encoding="utf-8")
    kept_in = {path for name in folders for path in _paths(snakemake.output, name)}
    for path in map(Path, files):
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        seals.forget(path)
        if str(path) in kept_in:
            path.mkdir(parents=True)
        note = path / _IN_FOLDER if str(path) in kept_in else path
        note.write_bytes(_MARK + json.dumps(failure).encode() + b"}\n")


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


@dataclass(frozen=True)
class _Child:
    """The process in which a job works, and the folder in which it writes where it is isolated."""

    pid: int
    folder: Path | None = None
    reason: str = ""  # why there is none


def _entries(snakemake: Any) -> list[Mapping]:
    """The catalog's entries of the models that run in a job; none in one without a model."""
    return [entry for name in ("entry", "lid_entry") if (entry := snakemake.params.get(name)) and "kind" in entry]


def _started(snakemake: Any, report: IO[bytes], log: IO[bytes], printed: int) -> _Child | None:
    """Start the process in which a job works; None in that process, where it is a copy of this one."""
    entries = _entries(snakemake)
    try:
        is_isolated, said = isolation.chosen(entries, snakemake.config.get("isolation", "when available"))
    except InputError as error:
        log.write(f"error: {error}\n".encode())
        return _Child(0, reason=str(error))
    watch.adopt_orphans()
    if not is_isolated:
        log.write(f"{said}\n".encode() if said else b"")
        child = _fork()
        return _Child(child) if child else None
    log.write(f"{said}\n".encode())
    folder = isolation.folder_of(snakemake.output[0])
    isolation.prepare(folder, len(snakemake.output))
    places = [(entry.get("class") or "").rpartition(":")[0] for entry in entries]
    needed = [*snakemake.input, *(str(Path(place).parent) for place in places if place.endswith(".py"))]
    return _Child(isolation.start(folder, needed, report.fileno(), printed).pid, folder)


def _ended(
    snakemake: Any, folders: Sequence[str], child: _Child, report: IO[bytes], log: IO[bytes], output: int
) -> str:
    """Wait for the child, and see to what it made; why it failed, "" where it did not."""
    if not child.pid:
        print(f"error: {child.reason}", file=sys.stderr)
        return child.reason
    kept_in = {path for name in folders for path in _paths(snakemake.output, name)}
    outputs = dict(enumerate(map(str, snakemake.output)))
    code, reason = watch.wait(child.pid, output, log, _limits(snakemake, child.folder))
    is_said = False
    if not reason:
        reason, is_said = _reason(code, report, child.folder is not None)
    if not reason and child.folder:
        reason = isolation.take(child.folder, outputs, kept_in)
    elif not reason and _entries(snakemake):
        problems = (isolation.problem_of(Path(path), path in kept_in) for path in outputs.values())
        reason = next(filter(None, problems), "")
    if child.folder:
        isolation.remove(child.folder, keep_unfinished=bool(reason))
    if reason and not is_said:
        log.write(f"error: {reason}\n".encode())
    if reason and (child.folder or not is_said):
        print(f"error: {log.name}: {reason}", file=sys.stderr)
    return reason


def _limits(snakemake: Any, folder: Path | None) -> watch.Limits:
    """What the model of a job may take: what the job asks for, less what it takes itself."""
    if not _entries(snakemake):
        return watch.Limits()
    time_min, memory_mb = (snakemake.resources.get(name) for name in ("runtime", "mem_mb"))
    return watch.Limits(
        time_min and (time_min - BASE_MIN if time_min > BASE_MIN else 1),
        memory_mb and max(BASE_MB, memory_mb - BASE_MB),
        folder,
    )


@contextlib.contextmanager
def _inside(snakemake: Any) -> Iterator[None]:
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
        with job_log(snakemake.log[0], printed), _reporting(report):
            yield


@contextlib.contextmanager
def _reporting(report: IO[bytes]) -> Iterator[None]:
    """Write to ``report`` how the body ended, as far as it can say so itself."""
    try:
        yield
    except Exception as error:
        report.write((str(error) if isinstance(error, InputError) else reason_of(error)).encode())
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
    if -code in (signal.SIGINT, signal.SIGTERM):  # someone stopped the run
        raise SystemExit(1)
    if written:
        said = written.removeprefix(_DONE).removeprefix(b"; ").decode(errors="backslashreplace")
        return str(InputError(said)), not written.endswith(_STRAYS)
    if code >= 0:
        return f"ended its process with status {code}", False
    said = ", as happens when memory runs out" if -code == signal.SIGKILL else ""
    return f"was killed by {signal.Signals(-code).name}{said}", False
