"""Draw the leaderboards and curves of language identification and diarization as PNG and SVG."""

from collections.abc import Sequence

from sinobench.failures import job
from sinobench.results import curves, figures
from sinobench.results.database import reading
from sinobench.results.registry import BOARDS


def main(database: str, lid: Sequence[str], det: Sequence[str], ld: Sequence[str], collars: Sequence[str]) -> None:
    """Write each picture to its two paths, PNG and SVG."""
    with reading(database) as connection:
        names = figures.read_names(connection, figures.cjk_font())
        figures.save(figures.leaderboard(connection, BOARDS["lid"], names), *lid)
        figures.save(curves.det_curves(connection, names), *det)
        figures.save(figures.leaderboard(connection, BOARDS["ld"], names), *ld)
        figures.save(curves.collar_curves(connection, names), *collars)


if __name__ == "__main__":
    with job(snakemake):
        main(database=snakemake.input[0], **dict(snakemake.output.items()))
