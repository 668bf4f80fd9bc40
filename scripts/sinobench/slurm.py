"""Runs through Slurm's plugin: at sites that account for no jobs, and while the controller is away.

Imported while Snakemake parses: nothing heavy here.
"""

from __future__ import annotations

import shlex
import subprocess
import sys
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

_SUBMIT = Path(__file__).parents[2] / "profiles/cluster-generic/submit.sh"
_PLUGIN = "snakemake_executor_plugin_slurm"


def endure() -> None:
    """Let the plugin, where Snakemake has loaded it, ask for its jobs by what answers, and submit them all the same."""
    for module in (sys.modules.get(_PLUGIN), sys.modules.get(f"{_PLUGIN}.validation")):
        if usual := getattr(module, "is_query_tool_available", None):
            module.is_query_tool_available = partial(_can_be_asked, usual)
    plugin = sys.modules.get(_PLUGIN)
    if usual := getattr(plugin, "get_submit_command", None):
        plugin.get_submit_command = partial(_submit_command, usual)
    if hasattr(plugin, "query_job_status") and hasattr(plugin, "Executor"):
        _ask_squeue(plugin)
        _end_what_is_forgotten(plugin)


def _can_be_asked(usual: Callable[[str], bool], program: str) -> bool:
    """By itself the plugin asks sacct wherever it is installed, is told of no job, and waits for all of them."""
    return usual(program) and (program != "sacct" or _is_accounting())


@cache
def _is_accounting() -> bool:
    """Whether sacct, which is installed, has a database to ask, though it may be away just now."""
    asked = subprocess.run(["sacct", "--noheader"], capture_output=True, text=True, check=False)
    return "accounting storage is disabled" not in asked.stderr


def _ask_squeue(plugin: Any) -> None:
    """Where sacct can't be asked: by itself the plugin says at each check of the jobs that it goes over to squeue."""
    usual = plugin.Executor.get_status_command

    def status_command(executor: Any) -> str:
        return usual(executor) if plugin.is_query_tool_available("sacct") else "squeue"

    plugin.Executor.get_status_command = status_command


def _submit_command(usual: Callable[..., str], *given: Any, **named: Any) -> str:
    """Submit by the script that waits for the controller: one that is away is a failed job to the plugin by itself."""
    return f"sh {shlex.quote(str(_SUBMIT))} {usual(*given, **named).removeprefix('sbatch ')}"


def _end_what_is_forgotten(plugin: Any) -> None:
    """Let jobs that squeue is asked for, and Slurm knows no more, be tried again: by itself the plugin waits for ever.

    They ended longer than Slurm's MinJobAge ago while the controller was away. Whether with all of their outputs,
    nobody can tell.
    """
    usual_check, usual_query = plugin.Executor.check_active_jobs, plugin.query_job_status
    active: set[str] = set()

    def check(executor: Any, jobs: list[Any]) -> AsyncGenerator[Any, None]:
        active.clear()
        if not getattr(executor, "_submitted_job_clusters", None):  # another cluster's controller knows those
            active.update(job.external_jobid for job in jobs)
        return usual_check(executor, jobs)

    async def query(command: str, logger: Any) -> tuple[dict[str, str] | None, float | None]:
        states, time_s = await usual_query(command, logger)
        if states is not None and command.startswith("squeue "):
            for job in filter(_is_forgotten, active - states.keys()):
                logger.warning(
                    f"Slurm has forgotten job {job}, which ended while nobody could ask: it counts as failed."
                )
                states[job] = "FAILED"
        return states, time_s

    plugin.Executor.check_active_jobs, plugin.query_job_status = check, query


def _is_forgotten(job: str) -> bool:
    asked = subprocess.run(["scontrol", "show", "job", job], capture_output=True, text=True, check=False)
    return "Invalid job id" in asked.stderr
