"""Cut the segments of a shard's recordings into chunks of at most 3 s."""

from sinobench.failures import job
from sinobench.merlion.audio.chunk_files import write_chunks
from sinobench.merlion.tables import Segment
from sinobench.results import tables


def main(masked: str, audio: str, originals: str, segments: str, chunks: dict, path: str) -> None:
    """Write ``merlion_chunks``."""
    recordings = tables.read(masked).to_pylist()
    write_chunks(recordings, tables.objects(Segment, segments), originals, audio, chunks, path)


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
