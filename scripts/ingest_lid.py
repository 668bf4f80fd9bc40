"""Choose the trials of language identification from the segments of a MERLIon corpus."""

from sinobench.lid.trials import trial_rows
from sinobench.log import job_log
from sinobench.results import tables


def main(segments: str, path: str) -> None:
    """Write the table ``lid_segments`` from ``merlion_segments``."""
    rows = tables.read(segments).to_pylist()
    trials = trial_rows(rows)
    tables.write("lid_segments", trials, path)
    print(f"{len(trials)} trials of {len(rows)} segments")


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input[0], snakemake.output[0])
