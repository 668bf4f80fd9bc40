"""Fit a diarization model on recordings simulated from training speakers that its identification model did not see."""

import time
from pathlib import Path

from sinobench.failures import job
from sinobench.ld.fitting import fit
from sinobench.merlion.training.tables import Utterance
from sinobench.models import fit_row
from sinobench.results import tables


def main(
    model: str,
    entry: dict,
    seed: int,
    partition: str,
    folders: dict[str, str],
    lid_folder: str | None,
    lid_entry: dict | None,
    fitted: str,
    fits: str,
) -> None:
    """Write the fitted model as JSON, and the table ``fits``."""
    started = time.perf_counter()
    utterances = tables.objects(Utterance, partition)
    fit(model, entry, seed, utterances, folders, lid_folder, lid_entry, Path(fitted))
    tables.write(tables.FITS, [fit_row("ld", model, time.perf_counter() - started)], fits)


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        main(
            model=snakemake.wildcards.model,
            entry=snakemake.params.entry,
            seed=snakemake.params.seed,
            partition=snakemake.input.utterances,
            folders=dict(zip(snakemake.params.corpora, snakemake.input.audio, strict=True)),
            lid_folder=snakemake.input.get("lid") or None,
            lid_entry=snakemake.params.lid_entry,
            fitted=snakemake.output[0],
            fits=snakemake.output.fits,
        )
