"""Make the clips of real speech of their originals: 16 kHz, mono, one bandwidth."""

import shutil
from collections.abc import Mapping
from pathlib import Path

import soundfile

from sinobench.errors import InputError
from sinobench.log import job_log
from sinobench.merlion.annotations import inside
from sinobench.merlion.joined.clips import MANIFEST
from sinobench.merlion.joined.conversion import RATE_HZ, clip_of
from sinobench.merlion.joined.originals import read_originals
from sinobench.retrieve import is_as_pinned


def main(listing: str, entry: Mapping, out: str) -> None:
    """Write the clips below ``out``, and the listing as their manifest; the originals stand beside their listing."""
    originals = read_originals(listing, entry)
    for original in originals:
        file = Path(listing).with_suffix("") / original.pin.file
        if not is_as_pinned(file, original.pin):
            raise InputError(f"is not what {listing} pins; remove {listing} and run again", file)
        clip = inside(Path(out), original.clip, listing, original.line)
        clip.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(clip, clip_of(file, original.end_sample), RATE_HZ, subtype="PCM_16")
    shutil.copyfile(listing, Path(out, MANIFEST))
    print(f"{len(originals)} clips")


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        main(snakemake.input[0], snakemake.params.entry, snakemake.output.clips)
