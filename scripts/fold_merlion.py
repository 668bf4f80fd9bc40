"""Folds of the development sets, none of which divides a parent–child pair, or shares one with an evaluation set."""

from sinobench.failures import job, parted
from sinobench.merlion.pairs import check_disjoint_pairs, pair_folds
from sinobench.merlion.training.tables import FOLDS
from sinobench.results import tables


def main(development: list[str], evaluation: list[str], n_folds: int, seed: int, folds: str) -> None:
    """Write ``merlion_folds``."""
    dev, held_out = tables.read_rows(development), tables.read_rows(evaluation)
    check_disjoint_pairs([row["recording"] for row in dev], [row["recording"] for row in held_out])
    # A recording may stand in two corpora, raw and released: it is in one fold all the same.
    fold_of = {row["recording"]: row for row in pair_folds(sorted({r["recording"] for r in dev}), n_folds, seed)}
    tables.write(FOLDS, [fold_of[row["recording"]] | {"corpus": row["corpus"]} for row in dev], folds)


if __name__ == "__main__":
    development, evaluation = (parted(snakemake.input[name])[0] for name in ("development", "evaluation"))
    # Of the sets that are at hand; without any there is nothing to fold.
    with job(snakemake, despite=["development", "evaluation"] if development else []):
        main(
            development=development,
            evaluation=evaluation,
            n_folds=snakemake.params.n_folds,
            seed=snakemake.params.seed,
            folds=snakemake.output[0],
        )
