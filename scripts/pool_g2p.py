"""Score a G2P model on several corpora together, as published, and their mean."""

from sinobench.failures import job
from sinobench.g2p import stored
from sinobench.g2p.tables import CONFUSIONS, ITEMS, PREDICTIONS
from sinobench.results import tables
from sinobench.results.statistics.resampling import Settings
from sinobench.results.statistics.rows import metric_rows
from sinobench.results.stored import in_files


def main(
    pool: str,
    model: str,
    items: list[str],
    predictions: list[str],
    overlapping: list[str],
    statistics: Settings,
    confusions: str,
    metrics: str,
) -> None:
    """Write ``g2p_confusions`` and ``metrics`` of the pooled items as the corpus ``pooled-<pool>``.

    overlapping: its corpora that the model declares to have learnt from.
    """
    own = in_files(f"pooled-{pool}", model, {ITEMS: items, PREDICTIONS: predictions})
    held, key = stored.gathered(own), own.key
    tables.write(CONFUSIONS, [key | row for row in held.confusion_rows()], confusions)
    scores = stored.scores_of(held, overlapping)
    tables.write(tables.METRICS, metric_rows(scores, statistics, task="g2p", **key), metrics)


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        main(
            pool=snakemake.wildcards.pool,
            model=snakemake.wildcards.model,
            items=list(snakemake.input.item_table),
            predictions=list(snakemake.input.predictions),
            overlapping=snakemake.params.overlapping,
            statistics=Settings(**snakemake.params.statistics),
            confusions=snakemake.output.confusions,
            metrics=snakemake.output.metrics,
        )
