"""Turns and evaluated regions as NIST files, for the tools that read those."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from sinobench.failures import job, parted
from sinobench.ld.rttm import NamedTurn, write_rttm, write_uem
from sinobench.ld.tables import Turn
from sinobench.merlion.tables import Region
from sinobench.results import tables


def main(turns: str, regions: str, predictions: Sequence[str], folder: str) -> None:
    """Write ``reference.rttm``, ``<model>.rttm`` of each model, and ``<protocol>.uem``; a language stands as the name.

    predictions: the tables of all models and shards.
    """
    out = Path(folder)
    out.mkdir(parents=True)
    write_rttm(_named(turns), out / "reference.rttm")
    of_model = defaultdict(list)
    for path in predictions:
        of_model[Path(path).parent.name] += _named(path)
    for model, found in of_model.items():
        write_rttm(sorted(found), out / f"{model}.rttm")
    for protocol in ("official", "strict"):
        if evaluated := tables.objects(Region, regions, protocol=protocol):
            write_uem(evaluated, out / f"{protocol}.uem")


def _named(path: str) -> list[NamedTurn]:
    return [NamedTurn(*vars(turn).values()) for turn in tables.objects(Turn, path)]


if __name__ == "__main__":
    with job(snakemake, despite=["predictions"], folders=["nist"]):
        main(
            turns=snakemake.input.turns,
            regions=snakemake.input.regions,
            predictions=parted(snakemake.input.predictions)[0],
            folder=snakemake.output[0],
        )
