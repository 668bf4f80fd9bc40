"""Score the language turns that a model predicts for a MERLIon corpus under both protocols."""

from sinobench.failures import job
from sinobench.ld import breakdown
from sinobench.ld.tables import COLLARS, RECORDINGS, SWITCHES, Turn
from sinobench.merlion.tables import Recording, Region
from sinobench.results import tables
from sinobench.results.statistics.resampling import Settings
from sinobench.results.statistics.rows import metric_rows


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
    compared = breakdown.compare_corpus(
        corpus,
        tables.objects(Recording, corpus_recordings),
        tables.objects(Turn, turns),
        {protocol: tables.objects(Region, regions, protocol=protocol) for protocol in ("official", "strict")},
        tables.objects(Turn, *predictions),
    )
    key = {"corpus": corpus, "model": model}
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
