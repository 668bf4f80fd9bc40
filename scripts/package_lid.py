"""Package a language identification model's scores for an evaluation set as a submission to Task 1."""

from pathlib import Path

from sinobench import digest
from sinobench.archive import write_zip
from sinobench.failures import job
from sinobench.merlion.submission.members import LID_MEMBER, lid_prediction, refuse_several_corpora
from sinobench.merlion.submission.system_description import System, document, read_fitted
from sinobench.results import tables


def main(
    system: System,
    segments: list[str],
    scores: list[str],
    metrics: list[str],
    runs: list[str],
    submission: str,
    description: str,
) -> None:
    """Write ``results.zip`` and, beside it, the system description; InputError for several evaluation sets at once."""
    refuse_several_corpora(tables.each_row(segments, "corpus"))
    scored = tables.each_row(scores, "segment_id", "english_score", "mandarin_score")
    write_zip(submission, {LID_MEMBER: lid_prediction(tables.each_row(segments, "segment_id"), scored)})
    text = document(system, tables.read_rows(metrics), tables.read_rows(runs))
    Path(description).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    with job(snakemake):
        fitted = read_fitted(snakemake.input.get("fitted"))
        main(
            system=System(**snakemake.params.system, fitted=fitted, revision=digest.revision()),
            segments=snakemake.input.segments,
            scores=snakemake.input.scores,
            metrics=snakemake.input.metrics,
            runs=snakemake.input.runs,
            submission=snakemake.output.submission,
            description=snakemake.output.description,
        )
