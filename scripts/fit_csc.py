"""Fit a spelling-check model on the training corpora, less every pair whose gold stands in a scored corpus."""

import time
from pathlib import Path

import numpy as np

from sinobench.csc.digests import digests
from sinobench.csc.fitting import TrainingCorpus, fit
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
    golds = np.sort(digests(gold for path in scored for [options] in tables.rows(path, "golds") for gold in options))
    corpora = [
        TrainingCorpus(
            Path(items).stem,
            ((source, options[0]) for source, options in tables.rows(items, "input", "golds")),
            sum(1 for _ in tables.rows(aside, "line")),
        )
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
