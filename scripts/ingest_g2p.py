"""Read a G2P corpus into items, and a table of the lines that can't be used."""

from collections.abc import Mapping

from sinobench.failures import job
from sinobench.g2p.corpus import read_corpus
from sinobench.g2p.tables import INPUTS, ITEMS
from sinobench.results import tables


def main(corpus: str, entry: dict, files: Mapping[str, str], items: str, inputs: str, set_aside: str) -> None:
    """Write the tables ``g2p_items``, ``g2p_inputs`` and ``set_aside`` of one corpus."""
    read = read_corpus(entry, files)
    rows = [{"corpus": corpus, **row} for row in read.items]
    tables.write(ITEMS, rows, items)
    tables.write(INPUTS, tables.part(INPUTS, rows), inputs)
    tables.write(tables.SET_ASIDE, [{"task": "g2p", "corpus": corpus, **row} for row in read.set_aside], set_aside)
    print(f"{corpus}: {len(read.items)} items, {len(read.set_aside)} set aside")


if __name__ == "__main__":
    with job(snakemake):
        main(
            corpus=snakemake.wildcards.corpus,
            entry=snakemake.params.entry,
            files=dict(snakemake.input.items()),
            items=snakemake.output.item_table,
            inputs=snakemake.output.inputs,
            set_aside=snakemake.output.set_aside,
        )
