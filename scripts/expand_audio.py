"""Expand a folder of compressed audio to the format of its layout."""

from sinobench.failures import job
from sinobench.samples.synthesis.compressed import expand

if __name__ == "__main__":
    with job(snakemake, folders=["audio"]):
        written = expand(snakemake.input[0], snakemake.output[0])
        print(f"{len(written)} files")
