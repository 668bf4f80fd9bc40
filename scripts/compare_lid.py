"""Compare the language identification models of a corpus with one another."""

from sinobench.failures import job, made_of_models
from sinobench.lid import stored
from sinobench.lid.board import BOARD
from sinobench.lid.tables import SCORES, SEGMENTS
from sinobench.results import comparing
from sinobench.results.statistics.resampling import Settings
from sinobench.results.stored import in_files


def main(
    corpus: str,
    models: list[str],
    statistics: Settings,
    segments: str,
    scores: list[str],
    metrics: list[str],
    comparisons: str,
    ranks: str,
    detectable: str,
) -> None:
    """Write the tables ``comparisons``, ``ranks`` and ``detectable_differences``.

    scores: those of the models in their order.
    """
    scored = (
        (model, stored.scores(in_files(corpus, model, {SEGMENTS: segments, SCORES: given})))
        for model, given, _ in made_of_models(models, scores, metrics)
    )
    comparing.write(BOARD, corpus, scored, statistics, comparisons, ranks, detectable)


if __name__ == "__main__":
    with job(snakemake, guarded=True, despite=["scores", "metrics"]):
        input, output, wildcards = snakemake.input, snakemake.output, snakemake.wildcards
        main(
            corpus=wildcards.corpus,
            models=snakemake.params.models,
            statistics=Settings(**snakemake.params.statistics),
            segments=input.segments,
            scores=list(input.scores),
            metrics=list(input.metrics),
            comparisons=output.comparisons,
            ranks=output.ranks,
            detectable=output.detectable,
        )
