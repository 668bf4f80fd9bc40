"""Find the items of a spelling-check corpus that stand, whole or in part, in the corpora that models are fitted on."""

from collections.abc import Iterator
from pathlib import Path

from sinobench.csc.overlap import overlaps
from sinobench.csc.tables import OVERLAPS
from sinobench.failures import job, parted
from sinobench.results import tables

_ROWS = 10_000


def main(corpus: str, items: str, training: list[str], scored: list[str], path: str) -> None:
    """Write the table ``csc_overlaps``."""
    own = tables.read(items).to_pydict()
    scored_golds = {gold for file in scored for golds in tables.read(file)["golds"].to_pylist() for gold in golds}
    rows = []
    for file in training:
        found = zip(own["item_id"], *overlaps(own["input"], own["golds"], _pairs(file), scored_golds), strict=True)
        name = Path(file).stem
        rows += [
            {"corpus": corpus, "item_id": item, "training_corpus": name, "in_file": in_file, "in_fit": in_fit}
            for item, in_file, in_fit in found
            if in_file
        ]
        print(
            f"{corpus}: of {len(own['item_id'])} items {sum(row['training_corpus'] == name for row in rows)} in {name}"
        )
    tables.write(OVERLAPS, rows, path)


def _pairs(file: str) -> Iterator[tuple[str, str]]:
    for group in tables.row_groups(file, ["input", "golds"]):
        for batch in group.to_batches(_ROWS):
            for source, golds in zip(*batch.to_pydict().values(), strict=True):
                yield source, golds[0]


if __name__ == "__main__":
    with job(snakemake, despite=["training", "scored"]):
        main(
            corpus=snakemake.wildcards.corpus,
            items=snakemake.input.item_table,
            training=parted(snakemake.input.training)[0],
            scored=parted(snakemake.input.scored)[0],
            path=snakemake.output[0],
        )
