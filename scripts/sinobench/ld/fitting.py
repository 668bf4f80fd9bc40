"""Fit a diarization model on recordings simulated from training speakers that its identification model did not see."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from sinobench.errors import InputError
from sinobench.ld.model import FittedLdModel
from sinobench.ld.tuning import simulate
from sinobench.lid.scorer import Scorer
from sinobench.merlion.training.tables import Utterance
from sinobench.models import guarded, load_class


def fit(
    model: str,
    entry: Mapping,
    seed: int,
    utterances: Sequence[Utterance],
    folders: Mapping[str, str],
    lid_folder: str | None,
    lid_entry: Mapping | None,
    fitted: Path,
) -> None:
    """Write the fitted model as JSON.

    entry, lid_entry: of the model and its identification model, if any, in the catalog. utterances: of the
    partition; folders: of each corpus, its audio folder. Speakers are those that the identification model
    held out, which its folder names; all where it was not fitted.
    """
    if lid_folder:
        training = json.loads(Path(lid_folder, "training.json").read_text(encoding="utf-8"))
        held_out = set(training["held_out_speakers"])
        utterances = [each for each in utterances if f"{each.corpus}/{each.speaker}" in held_out]
    chosen = [(Path(folders[each.corpus], each.path), each) for each in utterances]
    if not chosen:
        raise InputError(f"model '{model}' is to be tuned, but '{lid_folder}' held out no speaker of the partition")
    tuning = simulate(chosen, seed)
    score = Scorer.load(lid_folder, lid_entry) if lid_entry else None
    instance: FittedLdModel = load_class(entry["class"])(**entry["options"])
    guarded(model, "being fitted", lambda: instance.fit(tuning, score, seed))
    instance.save(fitted)
    speech_s = sum(end - start for recording in tuning for start, end, _ in recording.turns) / 1000
    n_speakers = len({(each.corpus, each.speaker) for each in utterances})
    print(f"{model}: tuned on {speech_s:.0f} s of speech of {n_speakers} speakers")
    print(fitted.read_text(encoding="utf-8"))
