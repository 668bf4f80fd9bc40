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
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sinobench import children, isolation, locks
from sinobench.log import job_log
from sinobench.results import arrow, seals

_MARK = b'{"sinobench_failure": '
_IN_FOLDER = "failure.json"


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
    snakemake: Any,
    guarded: bool = False,
    despite: Iterable[str] = (),
    folders: Sequence[str] = (),
    witness: Iterator[None] | None = None,
    witnessed: Sequence[str] = (),
) -> Iterator[None]:
    """The log of a job, as ``job_log``; its failure, or that of what it needs, becomes a note.

    guarded: run the body in a child process and note its failure. despite: names of inputs that may be notes. folders:
    names of outputs that are folders. witness: what goes on outside of the child process, up to its ``yield`` before
    the body and after it where that went well; witnessed: names of outputs that it makes.
    """
    children.seldom_collect()
    try:
        with _work(snakemake, guarded, despite, folders, witness, witnessed):
            yield
    except OSError as error:  # of the log, a note or a seal, as on a full disk; the body's own stand in its log
        what = error.filename or snakemake.log[0]
        raise SystemExit(f"error: {what}: can't be written ({error.strerror or error})") from None


@contextlib.contextmanager
def _work(
    snakemake: Any,
    guarded: bool,
    despite: Iterable[str],
    folders: Sequence[str],
    witness: Iterator[None] | None,
    witnessed: Sequence[str],
) -> Iterator[None]:
    if isolation.is_inside():
        with children.in_sandbox(snakemake):
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
        if child := children.start(snakemake, witness, report, stream, printed):
            os.close(printed)
            kept_in = {path for name in folders for path in _paths(snakemake.output, name)}
            apart = {path for name in witnessed for path in _paths(snakemake.output, name)}
            if reason := children.end(snakemake, child, report, stream, output, kept_in, apart):
                _leave_notes(snakemake, folders, snakemake.rule, reason, log)
            else:
                next(witness or iter(()), None)
                _seal(snakemake)
            raise SystemExit(0)
        os.close(output)
        with job_log(log, printed), children.reporting(report):
            if not children.models_in(snakemake):  # a model may give Arrow what is of pandas
                arrow.forgo_pandas()
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


def stand(folders: Iterable[str | Path]) -> bool:
    """Whether notes stand that jobs with logs in these folders left, in this run or one that is dead."""
    return any(True for logs in folders for _ in _recorded(logs))


def settle(logs: str | Path) -> str:
    """Remove the notes that jobs with logs in this folder left; a list of the failures for the user, "" without one.

    Those of another run that may still go on are left to it.
    """
    lines = []
    for record, known in _recorded(logs):
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
    for path in map(Path, snakemake.output):
        if path.suffix == ".parquet" or path.is_dir():
            seals.seal(path)


def _paths(files: Any, name: str) -> list[str]:
    found = files.get(name, [])
    return [found] if isinstance(found, str) else list(found)


def _record(log: str) -> Path:
    """What names a failed job's notes while they stand, beside its log."""
    return Path(f"{log}.failed")


def _recorded(logs: str | Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The records below a folder, and what they know of failed jobs; but for those of another run that may go on."""
    for record in sorted(Path(logs).rglob("*.failed")):
        known = json.loads(record.read_text(encoding="utf-8"))
        if known["run"] == locks.own_run() or not locks.is_alive(known["run"]):
            yield record, known


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
    record = _record(snakemake.log[0])
    record.with_suffix(".half").write_text(json.dumps(known), encoding="utf-8")
    record.with_suffix(".half").rename(record)
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
