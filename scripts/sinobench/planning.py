"""What Snakemake does that this workflow does not need. Imported while Snakemake parses: nothing heavy here."""

from __future__ import annotations

import sys
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from snakemake.workflow import Workflow


def spare_pandas() -> None:
    """Let Snakemake look for params of pandas only where pandas is loaded: by itself it loads it to look."""
    from snakemake.persistence import PersistenceBase

    usual = getattr(PersistenceBase, "_serialize_param_pandas", None)
    if usual is None:
        return

    def serialized(self: PersistenceBase, value: Any) -> Any:
        return usual(self, value) if "pandas" in sys.modules else self._serialize_param_builtin(value)

    PersistenceBase._serialize_param_pandas = serialized


def spare_signatures() -> None:
    """Let Snakemake look at the parameters of a rule's function once, not for each file of each job."""
    from snakemake import common, jobs, rules

    usual = getattr(common, "get_function_params", None)
    if usual is None:
        return
    known = cache(usual)

    def parameters(function: Callable) -> Mapping[str, Any]:
        return known(function) if isinstance(function, FunctionType) else usual(function)

    for module in (common, jobs, rules):
        module.get_function_params = parameters


def spare_lock() -> None:
    """Let a run be told to end, by SIGTERM, without the scheduler's lock.

    A process that is told so while it holds the lock, as it does while it looks for the outputs of a job, waits for
    itself and never ends. What is set under the lock is one name, and read by the same thread.
    """
    from snakemake.scheduling.job_scheduler import JobScheduler

    def exit_gracefully(self: JobScheduler, *_: object) -> None:
        self._user_kill = "graceful"
        self._open_jobs.release()

    JobScheduler.exit_gracefully = exit_gracefully


def spare_rate() -> None:
    """Let jobs of this machine start without a rate: its cores limit them, and no queue is to be spared.

    To keep to a rate, Snakemake looks at all jobs that wait again and again, the more often the more jobs there were.
    A run ends only when the last of these looks is over.
    """
    from snakemake.scheduling.job_scheduler import JobScheduler

    usual = JobScheduler.__init__

    def made(self: JobScheduler, workflow: Workflow, *rest: Any, **options: Any) -> None:
        usual(self, workflow, *rest, **options)
        if workflow.local_exec:
            self.job_rate_limiter = None

    JobScheduler.__init__ = made
