"""Score a language identification model on a corpus under both protocols."""

import logging

from sinobench.failures import job
from sinobench.lid import breakdown, stored
from sinobench.lid.tables import DET, OUTCOMES, RECORDINGS, SCORES, SEGMENTS
from sinobench.results import tables
from sinobench.results.statistics.resampling import Settings
from sinobench.results.statistics.rows import metric_rows
from sinobench.results.stored import in_files

log = logging.getLogger(__name__)


def main(
    corpus: str,
    model: str,
    statistics: Settings,
    segments: str,
    scores: str,
    outcomes: str,
    recordings: str,
    det: str,
    metrics: str,
) -> None:
    """Write the tables ``lid_outcomes``, ``lid_recordings``, ``lid_det`` and ``metrics``."""
    own = in_files(corpus, model, {SEGMENTS: segments, SCORES: scores})
    scored, key = stored.trials(own), own.key
    tables.write(OUTCOMES, key | breakdown.outcome_columns(*scored), outcomes)
    tables.write(RECORDINGS, [key | row for row in breakdown.recording_rows(*scored)], recordings)
    tables.write(DET, [key | row for row in breakdown.det_rows(*scored)], det)
    rows = metric_rows(breakdown.scores(*scored), statistics, task="lid", **key)
    tables.write(tables.METRICS, rows, metrics)
    whole = [row for row in rows if row["subset"] == "all"]
    for row in whole:
        print(f"{row['protocol']} {row['metric']}: {row['value']}")
    if warning := whole[0]["warning"]:
        log.warning("%s, %s: %s", corpus, model, warning)


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        main(
            corpus=snakemake.wildcards.corpus,
            model=snakemake.wildcards.model,
            statistics=Settings(**snakemake.params.statistics),
            segments=snakemake.input.segments,
            scores=snakemake.input.scores,
            outcomes=snakemake.output.outcomes,
            recordings=snakemake.output.recordings,
            det=snakemake.output.det,
            metrics=snakemake.output.metrics,
        )
