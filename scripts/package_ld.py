"""Package a diarization model's turns in an evaluation set as a submission to Task 2."""

from pathlib import Path

from sinobench import digest
from sinobench.archive import write_zip
from sinobench.failures import job
from sinobench.merlion.submission.members import ld_predictions, refuse_several_corpora
from sinobench.merlion.submission.system_description import System, document, read_fitted
from sinobench.results import tables


def main(
    system: System,
    recordings: list[str],
    predictions: list[str],
    metrics: list[str],
    runs: list[str],
    submission: str,
    description: str,
) -> None:
    """Write ``results.zip`` and, beside it, the system description; InputError for several evaluation sets at once."""
    rows = tables.read_rows(recordings)
    refuse_several_corpora(rows)
    turns = tables.each_row(predictions, "recording", "start_ms", "end_ms", "language")
    write_zip(submission, ld_predictions([row["recording"] for row in rows], turns))
    text = document(system, tables.read_rows(metrics), tables.read_rows(runs))
    Path(description).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    with job(snakemake):
        fitted = read_fitted(snakemake.input.get("fitted"), snakemake.input.get("tuned"))
        main(
            system=System(**snakemake.params.system, fitted=fitted, revision=digest.revision()),
            recordings=snakemake.input.recordings,
            predictions=snakemake.input.predictions,
            metrics=snakemake.input.metrics,
            runs=snakemake.input.runs,
            submission=snakemake.output.submission,
            description=snakemake.output.description,
        )
