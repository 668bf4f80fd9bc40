"""Draw the leaderboard of G2P and its run times as PNG and SVG."""

from collections.abc import Mapping, Sequence

from sinobench.failures import job
from sinobench.g2p.board import BOARD
from sinobench.results import figures
from sinobench.results.database import reading


def main(database: str, pools: Mapping[str, Sequence[str]], leaderboard: Sequence[str], runtime: Sequence[str]) -> None:
    """Write each picture to its two paths, PNG and SVG."""
    with reading(database) as connection:
        names = figures.read_names(connection, figures.cjk_font())
        figures.save(figures.leaderboard(connection, BOARD, names), *leaderboard)
        figures.save(figures.g2p_runtime(connection, pools, names), *runtime)


if __name__ == "__main__":
    with job(snakemake):
        main(database=snakemake.input[0], pools=snakemake.params.pools, **dict(snakemake.output.items()))
