"""Copy the clips of real speech from the mirror, each checked against the listing."""

from pathlib import Path

from sinobench.errors import InputError
from sinobench.log import job_log
from sinobench.merlion.joined.clips import copy_clips

MIRRORED = "speech"  # the folder's name in a mirror


def main(mirror: str | None, listing: str, out: str) -> None:
    """Write the clips and their manifest below ``out``; InputError without a mirror."""
    if not mirror:
        raise InputError(
            f"the clips of {listing} come from a mirror only: no address has these filtered copies of their originals. "
            f"Set SINOBENCH_MIRROR (or mirror: in the config) to a folder with {MIRRORED}/, or empty "
            "merlion.corpora, merlion.training and merlion.partitions in the config"
        )
    print(f"{copy_clips(Path(mirror, MIRRORED), listing, out)} clips")


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.params.mirror, snakemake.input.listing, snakemake.output.clips)
