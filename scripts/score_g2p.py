"""Score the predictions of a G2P model on a corpus under both protocols."""

from sinobench.failures import job
from sinobench.g2p import breakdown
from sinobench.g2p.tables import CONFUSIONS, OUTCOMES
from sinobench.results import tables
from sinobench.results.statistics.resampling import Settings
from sinobench.results.statistics.rows import metric_rows


def main(
    corpus: str,
    model: str,
    statistics: Settings,
    items: str,
    predictions: str,
    outcomes: str,
    confusions: str,
    metrics: str,
) -> None:
    """Write the tables ``g2p_outcomes``, ``g2p_confusions`` and ``metrics``."""
    item_table, predicted = tables.read(items).to_pydict(), tables.read(predictions).to_pydict()
    scored = breakdown.score_table(item_table, predicted)
    key = {"corpus": corpus, "model": model}
    tables.write(OUTCOMES, key | breakdown.outcome_columns(item_table, predicted, scored), outcomes)
    rows = breakdown.confusion_rows(item_table, predicted, scored)
    tables.write(CONFUSIONS, [key | row for row in rows], confusions)
    tables.write(
        tables.METRICS, metric_rows(breakdown.scores(scored, item_table), statistics, task="g2p", **key), metrics
    )


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        main(
            corpus=snakemake.wildcards.corpus,
            model=snakemake.wildcards.model,
            statistics=Settings(**snakemake.params.statistics),
            items=snakemake.input.item_table,
            predictions=snakemake.input.predictions,
            outcomes=snakemake.output.outcomes,
            confusions=snakemake.output.confusions,
            metrics=snakemake.output.metrics,
        )
