"""Download or copy the originals of the speech clips, each checked."""

import shutil
from pathlib import Path

from sinobench.failures import job
from sinobench.retrieve import RetrievalError, mirror_of
from sinobench.samples.joined.originals import SOURCE, read_originals, retrieve_originals
from sinobench.selection import resolve


def main(listing: str, base_url: str, mirror: Path | None, out: str) -> None:
    """Write the originals into the folder that is called as ``out`` without its suffix, and last the listing there."""
    originals = read_originals(listing)
    try:
        n_new = retrieve_originals(originals, base_url, Path(out).with_suffix(""), mirror)
    except RetrievalError as error:
        head, _, ways = str(error).partition("\n")
        raise RetrievalError(f"{head}, without which there is no speech-joined, speech-train\n{ways}") from None
    shutil.copyfile(listing, out)
    print(f"{len(originals)} originals, {n_new} of them new")


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        catalog = resolve(snakemake.config, Path(snakemake.scriptdir).parent / "config" / "schema")
        base_url = catalog.sources[SOURCE]["base_url"]
        main(snakemake.input.listing, base_url, mirror_of(catalog.config), snakemake.output[0])
