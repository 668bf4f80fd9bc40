"""Score a corpus's segments with an identification model, or read someone's scores of them."""

from sinobench.failures import job
from sinobench.identity import attested
from sinobench.lid.running import predict
from sinobench.lid.tables import SCORES
from sinobench.results import tables


def main(
    corpus: str,
    model: str,
    entry: dict,
    files: list[str],
    fitted: str | None,
    inputs: str,
    scored: bool,
    chunks: list[str],
    features: list[str],
    scores: str,
    runs: str,
    threads: int,
) -> None:
    """Write the tables ``lid_scores`` and ``runs`` (empty for a file of scores)."""
    segments = tables.read(inputs, ["segment_id", "start_ms", "end_ms"])
    columns, measured = predict(corpus, model, entry, fitted, segments, scored, chunks, features, threads)
    tables.write(SCORES, columns, scores)
    tables.write(tables.RUNS, measured, runs)


if __name__ == "__main__":
    with job(snakemake, guarded=True, witness=attested("lid", snakemake), witnessed=["identities"]):
        main(
            corpus=snakemake.wildcards.corpus,
            model=snakemake.wildcards.model,
            entry=snakemake.params.entry,
            files=list(snakemake.input.get("files", [])),
            fitted=snakemake.input.get("fitted") or None,
            inputs=snakemake.input.inputs,
            scored=snakemake.params.scored,
            chunks=snakemake.input.chunks,
            features=snakemake.input.features,
            scores=snakemake.output.scores,
            runs=snakemake.output.runs,
            threads=snakemake.threads,
        )
