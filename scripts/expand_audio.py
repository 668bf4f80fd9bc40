"""Expand a folder of compressed audio to the format of its layout."""

from sinobench.log import job_log
from sinobench.merlion.synthesis.compressed import expand

if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        written = expand(snakemake.input[0], snakemake.output[0])
        print(f"{len(written)} files")
