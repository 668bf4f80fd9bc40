"""Fit a spelling-check model on the training corpora, less every pair whose gold stands in a scored corpus."""

import time

from sinobench.csc.fitting import fit, training_corpus
from sinobench.failures import job, parted
from sinobench.models import fit_row
from sinobench.results import tables


def main(
    model: str,
    entry: dict,
    seed: int,
    training: list[str],
    set_aside: list[str],
    scored: list[str],
    fitted: str,
    sets: str,
    fits: str,
) -> None:
    """Write the fitted model, and the tables ``training_sets``, on what it was fitted, and ``fits``."""
    started = time.perf_counter()
    golds = {gold for path in scored for options in tables.read(path)["golds"].to_pylist() for gold in options}
    corpora = [
        training_corpus(tables.read(items).to_pydict(), tables.read(aside).num_rows)
        for items, aside in zip(training, set_aside, strict=True)
    ]
    tables.write(tables.TRAINING_SETS, fit(model, entry, seed, corpora, golds, fitted), sets)
    tables.write(tables.FITS, [fit_row("csc", model, time.perf_counter() - started)], fits)


if __name__ == "__main__":
    with job(snakemake, guarded=True, despite=["scored"]):
        main(
            model=snakemake.wildcards.model,
            entry=snakemake.params.entry,
            seed=snakemake.params.seed,
            training=snakemake.input.training,
            set_aside=snakemake.input.set_aside,
            scored=parted(snakemake.input.scored)[0],
            fitted=snakemake.output.fitted,
            sets=snakemake.output.training_sets,
            fits=snakemake.output.fits,
        )
