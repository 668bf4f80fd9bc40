"""Package a spelling-check model's predictions for the corpora without gold as a submission."""

from sinobench import digest
from sinobench.archive import write_zip
from sinobench.csc.document import document
from sinobench.csc.submission import result_lines
from sinobench.csc.submitted_code import System, code_members
from sinobench.failures import job
from sinobench.results import tables


def main(system: System, items: list[str], predictions: list[str], training: str | None, path: str) -> None:
    """Write ``results.zip``: a text a corpus, ``code/`` and the document."""
    members = {}
    for item_file, prediction_file in zip(items, predictions, strict=True):
        table, predicted = tables.read(item_file).to_pydict(), tables.read(prediction_file).to_pydict()
        corpus = table["corpus"][0]
        members[f"{corpus}.txt"] = result_lines(corpus, predicted["input"], table["input"], predicted["prediction"])
    members["README.md"] = document(system, tables.read(training).to_pylist() if training else [])
    members |= {f"code/{name}": text for name, text in code_members(system).items()}
    write_zip(path, members)


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        input, params = snakemake.input, snakemake.params
        system = System(model=snakemake.wildcards.model, **params.system, revision=digest.revision())
        training = str(input.training) if input.get("training") else None
        main(system, list(input.item_table), list(input.predictions), training, snakemake.output[0])
