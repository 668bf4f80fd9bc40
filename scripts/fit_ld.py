"""Fit a diarization model on recordings simulated from training speakers that its identification model did not see."""

import json
from pathlib import Path

from sinobench.errors import InputError
from sinobench.failures import job
from sinobench.ld.tuning import simulate
from sinobench.lid.scorer import Scorer
from sinobench.merlion.training.tables import Utterance
from sinobench.models import guarded, load_class
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
) -> None:
    """Write the fitted model as JSON.

    folders: of each corpus of the partition, its audio folder. Speakers are those that the identification model held
    out; all where it was not fitted.
    """
    utterances = tables.objects(Utterance, partition)
    if lid_folder:
        training = json.loads(Path(lid_folder, "training.json").read_text(encoding="utf-8"))
        held_out = set(training["held_out_speakers"])
        utterances = [each for each in utterances if f"{each.corpus}/{each.speaker}" in held_out]
    chosen = [(Path(folders[each.corpus], each.path), each) for each in utterances]
    if not chosen:
        raise InputError(f"model '{model}' is to be tuned, but '{lid_folder}' held out no speaker of the partition")
    tuning = simulate(chosen, seed)
    score = Scorer.load(lid_folder, lid_entry) if lid_entry else None
    instance = load_class(entry["class"])(**entry["options"])
    guarded(model, "being fitted", lambda: instance.fit(tuning, score, seed))
    instance.save(Path(fitted))
    speech_s = sum(end - start for recording in tuning for start, end, _ in recording.turns) / 1000
    n_speakers = len({(each.corpus, each.speaker) for each in utterances})
    print(f"{model}: tuned on {speech_s:.0f} s of speech of {n_speakers} speakers")
    print(Path(fitted).read_text(encoding="utf-8"))


if __name__ == "__main__":
    with job(snakemake, guarded=True):
        input, params = snakemake.input, snakemake.params
        folders = dict(zip(params.corpora, input.audio, strict=True))
        lid = str(input.lid) if input.get("lid") else None
        partition, fitted = input.utterances, snakemake.output[0]
        main(snakemake.wildcards.model, params.entry, params.seed, partition, folders, lid, params.lid_entry, fitted)
