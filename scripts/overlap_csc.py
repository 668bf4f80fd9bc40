"""Find the items of a spelling-check corpus that stand, whole or in part, in the corpora that models are fitted on."""

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
    golds = (gold for file in scored for [options] in tables.rows(file, "golds") for gold in options)
    scored_golds = np.sort(digests(golds))
    n_items = sum(1 for _ in tables.rows(items, "item_id"))
    sought = overlap.Sought(tables.rows(items, "input", "golds"), n_items)
    with tables.Writer(OVERLAPS, path) as writer:
        for file in training:
            key, n_found = {"corpus": corpus, "training_corpus": Path(file).stem}, 0
            pairs = ((source, options[0]) for source, options in tables.rows(file, "input", "golds"))
            told = zip(tables.rows(items, "item_id"), *sought.overlaps(pairs, scored_golds), strict=True)
            rows = (key | {"item_id": item, "in_file": one, "in_fit": fit} for [item], one, fit in told if one)
            while some := list(islice(rows, tables.ROWS_IN_HAND)):
                writer.write(some)
                n_found += len(some)
            print(f"{corpus}: of {n_items} items {n_found} in {key['training_corpus']}")


if __name__ == "__main__":
    with job(snakemake, despite=["training", "scored"]):
        main(
            corpus=snakemake.wildcards.corpus,
            items=snakemake.input.item_table,
            training=parted(snakemake.input.training)[0],
            scored=parted(snakemake.input.scored)[0],
            path=snakemake.output[0],
        )
