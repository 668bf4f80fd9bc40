"""Choose the trials of language identification from the segments of a MERLIon corpus."""

from sinobench.failures import job
from sinobench.lid.tables import INPUTS, SEGMENTS
from sinobench.lid.trials import trial_rows
from sinobench.merlion.tables import Segment
from sinobench.results import tables


def main(corpus: str, segments: str, trials: str, inputs: str) -> None:
    """Write the tables ``lid_segments`` and ``lid_inputs`` from ``merlion_segments``."""
    annotated = tables.objects(Segment, segments)
    rows = trial_rows(corpus, annotated)
    tables.write(SEGMENTS, rows, trials)
    tables.write(INPUTS, tables.part(INPUTS, rows), inputs)
    print(f"{len(rows)} trials of {len(annotated)} segments")


if __name__ == "__main__":
    with job(snakemake):
        main(
            corpus=snakemake.wildcards.corpus,
            segments=snakemake.input[0],
            trials=snakemake.output.segments,
            inputs=snakemake.output.inputs,
        )
