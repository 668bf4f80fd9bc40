"""Recode raw annotations to the released form, and put the segments of all recordings together."""

from sinobench.failures import job
from sinobench.merlion.annotation.labels import write_labels
from sinobench.merlion.annotation.rows import recoded_rows
from sinobench.merlion.tables import GRAINS, REDACTION_LABELS, SEGMENTS, Grain, Redaction, Segment
from sinobench.results import tables


def main(
    corpus: str, status: str, raw_grains: str, segments: str, redactions: str, lenient: bool, output: dict[str, str]
) -> None:
    """Write ``merlion_grains``, ``merlion_segments``, ``merlion_redaction_labels`` and the labels CSV."""
    read = ((Grain, raw_grains), (Segment, segments), (Redaction, redactions))
    rows = recoded_rows(corpus, *(tables.objects(*each) for each in read), status=status, lenient=lenient)
    write_labels(rows.labels, output["labels"])
    tables.write(SEGMENTS, rows.segments, output["segments"])
    tables.write(GRAINS, rows.grains, output["grains"])
    tables.write(REDACTION_LABELS, rows.redaction_labels, output["redaction_labels"])
    print(f"{corpus}: {len(rows.grains)} grains recoded, {len(rows.segments)} segments")


if __name__ == "__main__":
    with job(snakemake):
        main(
            corpus=snakemake.wildcards.corpus,
            status=snakemake.params.status,
            raw_grains=snakemake.input.raw_grains,
            segments=snakemake.input.segments,
            redactions=snakemake.input.redactions,
            lenient=snakemake.params.lenient,
            output=dict(snakemake.output.items()),
        )
