"""Fit an identification model on a partition, and calibrate its scores on speakers that it has not seen."""

import time
from pathlib import Path

from sinobench.failures import job
from sinobench.lid.fitting import fit
from sinobench.models import fit_row
from sinobench.results import tables


def main(
    model: str,
    entry: dict,
    seed: int,
    partition: dict,
    origins: dict[str, str],
    utterances: str,
    features: list[str],
    audio: dict[str, str],
    fitted: str,
    state: str,
    sets: str,
    fits: str,
) -> None:
    """Write the folder ``fitted``, and the tables ``training_sets`` and ``fits``."""
    started = time.perf_counter()
    rows = fit(model, entry, seed, partition, origins, utterances, features, audio, Path(fitted), Path(state))
    tables.write(tables.TRAINING_SETS, rows, sets)
    tables.write(tables.FITS, [fit_row("lid", model, time.perf_counter() - started)], fits)


if __name__ == "__main__":
    with job(snakemake, guarded=True, folders=["fitted"]):
        main(
            model=snakemake.wildcards.model,
            entry=snakemake.params.entry,
            seed=snakemake.params.seed,
            partition=snakemake.params.partition,
            origins=snakemake.params.origins,
            utterances=snakemake.input.utterances,
            features=snakemake.input.features,
            audio=dict(zip(snakemake.params.corpora, snakemake.input.audio, strict=True)),
            fitted=snakemake.output.fitted,
            state=f"{snakemake.output.fitted}.unfinished",  # no output: Snakemake removes those of a job that failed
            sets=snakemake.output.training_sets,
            fits=snakemake.output.fits,
        )
