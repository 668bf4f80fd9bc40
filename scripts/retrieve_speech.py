"""Download or copy the originals of the speech clips, each checked."""

import shutil
from collections.abc import Mapping
from pathlib import Path

from sinobench.log import job_log
from sinobench.merlion.joined.originals import read_originals, retrieve_originals
from sinobench.retrieve import RetrievalError, mirror_of


def main(listing: str, entry: Mapping, mirror: Path | None, out: str) -> None:
    """Write the originals into the folder that is called as ``out`` without its suffix, and last the listing there."""
    originals = read_originals(listing, entry)
    try:
        n_new = retrieve_originals(originals, Path(out).with_suffix(""), mirror)
    except RetrievalError as error:
        raise RetrievalError(f"{error}\nThey belong to the corpora of config/speech.yaml.") from None
    shutil.copyfile(listing, out)
    print(f"{len(originals)} originals, {n_new} of them new")


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        mirror = mirror_of(snakemake.config)
        main(snakemake.input.listing, snakemake.params.entry, mirror, snakemake.output[0])
