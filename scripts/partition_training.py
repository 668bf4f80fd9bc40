"""Choose the training data of a partition, and check it against its track."""

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from sinobench.failures import job
from sinobench.merlion.training.corpora import Utterance
from sinobench.merlion.training.partitions import Partition, choose_listed, choose_speakers, write_partition
from sinobench.merlion.training.tables import PARTITIONS
from sinobench.merlion.training.tracks import check_track
from sinobench.results import tables


def main(entry: Mapping, origins: Mapping[str, str], seed: int, utterances: list[str], output: str, lists: str) -> None:
    """Write ``merlion_partitions``, and of each part the list of what was chosen with its hours.

    Raises InputError, with the sum in hours, for data or pretrained models that the track does not allow; a corpus
    counts as the challenge's own where its entry says so.
    """
    parts: list[Partition] = []
    for part, path in zip(entry["parts"], utterances, strict=True):
        found = [Utterance(**row) for row in tables.read(path).to_pylist()]
        if part["ids"]:
            parts.append(choose_listed(found, part["ids"]))
        elif part["hours"]:
            parts.append(choose_speakers(found, part["hours"], part["order"], seed))
        else:
            parts.append(Partition(found, list(dict.fromkeys(row.speaker for row in found)), "whole"))
    hours = [(origins[part["corpus"]], chosen.hours) for part, chosen in zip(entry["parts"], parts, strict=True)]
    check_track(entry["track"], hours, entry["pretrained"])
    folder = Path(lists)
    folder.mkdir(parents=True)
    for part, chosen in zip(entry["parts"], parts, strict=True):
        write_partition(chosen, folder / f"{part['corpus']}.txt", folder / f"{part['corpus']}.json")
    rows = [{"partition": entry["name"]} | asdict(row) for chosen in parts for row in chosen.utterances]
    tables.write(PARTITIONS, rows, output)
    print(f"{entry['name']}: {sum(chosen.hours for chosen in parts):.3f} h, {entry['track']} track")


if __name__ == "__main__":
    with job(snakemake, folders=["lists"]):
        params, output = snakemake.params, snakemake.output
        paths = list(snakemake.input.utterances)
        main(params.entry, params.origins, params.seed, paths, output.utterances, output.lists)
