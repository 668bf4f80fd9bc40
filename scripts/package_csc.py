"""Package a spelling-check model's predictions for the corpora without gold as a submission."""

import yaml

from sinobench import __version__, digest
from sinobench.archive import write_zip
from sinobench.csc.submission import document, result_lines
from sinobench.failures import job
from sinobench.results import tables


def main(
    model: str,
    entry: dict,
    config: dict,
    revision: str,
    items: list[str],
    predictions: list[str],
    training: str | None,
    path: str,
) -> None:
    """Write ``results.zip``: a text a corpus, ``code/`` and the document."""
    members = {}
    for item_file, prediction_file in zip(items, predictions, strict=True):
        table, predicted = tables.read(item_file).to_pydict(), tables.read(prediction_file).to_pydict()
        corpus = table["corpus"][0]
        members[f"{corpus}.txt"] = result_lines(corpus, predicted["input"], table["input"], predicted["prediction"])
    members["README.md"] = document(
        model, entry["title"], tables.read(training).to_pylist() if training else [], entry["prior_data"]
    )
    members["code/model.yaml"] = yaml.safe_dump({model: entry}, allow_unicode=True, sort_keys=False)
    members["code/config.yaml"] = yaml.safe_dump(config, allow_unicode=True, sort_keys=False)
    members["code/revision.txt"] = f"sinobench {__version__}\ncommit {revision}\n"
    write_zip(path, members)


if __name__ == "__main__":
    with job(snakemake):
        input, params = snakemake.input, snakemake.params
        files = (
            list(input.item_table),
            list(input.predictions),
            str(input.training) if input.get("training") else None,
        )
        main(snakemake.wildcards.model, params.entry, params.config, digest.revision(), *files, snakemake.output[0])
