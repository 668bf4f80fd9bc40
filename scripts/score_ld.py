"""Score the language turns that a model predicts for a MERLIon corpus under both protocols."""

from sinobench.failures import job
from sinobench.ld import breakdown, stored
from sinobench.ld.tables import COLLARS, PREDICTIONS, RECORDINGS, SWITCHES, TURNS
from sinobench.merlion import tables as merlion
from sinobench.results import tables
from sinobench.results.statistics.resampling import Settings
from sinobench.results.statistics.rows import metric_rows
from sinobench.results.stored import in_files


def main(
    corpus: str,
    model: str,
    statistics: Settings,
    corpus_recordings: str,
    turns: str,
    regions: str,
    predictions: list[str],
    recordings: str,
    collars: str,
    switches: str,
    metrics: str,
) -> None:
    """Write ``ld_recordings``, ``ld_collars``, ``ld_switches`` and ``metrics``; predictions: the files of its shards.

    Raises InputError for what can't be scored (``breakdown.compare_corpus``).
    """
    files = {merlion.RECORDINGS: corpus_recordings, TURNS: turns, merlion.REGIONS: regions, PREDICTIONS: predictions}
    own = in_files(corpus, model, files)
    compared, key = stored.comparison(own), own.key
    tables.write(RECORDINGS, key | breakdown.recording_columns(compared), recordings)
    tables.write(COLLARS, [key | row for row in breakdown.collar_rows(compared)], collars)
    tables.write(SWITCHES, key | breakdown.switch_columns(compared), switches)
    rows = metric_rows(breakdown.scores(compared), statistics, task="ld", **key)
    tables.write(tables.METRICS, rows, metrics)
    for row in rows:
        if row["value"] is None:
            print(
                f"{corpus}, {model}: {row['protocol']} {row['metric']} ({row['subset']}) is undefined: nothing to count"
            )


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        input, output, wildcards = snakemake.input, snakemake.output, snakemake.wildcards
        main(
            corpus=wildcards.corpus,
            model=wildcards.model,
            statistics=Settings(**snakemake.params.statistics),
            corpus_recordings=input.recordings,
            turns=input.turns,
            regions=input.regions,
            predictions=list(input.predictions),
            recordings=output.recordings,
            collars=output.collars,
            switches=output.switches,
            metrics=output.metrics,
        )
