"""Write the chunks of a shard as WAV files, named by segment and number."""

from itertools import pairwise
from pathlib import Path

import soundfile

from sinobench.failures import job
from sinobench.merlion.audio.shards import samples_of
from sinobench.results import tables


def main(chunks: str, folder: str) -> None:
    """Write ``<segment id>_<chunk>.wav``, 16-bit mono at the audio's own rate."""
    Path(folder).mkdir(parents=True)
    for table in tables.row_groups(chunks):
        samples, offsets = samples_of(table)
        for row, bounds in zip(table.drop("audio").to_pylist(), pairwise(offsets.tolist()), strict=True):
            name = f"{row['segment_id']}_{row['chunk']}.wav"
            soundfile.write(Path(folder, name), samples[slice(*bounds)], row["sample_rate_hz"], subtype="PCM_16")


if __name__ == "__main__":
    with job(snakemake, folders=["wav"]):
        main(snakemake.input[0], snakemake.output[0])
