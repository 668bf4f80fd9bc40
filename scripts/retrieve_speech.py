"""Download or copy the originals of the speech clips, each checked."""

from pathlib import Path

from sinobench.failures import job
from sinobench.retrieve import mirror_of
from sinobench.samples.joined.originals import SOURCE, retrieve_listed
from sinobench.selection import resolve


def main(listing: str, base_url: str, mirror: Path | None, out: str) -> None:
    """Write the originals into the folder that is called as ``out`` without its suffix, and last the listing there."""
    retrieve_listed(listing, base_url, mirror, out)


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        catalog = resolve(snakemake.config, Path(snakemake.scriptdir).parent / "config" / "schema")
        main(
            listing=snakemake.input.listing,
            base_url=catalog.sources[SOURCE]["base_url"],
            mirror=mirror_of(catalog.config),
            out=snakemake.output[0],
        )
