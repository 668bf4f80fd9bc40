"""Make the report of the run: pages that open from disk, of its database alone."""

from collections.abc import Sequence
from pathlib import Path

from sinobench.failures import job
from sinobench.report import site
from sinobench.results.database import reading


def main(database: str, citation: str, measured: Sequence[str], report: str) -> None:
    """Write the pages into a folder.

    measured: patterns of the files in which Snakemake wrote what jobs took.
    """
    with reading(database) as connection:
        pages = site.build(connection, report, Path(database).parent.as_posix(), measured, citation)
    print(f"{report}: {len(pages)} pages")


if __name__ == "__main__":
    with job(snakemake, folders=["report"]):
        main(
            database=snakemake.input.database,
            citation=snakemake.input.citation,
            measured=snakemake.params.measured,
            report=snakemake.output.report,
        )
