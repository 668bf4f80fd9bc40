"""Measure the speed of a model on a sample of a corpus."""

import importlib
from collections.abc import Mapping

from sinobench.failures import job
from sinobench.identity import identity
from sinobench.results import tables
from sinobench.speed import limit_threads, repeated


def main(task: str, corpus: str, model: str, params: Mapping, given: Mapping, speeds: str) -> None:
    """Write the table ``speeds``. given: input files by name, or lists of them."""
    limit_threads(params["model_threads"])
    of_task = importlib.import_module(f"sinobench.{task}.speed")
    entries = [params["entry"], params.get("lid_entry")]
    fitted = [given.get(name) or None for name in ("fitted", "lid")]
    of_model = identity(list(filter(None, entries)), given.get("files", []), fitted)
    measured = repeated(of_task.predicting(corpus, model, params, given, params["model_threads"]))
    tables.write(tables.SPEEDS, [row | {"sha256": of_model["sha256"]} for row in measured], speeds)


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        main(
            task=snakemake.params.task,
            corpus=snakemake.wildcards.corpus,
            model=snakemake.wildcards.model,
            params=dict(snakemake.params.items()),
            given={name: found if isinstance(found, str) else list(found) for name, found in snakemake.input.items()},
            speeds=snakemake.output.speeds,
        )
