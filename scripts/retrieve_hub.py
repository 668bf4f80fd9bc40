"""Download or copy one file of a hub model, and check it."""

from pathlib import Path

from sinobench.failures import job
from sinobench.hub.entries import pin
from sinobench.pins import Pin
from sinobench.retrieve import mirror_of, supply


def main(pin: Pin, mirror: Path | None, destination: str) -> None:
    """Write the file to the destination once its size and sha256 are right."""
    retrieval = supply(pin, Path(destination), mirror)
    print(f"{pin.source}/{pin.file}: {pin.size_bytes} bytes, sha256 {pin.sha256}, from {retrieval.origin}")


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        main(
            pin=pin(**dict(snakemake.wildcards.items()), facts=snakemake.params.facts),
            mirror=mirror_of(snakemake.config),
            destination=snakemake.output[0],
        )
