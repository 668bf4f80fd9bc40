"""Draw the leaderboard and the DET curves of language identification as PNG and SVG."""

from collections.abc import Sequence

from sinobench.failures import job
from sinobench.lid.board import BOARD
from sinobench.results import curves, figures
from sinobench.results.database import reading


def main(database: str, leaderboard: Sequence[str], det: Sequence[str]) -> None:
    """Write each picture to its two paths, PNG and SVG."""
    with reading(database) as connection:
        names = figures.read_names(connection, figures.cjk_font())
        figures.save(figures.leaderboard(connection, BOARD, names), *leaderboard)
        figures.save(curves.det_curves(connection, names), *det)


if __name__ == "__main__":
    with job(snakemake):
        main(database=snakemake.input[0], **dict(snakemake.output.items()))
