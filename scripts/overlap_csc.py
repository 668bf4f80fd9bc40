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
    found: dict[str, list[tuple[list, list]]] = {file: [] for file in training}
    for part in tables.batches(items, ["input", "golds"], overlap.SENTENCES_AT_ONCE):
        sought = overlap.Sought(*part.to_pydict().values())
        for file, kinds in found.items():
            pairs = ((source, options[0]) for source, options in _rows(file, "input", "golds"))
            kinds.append(sought.overlaps(pairs, scored_golds))
    with tables.Writer(OVERLAPS, path) as writer:
        for file, kinds in found.items():
            key = {"corpus": corpus, "training_corpus": Path(file).stem}
            ids, n_items, n_found = (item for [item] in _rows(items, "item_id")), 0, 0
            for each in kinds:
                told = zip(islice(ids, len(each[0])), *each, strict=True)
                rows = [key | {"item_id": item, "in_file": one, "in_fit": fit} for item, one, fit in told if one]
                writer.write(rows)
                n_items, n_found = n_items + len(each[0]), n_found + len(rows)
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
