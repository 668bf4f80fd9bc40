"""Draw Figures 2, 3 and 4 of the MERLIon evaluation plan as PNG and SVG."""

from collections.abc import Sequence

from sinobench.failures import job
from sinobench.merlion.statistics_figures import figure_2, figure_3, figure_4
from sinobench.results import figures
from sinobench.results.database import reading


def main(database: str, segments: Sequence[str], recordings: Sequence[str], shares: Sequence[str]) -> None:
    """Write each picture to its two paths, PNG and SVG."""
    with reading(database) as connection:
        names = figures.read_names(connection, figures.cjk_font())
        lengths = connection.sql("FROM merlion_lengths").arrow().read_all().to_pylist()
        speech = connection.sql("FROM merlion_speech").arrow().read_all().to_pylist()
        figures.save(figure_2([row for row in lengths if row["unit"] == "segment"], names), *segments)
        figures.save(figure_3([row for row in lengths if row["unit"] == "recording"], names), *recordings)
        figures.save(figure_4(speech, names), *shares)


if __name__ == "__main__":
    with job(snakemake):
        main(database=snakemake.input[0], **dict(snakemake.output.items()))
