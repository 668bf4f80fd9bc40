"""Table 1 and the rows of Figures 2 to 4 of the evaluation plan, for one corpus."""

from sinobench.failures import job
from sinobench.merlion import statistics
from sinobench.merlion.tables import LABELLED, LENGTHS, SPEECH, STATISTICS
from sinobench.results import tables


def main(corpus: str, recordings: str, segments: str, speech: str, statistic: str, lengths: str) -> None:
    """Write ``merlion_speech``, ``merlion_statistics`` and ``merlion_lengths``."""
    rows = tables.read(recordings).to_pylist()
    durations = {row["recording"]: row["duration_ms"] for row in rows}
    unlabelled = {row["recording"] for row in rows if row["form"] not in LABELLED}
    found = tables.read(segments).to_pandas()
    speech_rows = statistics.recording_rows(corpus, found, durations, unlabelled)
    tables.write(SPEECH, speech_rows, speech)
    tables.write(STATISTICS, statistics.table_1(found, speech_rows), statistic)
    rows = statistics.figure_2_rows(corpus, found) + statistics.figure_3_rows(speech_rows)
    tables.write(LENGTHS, rows, lengths)


if __name__ == "__main__":
    with job(snakemake):
        input, output = snakemake.input, snakemake.output
        files = (input.recordings, input.segments, output.speech, output.statistics, output.lengths)
        main(snakemake.wildcards.corpus, *files)
