"""Find the items of a spelling-check corpus that stand, whole or in part, in the corpora that models are fitted on."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from sinobench.csc import overlap
from sinobench.csc.digests import digests
from sinobench.csc.tables import OVERLAPS
from sinobench.failures import job, parted
from sinobench.results import tables


def main(corpus: str, items: str, training: list[str], scored: list[str], path: str) -> None:
    """Write the table ``csc_overlaps``."""
    scored_golds = np.sort(digests(gold for file in scored for [options] in _rows(file, "golds") for gold in options))
    n_items = sum(1 for _ in _rows(items, "item_id"))
    sought = overlap.Sought(_rows(items, "input", "golds"), n_items)
    with tables.Writer(OVERLAPS, path) as writer:
        for file in training:
            key, n_found = {"corpus": corpus, "training_corpus": Path(file).stem}, 0
            pairs = ((source, options[0]) for source, options in _rows(file, "input", "golds"))
            told = zip(_rows(items, "item_id"), *sought.overlaps(pairs, scored_golds), strict=True)
            rows = (key | {"item_id": item, "in_file": one, "in_fit": fit} for [item], one, fit in told if one)
            while some := list(islice(rows, tables.ROWS_IN_HAND)):
                writer.write(some)
                n_found += len(some)
            print(f"{corpus}: of {n_items} items {n_found} in {key['training_corpus']}")


def _rows(file: str, *columns: str) -> Iterator[tuple]:
    for part in tables.batches(file, columns, tables.ROWS_IN_HAND):
        yield from zip(*(part[name].to_pylist() for name in columns), strict=True)


if __name__ == "__main__":
    with job(snakemake, despite=["training", "scored"]):
        main(
            corpus=snakemake.wildcards.corpus,
            items=snakemake.input.item_table,
            training=parted(snakemake.input.training)[0],
            scored=parted(snakemake.input.scored)[0],
            path=snakemake.output[0],
        )
