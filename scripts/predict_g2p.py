"""Run a G2P model on a corpus, or read someone's predictions for it."""

from sinobench import models
from sinobench.failures import job
from sinobench.g2p import predictions as g2p
from sinobench.g2p.tables import PREDICTIONS
from sinobench.g2p.upstream import supplied_modules
from sinobench.results import tables


def main(
    corpus: str, model: str, entry: dict, files: list[str], inputs: str, predictions: str, runs: str, threads: int
) -> None:
    """Write the tables ``g2p_predictions`` and ``runs`` (empty for a file of predictions)."""
    table = tables.read(inputs).to_pydict()
    measured = []
    if entry["kind"] == "predictions":
        found, lengths = g2p.from_file(files[0], table["text"], table["position"])
    else:
        cls = models.load_class(entry["class"], supplied_modules())
        run = models.run(model, lambda: cls(**entry["options"]), table["text"], g2p.check_output)
        found, lengths = g2p.from_outputs(table["text"], table["position"], run.outputs)
        measured = [run.row("g2p", corpus, model, threads, entry["packages"])]
    columns = {"item_id": table["item_id"], "prediction": found, "output_length": lengths}
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
            input.inputs,
            output.predictions,
            output.runs,
            snakemake.threads,
        )
