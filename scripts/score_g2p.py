"""Score the predictions of a G2P model on a corpus under both protocols."""

from sinobench.failures import job
from sinobench.g2p import stored
from sinobench.g2p.gathered import Gathered
from sinobench.g2p.tables import CONFUSIONS, ITEMS, OUTCOMES, PREDICTIONS
from sinobench.results import tables
from sinobench.results.statistics.resampling import Settings
from sinobench.results.statistics.rows import metric_rows
from sinobench.results.stored import in_files


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
    own = in_files(corpus, model, {ITEMS: items, PREDICTIONS: predictions})
    held, key = Gathered(), own.key
    with tables.Writer(OUTCOMES, outcomes) as writer:
        for part in stored.parts(own):
            writer.write(key | part.outcome_columns())
            held.add(part)
    tables.write(CONFUSIONS, [key | row for row in held.confusion_rows()], confusions)
    scores = stored.scores_of(held)
    tables.write(tables.METRICS, metric_rows(scores, statistics, task="g2p", **key), metrics)


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
