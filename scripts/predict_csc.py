"""Run a spelling-check model on a corpus, or read someone's predictions for it."""

from sinobench.csc.running import predict
from sinobench.csc.tables import PREDICTIONS
from sinobench.failures import job
from sinobench.identity import identity
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
    identities: str,
    threads: int,
    answers: str,
) -> None:
    """Write the tables ``csc_predictions``, ``identities``, and ``runs`` (empty for a file of predictions)."""
    of_model = identity([entry], files, [fitted])
    texts = tables.read(inputs).to_pydict()
    columns, measured = predict(corpus, model, entry, files, fitted, texts, threads, answers)
    tables.write(PREDICTIONS, columns, predictions)
    tables.write(tables.RUNS, measured, runs)
    key = {"task": "csc", "corpus": corpus, "model": model}
    tables.write(tables.IDENTITIES, [key | of_model], identities)


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        main(
            corpus=snakemake.wildcards.corpus,
            model=snakemake.wildcards.model,
            entry=snakemake.params.entry,
            files=list(snakemake.input.get("files", [])),
            fitted=snakemake.input.get("fitted") or None,
            inputs=snakemake.input.inputs,
            predictions=snakemake.output.predictions,
            runs=snakemake.output.runs,
            identities=snakemake.output.identities,
            threads=snakemake.threads,
            answers=snakemake.config["answers"],
        )
