"""Mel spectrograms and sound of the recordings that the report may show, of their masked audio."""

from collections.abc import Sequence
from pathlib import Path

from sinobench.failures import job
from sinobench.merlion.audio.shards import audio_of
from sinobench.report.browser.media import render
from sinobench.results import tables


def main(masked: Sequence[str], audio: Sequence[str], originals: Sequence[str], folder: str) -> None:
    """masked, audio, originals: of each shard of each corpus, tables, folders of masked and of the corpus's audio."""
    recordings = [
        (row["corpus"], row["recording"], audio_of(row, its_originals, its_audio))
        for table, its_audio, its_originals in zip(masked, audio, originals, strict=True)
        for row in tables.read(table).to_pylist()
    ]
    listing = render(sorted(recordings), Path(folder))
    played = sum("sound" in each for own in listing.values() for each in own.values())
    print(f"{played} of {len(recordings)} recordings")


if __name__ == "__main__":
    with job(snakemake, folders=["rendered"]):
        main(
            masked=snakemake.input.masked,
            audio=snakemake.input.audio,
            originals=snakemake.input.originals,
            folder=snakemake.output.rendered,
        )
