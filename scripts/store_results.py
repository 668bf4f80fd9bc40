"""Lay what a run is for where Snakemake's storage plugin takes it from."""

import shutil
from pathlib import Path

from sinobench.failures import job


def main(made: list[str], stored: list[str]) -> None:
    """Copy each file or folder to its place; they are as many."""
    for source, destination in zip(made, stored, strict=True):
        Path(destination).parent.mkdir(parents=True, exist_ok=True)
        if Path(source).is_dir():
            shutil.rmtree(destination, ignore_errors=True)
            shutil.copytree(source, destination, ignore=shutil.ignore_patterns(".snakemake*"))
        else:
            shutil.copyfile(source, destination)


if __name__ == "__main__":
    with job(snakemake):
        main(made=list(snakemake.input), stored=list(snakemake.output))
