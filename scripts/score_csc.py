"""Score the predictions of a spelling-check model on a corpus under both protocols."""

from sinobench.csc import breakdown, stored
from sinobench.csc.gathered import Gathered
from sinobench.csc.tables import EDITS, ITEMS, OUTCOMES, OVERLAPS, PREDICTIONS
from sinobench.failures import job, parted
from sinobench.results import tables
from sinobench.results.statistics.resampling import Settings
from sinobench.results.statistics.rows import metric_rows
from sinobench.results.stored import in_files


def main(
    corpus: str,
    model: str,
    statistics: Settings,
    ignored: str,
    items: str,
    predictions: str,
    overlaps: list[str],
    outcomes: str,
    edits: str,
    metrics: str,
) -> None:
    """Write the tables ``csc_outcomes``, ``csc_edits`` and ``metrics``."""
    own = in_files(corpus, model, {ITEMS: items, PREDICTIONS: predictions, OVERLAPS: overlaps})
    held, key = Gathered(ignored, stored.overlapping(own)), own.key
    with tables.Writer(OUTCOMES, outcomes) as of_outcomes, tables.Writer(EDITS, edits) as of_edits:
        for compared in stored.parts(own):
            of_outcomes.write(key | breakdown.outcome_columns(compared))
            of_edits.write(key | breakdown.edit_columns(compared))
            held.add(compared)
    tables.write(tables.METRICS, metric_rows(held.scores(), statistics, task="csc", **key), metrics)


if __name__ == "__main__":
    with job(snakemake, guarded=True, despite=["overlaps"]):
        main(
            corpus=snakemake.wildcards.corpus,
            model=snakemake.wildcards.model,
            statistics=Settings(**snakemake.params.statistics),
            ignored=snakemake.params.ignored_characters,
            items=snakemake.input.item_table,
            predictions=snakemake.input.predictions,
            overlaps=parted(snakemake.input.overlaps)[0],
            outcomes=snakemake.output.outcomes,
            edits=snakemake.output.edits,
            metrics=snakemake.output.metrics,
        )
