"""Make the report of the run: pages that open from disk, of its database alone."""

from importlib import metadata
from pathlib import Path

from sinobench import digest
from sinobench.failures import job
from sinobench.report import site
from sinobench.results.database import reading


def main(database: str, report: str) -> None:
    """Write the pages into a folder."""
    run = {
        "name": Path(database).parent.as_posix(),
        "version": metadata.version("sinobench"),
        "commit": digest.revision(),
    }
    with reading(database) as connection:
        pages = site.build(connection, report, run)
    print(f"{report}: {len(pages)} pages")


if __name__ == "__main__":
    with job(snakemake, folders=["report"]):
        main(database=snakemake.input[0], report=snakemake.output.report)
