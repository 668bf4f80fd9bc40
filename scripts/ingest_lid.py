"""Choose the trials of language identification from the segments of a MERLIon corpus."""

from sinobench.failures import job
from sinobench.lid.tables import INPUTS, SEGMENTS
from sinobench.lid.trials import COLUMNS, trial_parts
from sinobench.results import tables


def main(corpus: str, segments: str, trials: str, inputs: str) -> None:
    """Write the tables ``lid_segments`` and ``lid_inputs`` from ``merlion_segments``."""
    annotated, n_trials = tables.read(segments, COLUMNS, ["recording", "language"]), 0
    with tables.Writer(SEGMENTS, trials) as trials_file, tables.Writer(INPUTS, inputs) as inputs_file:
        for part in trial_parts(corpus, annotated):
            trials_file.write(part)
            inputs_file.write({name: part[name] for name in INPUTS.columns})
            n_trials += len(part["segment_id"])
    print(f"{n_trials} trials of {annotated.num_rows} segments")


if __name__ == "__main__":
    with job(snakemake):
        main(
            corpus=snakemake.wildcards.corpus,
            segments=snakemake.input[0],
            trials=snakemake.output.segments,
            inputs=snakemake.output.inputs,
        )
