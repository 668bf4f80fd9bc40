"""The clips of real speech made of their originals."""

import shutil
from pathlib import Path

from sinobench.errors import InputError
from sinobench.merlion.annotation.tables import inside
from sinobench.pins import is_as_pinned
from sinobench.samples.joined.clips import MANIFEST
from sinobench.samples.joined.conversion import RATE_HZ, clip_of
from sinobench.samples.joined.originals import read_originals


def make_clips(listing: str | Path, out: str | Path) -> int:
    """Write the clips below ``out``, and the listing as their manifest; how many they are.

    The originals stand beside their listing; InputError for one that is not as it pins.
    """
    import soundfile

    originals = read_originals(listing)
    for original in originals:
        file = Path(listing).with_suffix("") / original.file
        if not is_as_pinned(file, original.sha256, original.size_bytes):
            raise InputError(f"is not what {listing} pins; remove {listing} and run again", file)
        clip = inside(Path(out), original.clip, listing, original.line)
        clip.parent.mkdir(parents=True, exist_ok=True)
        soundfile.write(clip, clip_of(file, original.end_sample), RATE_HZ, subtype="PCM_16")
    shutil.copyfile(listing, Path(out, MANIFEST))
    return len(originals)
