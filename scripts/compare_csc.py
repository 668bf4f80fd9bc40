"""Compare the spelling-check models of a corpus with one another."""

from sinobench.csc import stored
from sinobench.csc.board import BOARD
from sinobench.csc.tables import ITEMS, OVERLAPS, PREDICTIONS
from sinobench.failures import job, made_of_models, parted
from sinobench.results import comparing, tables
from sinobench.results.statistics.resampling import Settings
from sinobench.results.stored import in_files


def main(
    corpus: str,
    models: list[str],
    statistics: Settings,
    items: str,
    predictions: list[str],
    metrics: list[str],
    overlaps: list[str],
    comparisons: str,
    ranks: str,
    detectable: str,
) -> None:
    """Write the tables ``comparisons``, ``ranks`` and ``detectable_differences``.

    predictions: those of the models in their order.
    """
    of_corpus = {ITEMS: items, OVERLAPS: overlaps}
    scored = (
        (model, stored.scores(in_files(corpus, model, of_corpus | {PREDICTIONS: given, tables.METRICS: of_metrics})))
        for model, given, of_metrics in made_of_models(models, predictions, metrics)
    )
    comparing.write(BOARD, corpus, scored, statistics, comparisons, ranks, detectable)


if __name__ == "__main__":
    with job(snakemake, guarded=True, despite=["predictions", "metrics", "overlaps"]):
        input, output, wildcards = snakemake.input, snakemake.output, snakemake.wildcards
        main(
            corpus=wildcards.corpus,
            models=snakemake.params.models,
            statistics=Settings(**snakemake.params.statistics),
            items=input.item_table,
            predictions=list(input.predictions),
            metrics=list(input.metrics),
            overlaps=parted(input.overlaps)[0],
            comparisons=output.comparisons,
            ranks=output.ranks,
            detectable=output.detectable,
        )
