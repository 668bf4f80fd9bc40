"""Cut the segments of a shard's recordings into chunks of at most 3 s."""

from collections.abc import Iterator
from dataclasses import fields

import pyarrow as pa
import pyarrow.compute as pc

from sinobench.failures import job
from sinobench.merlion.audio.chunk_files import write_chunks
from sinobench.merlion.tables import Segment
from sinobench.results import tables


def main(masked: str, audio: str, originals: str, segments: str, chunks: dict, path: str) -> None:
    """Write ``merlion_chunks``."""
    recordings = tables.read(masked).to_pylist()
    names = pa.array([row["recording"] for row in recordings], pa.string())
    write_chunks(recordings, _segments_of(names, segments), originals, audio, chunks, path)


def _segments_of(recordings: pa.Array, segments: str) -> Iterator[Segment]:
    """Those of the shard's recordings: all of a corpus would take more than any step on its audio."""
    for part in tables.batches(segments, [field.name for field in fields(Segment)], tables.ROWS_IN_HAND):
        for row in part.filter(pc.is_in(part["recording"], recordings)).to_pylist():
            yield Segment(**row)


if __name__ == "__main__":
    with job(snakemake):
        main(
            masked=snakemake.input.masked,
            audio=snakemake.input.audio,
            originals=snakemake.input.originals,
            segments=snakemake.input.segments,
            chunks=snakemake.params.chunks,
            path=snakemake.output[0],
        )
