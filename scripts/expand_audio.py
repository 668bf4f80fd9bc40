"""Expand a folder of compressed audio to the format of its layout."""

from sinobench.failures import job
from sinobench.samples.synthesis.compressed import expand


def main(compressed: str, audio: str) -> None:
    """Write the folder ``audio``."""
    print(f"{len(expand(compressed, audio))} files")


if __name__ == "__main__":
    with job(snakemake, folders=["audio"]):
        main(compressed=snakemake.input[0], audio=snakemake.output[0])
