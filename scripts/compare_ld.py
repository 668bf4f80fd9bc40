"""Compare the language diarization models of a corpus with one another."""

from sinobench.failures import job, made_of_models
from sinobench.ld import stored
from sinobench.ld.board import BOARD
from sinobench.ld.tables import PREDICTIONS, TURNS
from sinobench.merlion.tables import RECORDINGS, REGIONS
from sinobench.results import comparing
from sinobench.results.statistics.resampling import Settings
from sinobench.results.stored import in_files


def main(
    corpus: str,
    models: list[str],
    statistics: Settings,
    recordings: str,
    turns: str,
    regions: str,
    predictions: list[str],
    metrics: list[str],
    comparisons: str,
    ranks: str,
    detectable: str,
) -> None:
    """Write the tables ``comparisons``, ``ranks`` and ``detectable_differences``.

    predictions: those of the models in their order, one a shard.
    """
    scored = (
        (
            model,
            stored.scores(
                in_files(corpus, model, {RECORDINGS: recordings, TURNS: turns, REGIONS: regions, PREDICTIONS: given})
            ),
        )
        for model, given, _ in made_of_models(models, predictions, metrics)
    )
    comparing.write(BOARD, corpus, scored, statistics, comparisons, ranks, detectable)


if __name__ == "__main__":
    with job(snakemake, guarded=True, despite=["predictions", "metrics"]):
        input, output, wildcards = snakemake.input, snakemake.output, snakemake.wildcards
        main(
            corpus=wildcards.corpus,
            models=snakemake.params.models,
            statistics=Settings(**snakemake.params.statistics),
            recordings=input.recordings,
            turns=input.turns,
            regions=input.regions,
            predictions=list(input.predictions),
            metrics=list(input.metrics),
            comparisons=output.comparisons,
            ranks=output.ranks,
            detectable=output.detectable,
        )
