"""Make the clips of real speech of their originals: 16 kHz, mono, one bandwidth."""

import shutil
from pathlib import Path

import soundfile

from sinobench.errors import InputError
from sinobench.failures import job
from sinobench.merlion.annotation.tables import inside
from sinobench.retrieve import is_as_pinned
from sinobench.samples.joined.clips import MANIFEST
from sinobench.samples.joined.conversion import RATE_HZ, clip_of
from sinobench.samples.joined.originals import read_originals


def main(listing: str, out: str) -> None:
    """Write the clips below ``out``, and the listing as their manifest; the originals stand beside their listing."""
    originals = read_originals(listing)
    for original in originals:
        file = Path(listing).with_suffix("") / original.file
        if not is_as_pinned(file, original.sha256, original.size_bytes):
            raise InputError(f"is not what {listing} pins; remove {listing} and run again", file)
        clip = inside(Path(out), original.clip, listing, original.line)
        clip.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(clip, clip_of(file, original.end_sample), RATE_HZ, subtype="PCM_16")
    shutil.copyfile(listing, Path(out, MANIFEST))
    print(f"{len(originals)} clips")


if __name__ == "__main__":
    with job(snakemake, folders=["clips"]):
        main(snakemake.input[0], snakemake.output.clips)
