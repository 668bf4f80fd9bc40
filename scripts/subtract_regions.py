"""Evaluated regions of a corpus under both protocols, and what the strict one takes out of them."""

import pyarrow.compute as pc

from sinobench.failures import job
from sinobench.merlion.annotation.regions import region_rows
from sinobench.merlion.intervals import spans_by_recording
from sinobench.merlion.tables import REGIONS, SUBTRACTIONS
from sinobench.results import tables


def main(
    recordings: str,
    regions: str,
    redactions: str,
    segments: str,
    tone: list[str],
    evaluated_regions: str,
    subtractions: str,
) -> None:
    """Write ``merlion_regions`` and ``merlion_subtractions``; tone that no redaction mentions counts as redacted."""
    masked = spans_by_recording(tables.read_rows([redactions, *tone]))
    annotated = tables.read(segments, ["recording", "start_ms", "end_ms", "language"], ["recording", "language"])
    rows = annotated.filter(pc.equal(annotated["language"].cast("string"), "NON_EVALUATED")).to_pylist()
    non_evaluated = spans_by_recording(rows)
    evaluated = spans_by_recording(tables.read(regions).to_pylist())
    kept, taken = region_rows(tables.read(recordings).to_pylist(), evaluated, masked, non_evaluated)
    tables.write(REGIONS, kept, evaluated_regions)
    tables.write(SUBTRACTIONS, taken, subtractions)


if __name__ == "__main__":
    with job(snakemake):
        main(
            recordings=snakemake.input.recordings,
            regions=snakemake.input.regions,
            redactions=snakemake.input.redactions,
            segments=snakemake.input.segments,
            tone=snakemake.input.tone,
            evaluated_regions=snakemake.output.regions,
            subtractions=snakemake.output.subtractions,
        )
