"""39-dimensional features of the chunks of a shard."""

from sinobench.failures import job
from sinobench.merlion.audio.feature_files import write_features


def main(chunks: str, path: str) -> None:
    """Write ``merlion_features``."""
    write_features(chunks, path)


if __name__ == "__main__":
    with job(snakemake):
        main(chunks=snakemake.input[0], path=snakemake.output[0])
