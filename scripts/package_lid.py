"""Package a language identification model's scores for an evaluation set as a submission to Task 1."""

from pathlib import Path

from sinobench import digest
from sinobench.archive import write_zip
from sinobench.failures import job
from sinobench.merlion.submission.members import LID_MEMBER, lid_prediction, refuse_several_corpora
from sinobench.merlion.submission.system_description import System, document, read_fitted
from sinobench.results import tables


def main(
    system: dict,
    segments: list[str],
    scores: list[str],
    fitted: str | None,
    metrics: list[str],
    runs: list[str],
    submission: str,
    description: str,
) -> None:
    """Write ``results.zip`` and, beside it, the system description.

    system: the fields of ``System`` but ``fitted``, which is a folder here. Raises InputError for several evaluation
    sets at once.
    """
    trials = tables.read_rows(segments)
    refuse_several_corpora(trials)
    write_zip(submission, {LID_MEMBER: lid_prediction(trials, tables.read_rows(scores))})
    described = System(**system, fitted=read_fitted(fitted) if fitted else {})
    Path(description).write_text(
        document(described, tables.read_rows(metrics), tables.read_rows(runs)), encoding="utf-8"
    )


if __name__ == "__main__":
    with job(snakemake):
        input, output = snakemake.input, snakemake.output
        main(
            {**snakemake.params.system, "revision": digest.revision()},
            list(input.segments),
            list(input.scores),
            str(input.fitted) if input.get("fitted") else None,
            list(input.metrics),
            list(input.runs),
            output.submission,
            output.description,
        )
