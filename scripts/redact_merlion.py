"""Mask the redactions of a shard's recordings with the tone, in copies."""

from pathlib import Path

from sinobench.failures import job
from sinobench.merlion.audio.redact import mask
from sinobench.merlion.audio.shards import shard_of
from sinobench.merlion.audio.tables import MASKED
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
    """Write a masked WAV for each recording with redactions, and ``merlion_masked``, which names each one's audio.

    originals: the corpus's audio folder; already: the audio was masked by its owner, and is taken as it is.
    """
    folder = Path(audio)
    folder.mkdir(parents=True)
    spans: dict[str, list[tuple[int, int]]] = {}
    for row in tables.read(redactions).to_pylist():
        spans.setdefault(row["recording"], []).append((row["start_ms"], row["end_ms"]))
    rows = []
    for row in tables.read(recordings).to_pylist():
        recording = row["recording"]
        if shard_of(recording, n_shards) != shard:
            continue
        path = None
        if recording in spans and not already:
            path = f"{recording}.wav"
            mask(Path(originals, row["path"]), folder / path, spans[recording], peak)
        common = {name: row[name] for name in ("corpus", "recording", "n_samples")} | {"original": row["path"]}
        rows.append(common | {"path": path, "n_redactions": len(spans.get(recording, []))})
    tables.write(MASKED, rows, masked)


if __name__ == "__main__":
    with job(snakemake, folders=["audio"]):
        input, output, params = snakemake.input, snakemake.output, snakemake.params
        files = (input.recordings, input.redactions, input.originals)
        options = (params.already, params.peak, output.audio, output.masked)
        main(int(snakemake.wildcards.shard), params.shards, *files, *options)
