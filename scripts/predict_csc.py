"""Run a spelling-check model on a corpus, or read someone's predictions for it."""

from sinobench import models
from sinobench.csc import predictions as csc
from sinobench.csc.alignment import misalignment
from sinobench.csc.tables import PREDICTIONS
from sinobench.failures import job
from sinobench.results import tables
from sinobench.text import storable


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
) -> None:
    """Write the tables ``csc_predictions`` and ``runs`` (empty for a file of predictions)."""
    table = tables.read(inputs).to_pydict()
    measured = []
    if entry["kind"] == "predictions":
        found = csc.from_file(files[0], table["input"])
    else:
        cls = models.load_class(entry["class"])
        make = (lambda: cls.load(fitted)) if fitted else (lambda: cls(**entry["options"]))
        run = models.run(model, make, table["input"], csc.check_output)
        found = [storable(run.outputs[text]) for text in table["input"]]
        measured = [run.row("csc", corpus, model, threads, entry["packages"])]
    misaligned = [i for i, p in enumerate(found) if p is not None and misalignment(table["input"][i], p)]
    if misaligned:
        first = table["line"][misaligned[0]]
        print(
            f"{model}: {len(misaligned)} of {len(found)} outputs are misaligned, the first on line {first} of {corpus}"
        )
    columns = {"item_id": table["item_id"], "input": table["input"], "prediction": found}
    tables.write(PREDICTIONS, {"corpus": corpus, "model": model, **columns}, predictions)
    tables.write(tables.RUNS, measured, runs)


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        input, output, wildcards = snakemake.input, snakemake.output, snakemake.wildcards
        main(
            wildcards.corpus,
            wildcards.model,
            snakemake.params.entry,
            list(input.get("files", [])),
            str(input.fitted) if input.get("fitted") else None,
            input.inputs,
            output.predictions,
            output.runs,
            snakemake.threads,
        )
