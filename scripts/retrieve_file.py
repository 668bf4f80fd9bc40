"""Download or copy one external file, and check it."""

from pathlib import Path

from sinobench.log import job_log
from sinobench.retrieve import retrieve


def main(source: str, file: str, entry: dict, mirror: str | None, destination: str) -> None:
    """Write the file to the destination once its size and sha256 are right."""
    result = retrieve(source, file, Path(destination), {source: entry}, Path(mirror) if mirror else None)
    print(f"{source}/{file}: {result.size_bytes} bytes, sha256 {result.sha256}, from {result.origin}")


if __name__ == "__main__":
    with job_log(snakemake.log[0]):
        wildcards, params = snakemake.wildcards, snakemake.params
        main(wildcards.source, wildcards.file, params.entry, params.mirror, snakemake.output[0])
