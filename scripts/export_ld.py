"""Turns and evaluated regions as NIST files, for the tools that read those."""

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from sinobench.failures import job, parted
from sinobench.ld.rttm import NamedTurn, write_rttm, write_uem
from sinobench.merlion.annotation.tables import Region
from sinobench.results import tables

TURN = ("recording", "start_ms", "end_ms", "language")


def main(turns: str, regions: str, predictions: Sequence[str], folder: str) -> None:
    """Write ``reference.rttm``, ``<model>.rttm`` of each model, and ``<protocol>.uem``; a language stands as the name.

    predictions: the tables of all models and shards.
    """
    out = Path(folder)
    out.mkdir(parents=True)
    write_rttm((NamedTurn(*map(row.get, TURN)) for row in tables.read(turns).to_pylist()), out / "reference.rttm")
    of_model = defaultdict(list)
    for path in predictions:
        of_model[Path(path).parent.name] += [NamedTurn(*map(row.get, TURN)) for row in tables.read(path).to_pylist()]
    for model, found in of_model.items():
        write_rttm(sorted(found), out / f"{model}.rttm")
    of_protocol = defaultdict(list)
    for row in tables.read(regions).to_pylist():
        of_protocol[row["protocol"]].append(Region(row["recording"], row["start_ms"], row["end_ms"], row=0))
    for protocol, found in of_protocol.items():
        write_uem(found, out / f"{protocol}.uem")


if __name__ == "__main__":
    with job(snakemake, despite=["predictions"], folders=["nist"]):
        input = snakemake.input
        main(input.turns, input.regions, parted(input.predictions)[0], snakemake.output[0])
