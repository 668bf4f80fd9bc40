"""Choose the trials of language identification from the segments of a MERLIon corpus."""

from sinobench.failures import job
from sinobench.lid.tables import INPUTS, SEGMENTS
from sinobench.lid.trials import trial_rows
from sinobench.merlion.tables import Segment
from sinobench.results import tables


def main(corpus: str, segments: str, path: str, inputs: str) -> None:
    """Write the tables ``lid_segments`` and ``lid_inputs`` from ``merlion_segments``."""
    found = tables.objects(Segment, segments)
    trials = trial_rows(corpus, found)
    tables.write(SEGMENTS, trials, path)
    tables.write(INPUTS, tables.part(INPUTS, trials), inputs)
    print(f"{len(trials)} trials of {len(found)} segments")


if __name__ == "__main__":
    with job(snakemake):
        main(
            corpus=snakemake.wildcards.corpus,
            segments=snakemake.input[0],
            path=snakemake.output[0],
            inputs=snakemake.output[1],
        )
