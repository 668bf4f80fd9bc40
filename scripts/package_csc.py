"""Package a spelling-check model's predictions for the corpora without gold as a submission."""

from sinobench import digest
from sinobench.archive import write_zip
from sinobench.csc.packaging import members
from sinobench.csc.submitted_code import System
from sinobench.failures import job
from sinobench.results import tables


def main(system: System, items: list[str], predictions: list[str], training: str | None, path: str) -> None:
    """Write ``results.zip``."""
    predicted = (
        (
            tables.read(of_items, ["corpus", "input"]).to_pydict(),
            tables.read(of_model, ["input", "prediction"]).to_pydict(),
        )
        for of_items, of_model in zip(items, predictions, strict=True)
    )
    sets = tables.read(training).to_pylist() if training else []
    write_zip(path, members(system, predicted, sets))


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        main(
            system=System(snakemake.wildcards.model, **snakemake.params.system, revision=digest.revision()),
            items=snakemake.input.item_table,
            predictions=snakemake.input.predictions,
            training=snakemake.input.get("training") or None,
            path=snakemake.output[0],
        )
