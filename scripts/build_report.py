"""Make the report of the run: pages that open from disk, of its database, and of recordings that it may play."""

from collections.abc import Sequence
from pathlib import Path

from sinobench.failures import job, parted
from sinobench.report import site
from sinobench.results.database import reading


def main(database: str, citation: str, rendered: Sequence[str], measured: Sequence[str], report: str) -> None:
    """Write the pages into a folder.

    rendered: the folder that ``render_recordings`` made, or none; measured: patterns of the files in which Snakemake
    wrote what jobs took.
    """
    with reading(database) as connection:
        pages = site.build(connection, report, Path(database).parent.as_posix(), measured, citation, *rendered)
    print(f"{report}: {len(pages)} pages")


if __name__ == "__main__":
    with job(snakemake, despite=["rendered"], folders=["report"]):
        rendered = snakemake.input.rendered
        main(
            database=snakemake.input.database,
            citation=snakemake.input.citation,
            rendered=parted([rendered] if isinstance(rendered, str) else list(rendered))[0],
            measured=snakemake.params.measured,
            report=snakemake.output.report,
        )
