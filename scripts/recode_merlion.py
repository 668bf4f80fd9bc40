"""Recode raw annotations to the released form, and put the segments of all recordings together."""

from collections.abc import Iterable, Iterator

import pyarrow as pa

from sinobench.failures import job
from sinobench.merlion.annotation.labels import write_rows
from sinobench.merlion.annotation.rows import ORDER, REPEATED, labelled, recoded_segments
from sinobench.merlion.tables import GRAINS, REDACTION_LABELS, SEGMENTS, Redaction
from sinobench.results import arrow, tables


def main(
    corpus: str, status: str, raw_grains: str, segments: str, redactions: str, lenient: bool, output: dict[str, str]
) -> None:
    """Write ``merlion_grains``, ``merlion_segments``, ``merlion_redaction_labels`` and the labels CSV."""
    with (
        tables.Writer(GRAINS, output["grains"]) as grains_file,
        tables.Writer(REDACTION_LABELS, output["redaction_labels"]) as labels_file,
    ):
        grains, labels = tables.Growing(grains_file.write), tables.Growing(labels_file.write)
        released = tables.read(segments, repeated=REPEATED)
        read = (tables.read(raw_grains), released, tables.objects(Redaction, redactions))
        recoded = recoded_segments(corpus, *read, grains, labels, status=status, lenient=lenient)
        for rows in (grains, labels):
            rows.finish()
    with tables.Writer(SEGMENTS, output["segments"]) as segments_file:
        write_rows(_written(arrow.ordered_parts(recoded, *ORDER), segments_file), output["labels"])
    print(f"{corpus}: {len(grains)} grains recoded, {recoded.num_rows} segments")


def _written(parts: Iterable[pa.Table], file: tables.Writer) -> Iterator[tuple]:
    """Write the segments, and hand their labels on."""
    for part in parts:
        file.write({name: part[name] for name in part.column_names})
        yield from labelled(part)


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
