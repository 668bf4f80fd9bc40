"""Download or copy one external file, and check it."""

from pathlib import Path

from sinobench.catalog import Catalog
from sinobench.failures import job
from sinobench.retrieve import RetrievalError, mirror_of, retrieve
from sinobench.selection import resolve


def main(source: str, file: str, catalog: Catalog, destination: str) -> None:
    """Write the file to the destination once its size and sha256 are right."""
    try:
        result = retrieve(source, file, Path(destination), catalog.sources, mirror_of(catalog.config))
    except RetrievalError as error:
        head, _, ways = str(error).partition("\n")
        corpora = ", ".join(catalog.corpora_of(source, file)) or "selected corpus"
        raise RetrievalError(f"{head}, without which there is no {corpora}\n{ways}") from None
    print(f"{source}/{file}: {result.size_bytes} bytes, sha256 {result.sha256}, from {result.origin}")


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        schemas = Path(snakemake.scriptdir).parent / "config" / "schema"
        catalog = resolve(snakemake.config, schemas)
        main(snakemake.wildcards.source, snakemake.wildcards.file, catalog, snakemake.output[0])
