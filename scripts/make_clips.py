"""Make the clips of real speech of their originals: 16 kHz, mono, one bandwidth."""

from sinobench.failures import job
from sinobench.samples.joined.making import make_clips


def main(listing: str, clips: str) -> None:
    """Write the clips and their manifest; the originals stand beside their listing."""
    print(f"{make_clips(listing, clips)} clips")


if __name__ == "__main__":
    with job(snakemake, folders=["clips"]):
        main(listing=snakemake.input[0], clips=snakemake.output.clips)
