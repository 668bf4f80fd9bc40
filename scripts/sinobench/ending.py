"""The last words of a run: the screen of its results, or why it failed.

Imported while Snakemake parses: nothing heavy here.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from sinobench.errors import printable
from sinobench.job_lines import Job, JobLines
from sinobench.troubles import advice

_LOG_LINES = 12  # of a failed job
_JOBS = 3  # whose logs are shown
_FULL_BYTES = 20 * 2**20  # left free: what a failed job wrote is gone by then


def last_words(
    lines: JobLines | None,
    success: bool | None,
    folder: str | None,
    said: Sequence[str],
    synthetic: Collection[str],
    stopped: Sequence[str] = (),
) -> list[str]:
    """What a run says as its last, a line each.

    success: whether all jobs ended well, None where none was run. folder: that of a run whose results are shown, else
    None. said: what failed, was left out or is out of date. synthetic: corpora of synthetic speech. stopped: what else
    than its jobs stopped the run.
    """
    if success is False:
        failed = list(lines.failed.values()) if lines else []
        told = [line for job in failed[:_JOBS] for line in _log_of(job)]
        told += [f"Error in rule {job.rule}: {job.of} (log: {job.log})" for job in failed[_JOBS:]]
        told += [line for line in said if line] + (list(stopped) or list(filter(None, [advice("\n".join(told))])))
        return told or ["The run was stopped; the same command goes on."]
    if stopped:
        return list(stopped)
    if folder is None or not (success or (lines and lines.is_idle)):
        return list(said)
    from sinobench.commands.screen import screen

    is_terminal = sys.stderr.isatty()
    shown = screen(Path(folder), said, synthetic, shutil.get_terminal_size().columns if is_terminal else None)
    if is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb":
        shown[1] = f"\033[1m{shown[1]}\033[0m"
    return shown


def left_out(rules: Iterable[str]) -> str:
    """The line for planned jobs, the rule of each, that a run without a failure did not come to."""
    of_rules = ", ".join(f"{rule} ({n})" for rule, n in sorted(Counter(rules).items()))
    return (
        f"Error: planned, and not run: {of_rules}. `--until` ends at the first of the rules that it names; name the "
        "last ones alone"
    )


def _log_of(job: Job) -> list[str]:
    """The message of a failed job and the last lines of its log."""
    found: list[str] = []
    if job.log and Path(job.log).is_file():
        found = Path(job.log).read_text(encoding="utf-8", errors="replace").splitlines()
    last = [f"  {printable(line)}" for line in found[-_LOG_LINES:]]
    if not any(line.startswith(("error:", "Traceback")) for line in found):
        is_full = shutil.disk_usage(".").free < _FULL_BYTES
        why = "No space left on device" if is_full else "it was killed, as happens when memory runs out"
        last.append(f"  ended without a word: {why}, or its log can't be written")
    of = f" ({job.of})" if job.of else ""
    return [f"Error in rule {job.rule}{of}, log {job.log}:", *last]
