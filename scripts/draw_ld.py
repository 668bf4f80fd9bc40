"""Draw the leaderboard and the collar curves of language diarization as PNG and SVG."""

from collections.abc import Sequence

from sinobench.failures import job
from sinobench.ld.board import BOARD
from sinobench.results import curves, figures
from sinobench.results.database import reading


def main(database: str, leaderboard: Sequence[str], collars: Sequence[str]) -> None:
    """Write each picture to its two paths, PNG and SVG."""
    with reading(database) as connection:
        names = figures.read_names(connection, figures.cjk_font())
        figures.save(figures.leaderboard(connection, BOARD, names), *leaderboard)
        figures.save(curves.collar_curves(connection, names), *collars)


if __name__ == "__main__":
    with job(snakemake):
        main(database=snakemake.input[0], **dict(snakemake.output.items()))
