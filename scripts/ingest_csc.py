"""Read a spelling-check corpus into items, and a table of the rows that can't be used."""

from collections.abc import Mapping
from contextlib import ExitStack

from sinobench.csc.readers import read_corpus
from sinobench.csc.tables import INPUTS, ITEMS
from sinobench.failures import job
from sinobench.results import tables


def main(corpus: str, entry: dict, files: Mapping[str, str], items: str, inputs: str, set_aside: str) -> None:
    """Write the tables ``csc_items``, ``csc_inputs`` and ``set_aside`` of one corpus."""
    writers = ((ITEMS, items), (INPUTS, inputs), (tables.SET_ASIDE, set_aside))
    with ExitStack() as opened:
        of_items, of_inputs, aside = (opened.enter_context(tables.Writer(*each)) for each in writers)

        def written(rows: list[dict]) -> None:
            rows = [{"corpus": corpus, **row} for row in rows]
            of_items.write(rows)
            of_inputs.write(tables.part(INPUTS, rows))

        def put_aside(rows: list[dict]) -> None:
            aside.write([{"task": "csc", "corpus": corpus, **row} for row in rows])

        read = read_corpus(corpus, entry, files, written, put_aside)
    print(f"{corpus}: {len(read.items)} items, {len(read.set_aside)} set aside")
    if read.wrong_error_counts:
        print(f"{corpus}: the declared count of errors is wrong on lines {read.wrong_error_counts}")


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
