"""Folds of the development sets, none of which divides a parent–child pair, or shares one with an evaluation set."""

from sinobench.failures import job, parted
from sinobench.merlion.training.partitions import check_disjoint_pairs, pair_folds
from sinobench.merlion.training.tables import FOLDS
from sinobench.results import tables


def main(development: list[str], evaluation: list[str], n_folds: int, seed: int, folds: str) -> None:
    """Write ``merlion_folds``."""
    dev = [row for path in development for row in tables.read(path).to_pylist()]
    held_out = [row["recording"] for path in evaluation for row in tables.read(path).to_pylist()]
    check_disjoint_pairs([row["recording"] for row in dev], held_out)
    # A recording may stand in two corpora, raw and released: it is in one fold all the same.
    fold_of = {row["recording"]: row for row in pair_folds(sorted({r["recording"] for r in dev}), n_folds, seed)}
    tables.write(FOLDS, [fold_of[row["recording"]] | {"corpus": row["corpus"]} for row in dev], folds)


if __name__ == "__main__":
    development, evaluation = (parted(snakemake.input[name])[0] for name in ("development", "evaluation"))
    # Of the sets that are at hand; without any there is nothing to fold.
    with job(snakemake, despite=["development", "evaluation"] if development else []):
        params = snakemake.params
        main(development, evaluation, params.n_folds, params.seed, snakemake.output[0])
