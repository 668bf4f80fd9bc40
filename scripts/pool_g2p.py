"""Score a G2P model on several corpora together, as published, and their mean."""

import pyarrow as pa

from sinobench.failures import job
from sinobench.g2p import breakdown
from sinobench.g2p.tables import CONFUSIONS
from sinobench.results import tables
from sinobench.results.statistics.resampling import Settings
from sinobench.results.statistics.rows import metric_rows


def main(
    pool: str, model: str, items: list[str], predictions: list[str], statistics: Settings, confusions: str, metrics: str
) -> None:
    """Write ``g2p_confusions`` and ``metrics`` of the pooled items as the corpus ``pooled-<pool>``."""
    pooled, predicted = (pa.concat_tables(map(tables.read, paths)).to_pydict() for paths in (items, predictions))
    scored = breakdown.score_table(pooled, predicted)
    key = {"corpus": f"pooled-{pool}", "model": model}
    rows = breakdown.confusion_rows(pooled, predicted, scored)
    tables.write(CONFUSIONS, [key | row for row in rows], confusions)
    scores = breakdown.scores(scored, pooled) + breakdown.macro_scores(scored, pooled)
    tables.write(tables.METRICS, metric_rows(scores, statistics, task="g2p", **key), metrics)


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        main(
            pool=snakemake.wildcards.pool,
            model=snakemake.wildcards.model,
            items=list(snakemake.input.item_table),
            predictions=list(snakemake.input.predictions),
            statistics=Settings(**snakemake.params.statistics),
            confusions=snakemake.output.confusions,
            metrics=snakemake.output.metrics,
        )
