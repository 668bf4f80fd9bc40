"""Table 1 and the rows of Figures 2 to 4 of the evaluation plan, for one corpus."""

from sinobench.failures import job
from sinobench.merlion import statistics
from sinobench.merlion.statistics import LENGTHS, SPEECH, STATISTICS
from sinobench.merlion.tables import LABELLED
from sinobench.results import tables


def main(corpus: str, recordings: str, segments: str, speech: str, table_1: str, lengths: str) -> None:
    """Write ``merlion_speech``, ``merlion_statistics`` and ``merlion_lengths``."""
    rows = tables.read(recordings).to_pylist()
    durations = {row["recording"]: row["duration_ms"] for row in rows}
    unlabelled = {row["recording"] for row in rows if row["form"] not in LABELLED}
    annotated = tables.read(segments).to_pandas()
    speech_rows = statistics.recording_rows(corpus, annotated, durations, unlabelled)
    tables.write(SPEECH, speech_rows, speech)
    tables.write(STATISTICS, statistics.table_1(annotated, speech_rows), table_1)
    length_rows = statistics.figure_2_rows(corpus, annotated) + statistics.figure_3_rows(speech_rows)
    tables.write(LENGTHS, length_rows, lengths)


if __name__ == "__main__":
    with job(snakemake):
        main(
            corpus=snakemake.wildcards.corpus,
            recordings=snakemake.input.recordings,
            segments=snakemake.input.segments,
            speech=snakemake.output.speech,
            table_1=snakemake.output.statistics,
            lengths=snakemake.output.lengths,
        )
