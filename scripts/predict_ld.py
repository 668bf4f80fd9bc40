"""Run a diarization model on a shard's recordings, or read someone's turns of them."""

import sys
import time
from pathlib import Path

from sinobench.errors import InputError
from sinobench.failures import job
from sinobench.ld.predictions import check_output, from_file, refuse_seconds
from sinobench.ld.tables import PREDICTIONS
from sinobench.ld.turns import turn_table
from sinobench.merlion.audio.shards import audio_of
from sinobench.models import guarded, load_class, run_row
from sinobench.progress import progress
from sinobench.results import tables


def main(
    corpus: str,
    model: str,
    entry: dict,
    files: list[str],
    lid_entry: dict | None,
    lid_folder: str | None,
    fitted: str | None,
    recordings: str,
    masked: str,
    audio: str,
    originals: str,
    predictions: str,
    runs: str,
    threads: int,
) -> None:
    """Write the tables ``ld_predictions`` and ``runs`` (empty for files of turns, and for a shard without recordings).

    Raises InputError, with the model and the recording, for turns that are none.
    """
    shard = tables.read(masked).to_pylist()
    paths = {row["recording"]: audio_of(row, originals, audio) for row in shard}
    measured = []
    if entry["kind"] == "predictions":
        given = from_file(files[0], tables.read(recordings)["recording"].to_pylist())
        found = {row["recording"]: given[row["recording"]] for row in shard if row["recording"] in given}
        for row in shard:
            if row["recording"] not in given:
                print(f"no prediction for {row['recording']}: all of its speech counts as missed")
    elif shard:
        found, run = _predict(model, entry, lid_entry, lid_folder, fitted, shard, paths, threads)
        measured = [run_row("ld", corpus, model, threads=threads, packages=entry["packages"], **run)]
    else:
        found = {}
    rows = [(recording, *turn) for recording, output in found.items() for turn in output]
    columns = [list(column) for column in zip(*rows, strict=True)] or [[], [], [], []]
    durations_ms = {row["recording"]: row["n_samples"] // 32 for row in shard}
    refuse_seconds(turn_table(list(found), *columns), durations_ms, files[0] if files else f"model '{model}'")
    named = dict(zip(("recording", "start_ms", "end_ms", "language"), columns, strict=True))
    tables.write(PREDICTIONS, {"corpus": corpus, "model": model} | named, predictions)
    tables.write(tables.RUNS, measured, runs)


def _predict(
    model: str,
    entry: dict,
    lid_entry: dict | None,
    lid_folder: str | None,
    fitted: str | None,
    shard: list[dict],
    paths: dict[str, Path],
    threads: int,
) -> tuple[dict[str, list], dict]:
    """The turns of each recording, and what it took."""
    started = time.perf_counter()
    score = None
    if lid_entry:
        from sinobench.lid.scorer import Scorer

        score = Scorer.load(lid_folder, lid_entry)
    cls = load_class(entry["class"])
    instance = guarded(model, "being loaded", lambda: cls.load(fitted) if fitted else cls(**entry["options"]))
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(threads)
    loaded = time.perf_counter()
    found = {}
    for row in progress(shard, total=len(shard), desc=model, unit="recording"):
        name = row["recording"]
        path = paths[name]
        phase = f"predicting the recording '{name}'"
        output = guarded(model, phase, lambda path=path: instance.predict(path, score))
        if problem := check_output(output, -(-row["n_samples"] // 32)):
            raise InputError(f"model '{model}', recording '{name}': {problem}")
        found[name] = output
    times = {"load_s": loaded - started, "predict_s": time.perf_counter() - loaded}
    return found, times | {"n_items": len(shard), "audio_s": sum(row["n_samples"] for row in shard) / 32_000}


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        input, output, params = snakemake.input, snakemake.output, snakemake.params
        main(
            snakemake.wildcards.corpus,
            snakemake.wildcards.model,
            params.entry,
            list(input.get("files", [])),
            params.lid_entry,
            str(input.lid) if input.get("lid") else None,
            str(input.fitted) if input.get("fitted") else None,
            input.recordings,
            input.masked,
            input.audio,
            input.originals,
            output.predictions,
            output.runs,
            snakemake.threads,
        )
