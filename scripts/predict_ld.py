"""Run a diarization model on a shard's recordings, or read someone's turns of them."""

from sinobench.failures import job
from sinobench.identity import attested
from sinobench.ld.running import Chosen, predict
from sinobench.ld.tables import PREDICTIONS
from sinobench.merlion.audio.shards import audio_of
from sinobench.results import tables


def main(
    corpus: str,
    model: Chosen,
    recordings: str,
    masked: list[str],
    audio: str,
    originals: str,
    predictions: str,
    runs: str,
    threads: int,
) -> None:
    """Write ``ld_predictions`` and ``runs`` (empty for files of turns and a shard without recordings)."""
    names = tables.read(recordings)["recording"].to_pylist()
    shard = [row for part in masked for row in tables.read(part).to_pylist()]
    paths = {row["recording"]: audio_of(row, originals, audio) for row in shard}
    columns, measured = predict(corpus, model, names, shard, paths, threads)
    tables.write(PREDICTIONS, columns, predictions)
    tables.write(tables.RUNS, measured, runs)


if __name__ == "__main__":
    with job(snakemake, guarded=True, witness=attested("ld", snakemake), witnessed=["identities"]):
        main(
            corpus=snakemake.wildcards.corpus,
            model=Chosen(
                snakemake.wildcards.model,
                snakemake.params.entry,
                files=list(snakemake.input.get("files", [])),
                fitted=snakemake.input.get("fitted") or None,
                lid_entry=snakemake.params.lid_entry,
                lid_folder=snakemake.input.get("lid") or None,
            ),
            recordings=snakemake.input.recordings,
            masked=list(snakemake.input.masked),
            audio=snakemake.input.audio,
            originals=snakemake.input.originals,
            predictions=snakemake.output.predictions,
            runs=snakemake.output.runs,
            threads=snakemake.threads,
        )
