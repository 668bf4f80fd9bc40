"""Download or copy one external file, and check it."""

from pathlib import Path

from sinobench.log import job_log
from sinobench.retrieve import RetrievalError, retrieve


def main(source: str, file: str, corpora: list[str], entry: dict, mirror: str | None, destination: str) -> None:
    """Write the file to the destination once its size and sha256 are right."""
    try:
        result = retrieve(source, file, Path(destination), {source: entry}, Path(mirror) if mirror else None)
    except RetrievalError as error:
        raise RetrievalError(f"{error}\nThe file belongs to: {', '.join(corpora) or 'no selected corpus'}.") from None
    print(f"{source}/{file}: {result.size_bytes} bytes, sha256 {result.sha256}, from {result.origin}")


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        wildcards, params = snakemake.wildcards, snakemake.params
        main(wildcards.source, wildcards.file, params.corpora, params.entry, params.mirror, snakemake.output[0])
