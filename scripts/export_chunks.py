"""Write the chunks of a shard as WAV files, named by segment and number."""

from sinobench.failures import job
from sinobench.merlion.audio.chunk_files import export_wav


def main(chunks: str, folder: str) -> None:
    """Write a WAV file a chunk."""
    export_wav(chunks, folder)


if __name__ == "__main__":
    with job(snakemake, folders=["wav"]):
        main(chunks=snakemake.input[0], folder=snakemake.output[0])
