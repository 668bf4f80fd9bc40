"""Draw the leaderboards as PNG and SVG."""

from collections.abc import Mapping, Sequence

from sinobench.failures import job
from sinobench.results import figures
from sinobench.results.database import reading
from sinobench.results.registry import BOARDS


def main(
    database: str, pools: Mapping[str, Sequence[str]], g2p: Sequence[str], runtime: Sequence[str], csc: Sequence[str]
) -> None:
    """Write each picture to its two paths, PNG and SVG."""
    with reading(database) as connection:
        names = figures.read_names(connection, figures.cjk_font())
        figures.save(figures.leaderboard(connection, BOARDS["g2p"], names), *g2p)
        figures.save(figures.g2p_runtime(connection, pools, names), *runtime)
        figures.save(figures.leaderboard(connection, BOARDS["csc"], names), *csc)


if __name__ == "__main__":
    with job(snakemake):
        main(database=snakemake.input[0], pools=snakemake.params.pools, **dict(snakemake.output.items()))
