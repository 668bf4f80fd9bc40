"""Copy a file, or a folder of files, that Snakemake's storage plugin has brought here."""

import shutil
from pathlib import Path

from sinobench.failures import job


def main(brought: str, destination: str) -> None:
    """Write the copy, with times of its own: those in the storage are no times of this machine."""
    if Path(brought).is_dir():
        shutil.copytree(brought, destination, copy_function=shutil.copyfile, dirs_exist_ok=True)
    else:
        shutil.copyfile(brought, destination)


if __name__ == "__main__":
    with job(snakemake, folders=["folder"]):
        main(brought=snakemake.input[0], destination=snakemake.output[0])
