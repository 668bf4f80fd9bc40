"""Run a diarization model on a shard's recordings, or read someone's turns of them."""

import re
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sinobench.errors import InputError
from sinobench.ld.model import LanguageTurn, LdModel
from sinobench.ld.predictions import check_output, from_file, refuse_seconds
from sinobench.ld.turns import turn_table
from sinobench.ld.windows import Score
from sinobench.models import guarded, load_class, run_row
from sinobench.progress import progress


@dataclass(frozen=True)
class Chosen:
    """A model of the catalog, by its entry: what it was fitted to, and its identification model, if any."""

    name: str
    entry: Mapping
    files: Sequence[str] = ()  # of kind predictions: the folder or file of turns
    fitted: str | None = None
    lid_entry: Mapping | None = None
    lid_folder: str | None = None


def predict(
    corpus: str,
    model: Chosen,
    recordings: Sequence[str],
    shard: Sequence[Mapping],
    audio: Mapping[str, Path],
    threads: int,
) -> tuple[dict[str, object], list[dict]]:
    """Columns of ``ld_predictions``, and rows of ``runs``: none for files of turns, and a shard without recordings.

    recordings: all of the corpus; shard: rows of ``merlion_masked``; audio: the path to hear, by recording. Raises
    InputError, with the model and the recording, for turns that are none.
    """
    runs = []
    turns = turn_table([], [], [], [], [])
    if shard and model.entry["kind"] == "predictions":
        turns = from_file(model.files[0], recordings).among([row["recording"] for row in shard])
        if lacking := len(shard) - len(turns.recordings):
            print(f"no prediction for {lacking} of {len(shard)} recordings: all of their speech counts as missed")
    elif shard:
        found, measured = _run(model, shard, audio, threads)
        runs = [run_row("ld", corpus, model.name, threads=threads, packages=model.entry["packages"], **measured)]
        rows = [(recording, *turn) for recording, output in found.items() for turn in output]
        turns = turn_table(list(found), *(zip(*rows, strict=True) if rows else ([],) * 4))
    durations_ms = {row["recording"]: row["n_samples"] // 32 for row in shard}
    refuse_seconds(turns, durations_ms, model.files[0] if model.files else f"model '{model.name}'")
    return {"corpus": corpus, "model": model.name} | turns.columns(), runs


def _run(
    model: Chosen, shard: Sequence[Mapping], audio: Mapping[str, Path], threads: int
) -> tuple[dict[str, Sequence[LanguageTurn]], dict]:
    """The turns of each recording, and what it took."""
    started = time.perf_counter()
    score = _scorer(model.lid_entry, model.lid_folder)
    cls = load_class(model.entry["class"])
    make = (lambda: cls.load(model.fitted)) if model.fitted else (lambda: cls(**model.entry["options"]))
    instance: LdModel = guarded(model.name, "being loaded", make)
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(threads)
    loaded = time.perf_counter()
    turns = {}
    for place, row in enumerate(progress(shard, total=len(shard), desc=model.name, unit="recording"), start=1):
        name, which = row["recording"], f"recording {place} of {len(shard)}"
        try:
            output = guarded(model.name, f"predicting {which}", lambda path=audio[name]: instance.predict(path, score))
        except InputError as error:
            # The path of the recording stands in many a message, and the reason of a failure in the database.
            raise InputError(re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "…", str(error))) from None
        if problem := check_output(output, -(-row["n_samples"] // 32)):
            raise InputError(f"model '{model.name}', {which}: {problem}")
        turns[name] = output
    times = {"load_s": loaded - started, "predict_s": time.perf_counter() - loaded}
    return turns, times | {"n_items": len(shard), "audio_s": sum(row["n_samples"] for row in shard) / 32_000}


def _scorer(entry: Mapping | None, folder: str | None) -> Score | None:
    if entry is None:
        return None
    from sinobench.lid.scorer import Scorer

    return Scorer.load(folder, entry)
