"""What a run shows while it goes on: a line a job, and about how long it takes yet. Snakemake's log file has it all.

Imported while Snakemake parses: nothing heavy here.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sinobench.troubles import TOLD

if TYPE_CHECKING:
    from snakemake.workflow import Workflow

NOTHING = "Nothing to be done"
# What Snakemake says of its own work; of a failed job the end of the run says more.
_LEFT_TO_THE_LOG = (
    "Building DAG of jobs",
    "Using shell:",
    "Conda environments: ignored",
    "Singularity containers: ignored",
    "Select jobs to execute",
    "Shutting down, this might take some time",
    "Removing output files of failed job",
    "Exiting because a job execution failed",
    "Complete log(s):",
    "Elapsed time:",
)
_SUMMED_UP = "At least one job did not complete successfully"
_EVENTS_LEFT_TO_THE_LOG = {"workflow_started", "job_started", "progress", "shellcmd"}
_FIRST_GUESS = 8  # jobs that have ended before the rest is guessed from them


@dataclass(frozen=True)
class Job:
    """A job as its line names it."""

    rule: str
    of: str  # the values of its wildcards
    log: str | None
    started_s: float = 0

    @property
    def name(self) -> str:
        return f"{self.rule} {self.of}".strip()


class JobLines(logging.Handler):
    """The lines of a run, in the place of Snakemake's own handler, which writes what else is to be seen.

    failed: the jobs that failed, by name, but those that ended well in a further try; is_idle: there was nothing to do.
    Of a record with ``is_last_word`` the end of the run says more.
    """

    def __init__(self, own: Any, log_files: list[str]) -> None:
        super().__init__()
        self.own, self.log_files = own, log_files
        self.failed: dict[str, Job] = {}
        self.is_idle = False
        self.n_jobs = 0
        self.began_s = time.monotonic()
        self._started: dict[int, Job] = {}
        self._left: Counter[str] = Counter()
        self._took_s: dict[str, list[float]] = {}
        self._cores = ""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a line, or none."""
        event = str(getattr(record, "event", None) or "")
        show = {
            "resources_info": self._resources,
            "run_info": self._jobs,
            "job_info": self._start,
            "job_finished": self._finish,
            "job_error": self._fail,
        }.get(event)
        if show:
            line = show(vars(record))
            if line and self.own.filter(record):
                self._write(line)
        elif event not in _EVENTS_LEFT_TO_THE_LOG and not self._is_left_to_the_log(record):
            self.own.handle(record)

    def close(self) -> None:
        self.own.close()
        super().close()

    def _is_left_to_the_log(self, record: logging.LogRecord) -> bool:
        said = str(record.msg or "")
        self.is_idle |= said.startswith(NOTHING)
        # A script's failure is an exception to Snakemake, which names the command: the job's own log says why.
        is_told = getattr(record, "exception", "") in {"RuleException", *TOLD}
        is_summary = bool(self.failed) and _SUMMED_UP in said
        known = not said or said.startswith(_LEFT_TO_THE_LOG) or hasattr(record, "is_last_word")
        return known or is_told or is_summary

    def _write(self, line: str) -> None:
        self.own.stream.write(f"{line}\n")
        self.own.flush()

    def _resources(self, record: Mapping) -> str:
        if cores := record.get("cores"):
            self._cores = f" on {cores} core{'s' if cores > 1 else ''}"
        return ""

    def _jobs(self, record: Mapping) -> str:
        self._left = Counter({rule: n for rule, n in record["stats"].items() if rule != "total"})
        self.n_jobs = self._left.total()
        self.began_s = time.monotonic()
        log = f"; log: {_short(self.log_files[0])}" if self.log_files else ""
        return f"{self.n_jobs} job{'s' if self.n_jobs > 1 else ''}{self._cores}{log}"

    def _start(self, record: Mapping) -> str:
        again = record["jobid"] in self._started
        job = self._started[record["jobid"]] = _job(record, time.monotonic())
        total = str(self.n_jobs)
        number = "again" if again else f"{len(self._started):{len(total)}}/{total}"
        left_s = self._left_s()
        return f"{number}  {job.name}" + (f"  ({_duration(left_s)} left)" if left_s else "")

    def _finish(self, record: Mapping) -> str:
        if job := self._started.get(record["job_id"]):
            self._left[job.rule] -= 1
            self._took_s.setdefault(job.rule, []).append(time.monotonic() - job.started_s)
            self.failed.pop(job.name, None)
        return ""

    def _fail(self, record: Mapping) -> str:
        job = _job(record, 0) if record["jobid"] not in self._started else self._started[record["jobid"]]
        self.failed[job.name] = job
        return f"failed: {job.name}" + (f" (log: {job.log})" if job.log else "")

    def _left_s(self) -> float | None:
        """What the jobs to come take, each as long as those of its rule did, or as the mean of all."""
        took_s = [seconds for of_rule in self._took_s.values() for seconds in of_rule]
        if len(took_s) < _FIRST_GUESS:
            return None
        mean_s = sum(took_s) / len(took_s)
        work_s = sum(
            n * (sum(of_rule) / len(of_rule) if (of_rule := self._took_s.get(rule)) else mean_s)
            for rule, n in self._left.items()
        )
        at_once = max(1.0, sum(took_s) / (time.monotonic() - self.began_s))
        return work_s / at_once


def shorten(logger: logging.Logger, workflow: Workflow) -> JobLines | None:
    """Put lines of jobs in the place of Snakemake's blocks; None for a dry run, --verbose and loggers of plugins."""
    settings = workflow.output_settings
    own = next((handler for handler in logger.handlers if handler.name == "DefaultStreamHandler"), None)
    if own is None or settings is None or settings.dryrun or settings.verbose or settings.debug_dag:
        return None
    lines = JobLines(own, workflow.logger_manager.get_logfile())
    logger.removeHandler(own)
    logger.addHandler(lines)
    return lines


def _job(record: Mapping, started_s: float) -> Job:
    wildcards = record.get("wildcards") or {}
    of = [f"{name} {value}" if name == "shard" else str(value) for name, value in wildcards.items() if name != "key"]
    return Job(record["rule_name"], " ".join(of), next(iter(record["log"]), None), started_s)


def _short(path: str) -> str:
    path_ = Path(path)
    return str(path_.relative_to(Path.cwd()) if path_.is_relative_to(Path.cwd()) else path_)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"about {max(1, round(seconds))} s"
    if seconds < 90 * 60:
        return f"about {round(seconds / 60)} min"
    return f"about {seconds / 3600:.1f} h"
