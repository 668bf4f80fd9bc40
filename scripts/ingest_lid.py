"""Choose the trials of language identification from the segments of a MERLIon corpus."""

from sinobench.failures import job
from sinobench.lid.tables import INPUTS, SEGMENTS
from sinobench.lid.trials import trial_rows
from sinobench.results import tables


def main(segments: str, path: str, inputs: str) -> None:
    """Write the tables ``lid_segments`` and ``lid_inputs`` from ``merlion_segments``."""
    rows = tables.read(segments).to_pylist()
    trials = trial_rows(rows)
    tables.write(SEGMENTS, trials, path)
    tables.write(INPUTS, tables.part(INPUTS, trials), inputs)
    print(f"{len(trials)} trials of {len(rows)} segments")


if __name__ == "__main__":
    with job(snakemake):
        main(snakemake.input[0], *snakemake.output)
