"""Package a diarization model's turns in an evaluation set as a submission to Task 2."""

import json
from pathlib import Path

from sinobench import digest
from sinobench.archive import write_zip
from sinobench.failures import job
from sinobench.merlion.submission.members import ld_predictions, refuse_several_corpora
from sinobench.merlion.submission.system_description import System, document, read_fitted
from sinobench.results import tables


def main(
    system: dict,
    recordings: list[str],
    predictions: list[str],
    fitted: str | None,
    tuned: str | None,
    metrics: list[str],
    runs: list[str],
    submission: str,
    description: str,
) -> None:
    """Write ``results.zip`` and, beside it, the system description.

    system: the fields of ``System`` but ``fitted``, which is the folder of the lid model here; predictions: of all
    shards; tuned: the JSON of the fitted diarization model. Raises InputError for several evaluation sets at once.
    """
    found = tables.read_rows(recordings)
    refuse_several_corpora(found)
    write_zip(submission, ld_predictions([row["recording"] for row in found], tables.read_rows(predictions)))
    documents = read_fitted(fitted) if fitted else {}
    if tuned:
        documents["diarization.json"] = json.loads(Path(tuned).read_text(encoding="utf-8"))
    text = document(System(**system, fitted=documents), tables.read_rows(metrics), tables.read_rows(runs))
    Path(description).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    with job(snakemake):
        input, output = snakemake.input, snakemake.output
        main(
            {**snakemake.params.system, "revision": digest.revision()},
            list(input.recordings),
            list(input.predictions),
            str(input.fitted) if input.get("fitted") else None,
            str(input.tuned) if input.get("tuned") else None,
            list(input.metrics),
            list(input.runs),
            output.submission,
            output.description,
        )
