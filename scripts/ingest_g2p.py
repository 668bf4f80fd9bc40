"""Read a G2P corpus into items, and a table of the lines that can't be used."""

from collections.abc import Mapping

from sinobench.failures import job
from sinobench.g2p.corpus import read_anchored, read_dufu
from sinobench.g2p.tables import INPUTS, ITEMS
from sinobench.results import tables


def main(corpus: str, entry: dict, files: Mapping[str, str], items: str, inputs: str, set_aside: str) -> None:
    """Write the tables ``g2p_items``, ``g2p_inputs`` and ``set_aside`` of one corpus."""
    if entry["reader"] == "anchored":
        found = read_anchored(files["sent"], files["lb"], files.get("pos"), entry["register"])
    else:
        found = read_dufu(files["text"], entry["register"])
    readings = known_readings({item["character"] for item in found.items})
    for item in found.items:
        item |= {"corpus": corpus, "n_readings": readings[item["character"]]}
    tables.write(ITEMS, found.items, items)
    tables.write(INPUTS, tables.part(INPUTS, found.items), inputs)
    tables.write(tables.SET_ASIDE, [{"task": "g2p", "corpus": corpus, **row} for row in found.set_aside], set_aside)
    print(f"{corpus}: {len(found.items)} items, {len(found.set_aside)} set aside")


def known_readings(characters: set[str]) -> dict[str, int]:
    """How many readings ToJyutping's dictionary knows of each character."""
    import ToJyutping

    candidates = ToJyutping.get_jyutping_candidates("".join(sorted(characters)))
    return {character: len(readings) for character, readings in candidates}


if __name__ == "__main__":
    with job(snakemake):
        output, files = snakemake.output, dict(snakemake.input.items())
        written = (output.item_table, output.inputs, output.set_aside)
        main(snakemake.wildcards.corpus, snakemake.params.entry, files, *written)
