"""Let the jobs of a hub model begin, unless its inspection refused it: then this fails, and they with it."""

from pathlib import Path

from sinobench.failures import job
from sinobench.hub.inspection import Finding, Inspection
from sinobench.results import tables


def main(model: str, inspection: str, path: str) -> None:
    """Write the names and sha256 of what was inspected. Raises InputError with what is refused."""
    found = Inspection(tuple(tables.objects(Finding, inspection)))
    found.require(model)
    Path(path).write_text("".join(f"{each.sha256}  {each.file}\n" for each in found.findings), encoding="utf-8")


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        main(model=snakemake.wildcards.model, inspection=snakemake.input[0], path=snakemake.output[0])
