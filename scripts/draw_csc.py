"""Draw the leaderboard of spelling check as PNG and SVG."""

from collections.abc import Sequence

from sinobench.csc.board import BOARD
from sinobench.failures import job
from sinobench.results import figures
from sinobench.results.database import reading


def main(database: str, leaderboard: Sequence[str]) -> None:
    """Write the picture to its two paths, PNG and SVG."""
    with reading(database) as connection:
        names = figures.read_names(connection, figures.cjk_font())
        figures.save(figures.leaderboard(connection, BOARD, names), *leaderboard)


if __name__ == "__main__":
    with job(snakemake):
        main(database=snakemake.input[0], leaderboard=snakemake.output.leaderboard)
