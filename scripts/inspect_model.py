"""Look at the files of a hub model, before anything is loaded."""

from collections.abc import Mapping

from sinobench.failures import job
from sinobench.hub.inspection import inspect
from sinobench.results import tables


def main(task: str, model: str, folder: str, files: Mapping[str, Mapping], path: str) -> None:
    """Write the table ``inspections``, a row a file, of a model that is refused too."""
    found = inspect(folder, files)
    tables.write(tables.INSPECTIONS, tables.rows_of(tables.INSPECTIONS, found.findings, task=task, model=model), path)
    print("\n".join(found.refusals) or f"{len(files)} files, none refused")


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        main(
            task=snakemake.params.task,
            model=snakemake.wildcards.model,
            folder=snakemake.params.folder,
            files=snakemake.params.files,
            path=snakemake.output[0],
        )
