"""Mask the redactions of a shard's recordings with the tone, in copies."""

from pathlib import Path

from sinobench.failures import job
from sinobench.merlion.audio.masking import mask_shard
from sinobench.merlion.audio.shards import shard_of
from sinobench.merlion.audio.tables import MASKED
from sinobench.merlion.intervals import spans_by_recording
from sinobench.results import tables


def main(
    shard: int,
    n_shards: int,
    recordings: str,
    redactions: str,
    originals: str,
    already: bool,
    peak: float,
    audio: str,
    masked: str,
) -> None:
    """Write masked WAVs, and ``merlion_masked``, which names each recording's audio."""
    Path(audio).mkdir(parents=True)
    mine = [row for row in tables.read(recordings).to_pylist() if shard_of(row["recording"], n_shards) == shard]
    spans = spans_by_recording(tables.read(redactions).to_pylist())
    tables.write(MASKED, mask_shard(mine, spans, originals, audio, already, peak), masked)


if __name__ == "__main__":
    with job(snakemake, folders=["audio"]):
        main(
            shard=int(snakemake.wildcards.shard),
            n_shards=snakemake.params.shards,
            recordings=snakemake.input.recordings,
            redactions=snakemake.input.redactions,
            originals=snakemake.input.originals,
            already=snakemake.params.already,
            peak=snakemake.params.peak,
            audio=snakemake.output.audio,
            masked=snakemake.output.masked,
        )
