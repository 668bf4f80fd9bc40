"""Remove what a run made of models and corpora that are no longer in its config."""

import os

from sinobench.log import job_log
from sinobench.runs import remove


def main(left: list[str], folder: str) -> str:
    """Remove the paths; a line for each."""
    remove(left, folder)
    return "".join(f"removed {path}\n" for path in left) or f"{folder} has nothing that its config does not\n"


if __name__ == "__main__":
    with os.fdopen(os.dup(2), "w") as terminal, job_log(snakemake.log[0]):
        report = main(left=snakemake.params.left, folder=snakemake.params.folder)
        print(report)
        terminal.write(report)
