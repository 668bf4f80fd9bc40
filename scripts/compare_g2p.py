"""Compare the G2P models of a corpus with one another, or of a pool of corpora."""

from collections.abc import Sequence

from sinobench.failures import job, made_of_models
from sinobench.g2p import stored
from sinobench.g2p.board import BOARD
from sinobench.g2p.tables import ITEMS, PREDICTIONS
from sinobench.results import comparing
from sinobench.results.statistics.resampling import Settings
from sinobench.results.stored import in_files


def main(
    corpus: str,
    models: list[str],
    statistics: Settings,
    items: str | Sequence[str],
    predictions: list[str],
    metrics: list[str],
    comparisons: str,
    ranks: str,
    detectable: str,
) -> None:
    """Write the tables ``comparisons``, ``ranks`` and ``detectable_differences``.

    items: one file, of a pool that of each corpus. predictions: those of the models in their order, of a pool for each
    of its corpora.
    """
    scored = (
        (model, stored.scores_of_all(stored.gathered(in_files(corpus, model, {ITEMS: items, PREDICTIONS: given}), ())))
        for model, given, _ in made_of_models(models, predictions, metrics)
    )
    comparing.write(BOARD, corpus, scored, statistics, comparisons, ranks, detectable)


if __name__ == "__main__":
    with job(snakemake, guarded=True, despite=["predictions", "metrics"]):
        input, output, wildcards = snakemake.input, snakemake.output, snakemake.wildcards
        main(
            corpus=wildcards.get("corpus") or f"pooled-{wildcards.pool}",
            models=snakemake.params.models,
            statistics=Settings(**snakemake.params.statistics),
            items=input.item_table,
            predictions=list(input.predictions),
            metrics=list(input.metrics),
            comparisons=output.comparisons,
            ranks=output.ranks,
            detectable=output.detectable,
        )
