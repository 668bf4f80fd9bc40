"""Run a spelling-check model on a corpus, or read someone's predictions for it."""

from collections.abc import Iterator

from sinobench.csc.running import predict
from sinobench.csc.tables import PREDICTIONS
from sinobench.failures import job
from sinobench.identity import attested
from sinobench.results import tables


def main(
    corpus: str,
    model: str,
    entry: dict,
    files: list[str],
    fitted: str | None,
    inputs: str,
    predictions: str,
    runs: str,
    threads: int,
    answers: str,
) -> None:
    """Write the tables ``csc_predictions`` and ``runs`` (empty for a file of predictions)."""

    n_rows = tables.ROWS_IN_HAND if entry["kind"] == "predictions" else tables.ROWS_AT_ONCE

    def parts() -> Iterator[dict[str, list]]:
        return (part.to_pydict() for part in tables.batches(inputs, ["item_id", "line", "input"], n_rows))

    with tables.Writer(PREDICTIONS, predictions) as writer:
        measured = predict(corpus, model, entry, files, fitted, parts, threads, writer.write, answers)
    tables.write(tables.RUNS, measured, runs)


if __name__ == "__main__":
    with job(snakemake, guarded=True, witness=attested("csc", snakemake), witnessed=["identities"]):
        main(
            corpus=snakemake.wildcards.corpus,
            model=snakemake.wildcards.model,
            entry=snakemake.params.entry,
            files=list(snakemake.input.get("files", [])),
            fitted=snakemake.input.get("fitted") or None,
            inputs=snakemake.input.inputs,
            predictions=snakemake.output.predictions,
            runs=snakemake.output.runs,
            threads=snakemake.threads,
            answers=snakemake.params.answers,
        )
