"""Download or copy one external file, and check it."""

from pathlib import Path

from sinobench.catalog import Catalog
from sinobench.failures import job
from sinobench.retrieve import mirror_of, needed_for, retrieve
from sinobench.selection import resolve


def main(source: str, file: str, catalog: Catalog, destination: str) -> None:
    """Write the file to the destination once its size and sha256 are right."""
    with needed_for(*catalog.corpora_of(source, file)):
        retrieval = retrieve(source, file, Path(destination), catalog.sources, mirror_of(catalog.config))
    print(f"{source}/{file}: {retrieval.size_bytes} bytes, sha256 {retrieval.sha256}, from {retrieval.origin}")


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        main(
            source=snakemake.wildcards.source,
            file=snakemake.wildcards.file,
            catalog=resolve(snakemake.config, Path(snakemake.scriptdir).parent / "config" / "schema"),
            destination=snakemake.output[0],
        )
