"""A database that lacks something is marked as unfinished, for the next run to make it again.

What failed is missing at the end of a run, which Snakemake minds only for the sake of what it makes anew. So the mark
is there before any job is, and only the database's own job takes it away, where nothing failed: a run that is killed
at any moment leaves it. Imported while Snakemake parses: nothing heavy here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from snakemake.persistence.file import FilePersistence


def mark(rule: str, has_failures: Callable[[], bool]) -> None:
    """Let this run mark the outputs of a rule from its first job on until they are made with nothing missing.

    has_failures: whether what was made so far lacks something.
    """
    from snakemake.persistence.file import FilePersistence

    start, finish, unmark = FilePersistence.started, FilePersistence.finished, FilePersistence._unmark_incomplete
    marked: set[FilePersistence] = set()
    kept: set[str] = set()

    def started(self: FilePersistence, job: Any, external_jobid: str | None = None) -> None:
        if self not in marked:
            marked.add(self)
            for each in self.dag.needrun_jobs():
                if each.rule.name == rule:
                    start(self, each)
        start(self, job, external_jobid)

    async def finished(self: FilePersistence, job: Any) -> None:
        if job.rule.name == rule and has_failures():
            kept.update(map(self._get_key, job.output))
        await finish(self, job)

    def unmark_others(self: FilePersistence, key: str) -> None:
        if key not in kept:
            unmark(self, key)

    FilePersistence.started, FilePersistence.finished = started, finished
    FilePersistence._unmark_incomplete = unmark_others
