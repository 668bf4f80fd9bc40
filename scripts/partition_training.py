"""Choose the training data of a partition, and check it against its track."""

from collections.abc import Mapping
from pathlib import Path

from sinobench.failures import job
from sinobench.merlion.training.partitions import choose, write_partition
from sinobench.merlion.training.tables import PARTITIONS, Utterance
from sinobench.results import tables


def main(
    entry: Mapping, origins: Mapping[str, str], seed: int, utterances: list[str], partition: str, lists: str
) -> None:
    """Write ``merlion_partitions``, and of each part the list of what was chosen with its hours."""
    read = [tables.objects(Utterance, path) for path in utterances]
    parts = choose(entry, read, origins, seed)
    folder = Path(lists)
    folder.mkdir(parents=True)
    for part, chosen in zip(entry["parts"], parts, strict=True):
        write_partition(chosen, folder / f"{part['corpus']}.txt", folder / f"{part['corpus']}.json")
    every = [utterance for chosen in parts for utterance in chosen.utterances]
    with tables.Writer(PARTITIONS, partition) as writer:
        for start in range(0, len(every), tables.ROWS_IN_HAND):
            some = every[start : start + tables.ROWS_IN_HAND]
            writer.write(tables.rows_of(PARTITIONS, some, partition=entry["name"]))
    print(f"{entry['name']}: {sum(chosen.hours for chosen in parts):.3f} h, {entry['track']} track")


if __name__ == "__main__":
    with job(snakemake, folders=["lists"]):
        main(
            entry=snakemake.params.entry,
            origins=snakemake.params.origins,
            seed=snakemake.params.seed,
            utterances=snakemake.input.utterances,
            partition=snakemake.output.utterances,
            lists=snakemake.output.lists,
        )
