"""Fit an identification model on a partition, and calibrate its scores on speakers that it has not seen."""

import csv
import json
import shutil
from collections import Counter
from pathlib import Path

import numpy as np

from sinobench.errors import InputError
from sinobench.failures import job
from sinobench.lid.calibration import Calibration, fit_calibration, hold_out, pool, speaker_weights
from sinobench.lid.scorer import CHUNKS_AT_ONCE, Scorer
from sinobench.merlion.languages import TARGETS
from sinobench.merlion.training.features import TrainingChunks, open_chunks
from sinobench.merlion.training.tracks import check_track
from sinobench.models import guarded, load_class
from sinobench.results import tables

LIST_COLUMNS = ("corpus", "recording", "speaker", "start_ms", "end_ms", "language")


def main(
    model: str,
    entry: dict,
    seed: int,
    partition_name: str,
    partition_entry: dict,
    origins: dict[str, str],
    partition: str,
    feature_folders: list[str],
    fitted: str,
    state: str,
    sets: str,
) -> None:
    """Write a folder with the model, its calibration and what it was fitted on, and the table ``training_sets``.

    state: folder where a model keeps what a killed run left to resume; removed in the end. Raises InputError for data
    that the model's track does not allow.
    """
    utterances = tables.read(partition).to_pylist()
    hours: Counter[str] = Counter()
    for row in utterances:
        hours[row["corpus"]] += (row["end_ms"] - row["start_ms"]) / 3_600_000
    track = entry["track"] or partition_entry["track"]
    pretrained = [*partition_entry["pretrained"], *entry["pretrained"]]
    check_track(track, [(origins[corpus], own) for corpus, own in hours.items()], pretrained)
    data = open_chunks(feature_folders)
    if len(np.unique(data.utterance)) != len(utterances):
        raise InputError(f"features of another partition than '{partition_name}'; write them again", partition)
    rest, held_out = (data.subset(indices) for indices in hold_out(data, seed))

    folder = Path(fitted)
    folder.mkdir(parents=True)
    Path(state).mkdir(parents=True, exist_ok=True)
    cls = load_class(entry["class"])
    instance = guarded(model, "being made", lambda: cls(**entry["options"]))
    guarded(model, "being fitted", lambda: instance.fit(rest, seed, Path(state)))
    guarded(model, "being saved", lambda: instance.save(folder / "model"))
    loaded = guarded(model, "being loaded", lambda: cls.load(folder / "model"))
    calibration = _calibrated(Scorer(model, loaded, Calibration()), held_out)
    calibration.save(folder / "calibration.json")

    training = {
        "partition": partition_name,
        "track": track,
        "hours": round(sum(hours.values()), 6),
        "corpora": {corpus: round(own, 6) for corpus, own in hours.items()},
        "seed": seed,
        "chunks": len(data),
        "utterances": len(utterances),
        "speakers": {name: len(np.unique(data.speaker[data.language == i])) for i, name in enumerate(TARGETS)},
        "held_out_speakers": [data.speakers[i] for i in np.unique(held_out.speaker)],
    }
    text = json.dumps(training, ensure_ascii=False, indent=1)
    (folder / "training.json").write_text(text + "\n", encoding="utf-8", newline="\n")
    with (folder / "training_list.txt").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, LIST_COLUMNS, extrasaction="ignore", delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(utterances)
    counts = Counter(row["corpus"] for row in utterances)
    rows = [{"corpus": corpus, "n_pairs": n, "n_removed_scored": 0, "n_set_aside": 0} for corpus, n in counts.items()]
    tables.write(tables.TRAINING_SETS, [{"task": "lid", "model": model} | row for row in rows], sets)
    shutil.rmtree(state)
    print(f"{model}: fitted on {len(rest)} chunks of '{partition_name}', calibrated on {len(held_out)}: {calibration}")


def _calibrated(scorer: Scorer, held_out: TrainingChunks) -> Calibration:
    """The calibration of utterances' scores, speakers alike."""
    if scorer.takes != "features":
        raise InputError(f"a model that takes {scorer.takes} can't be fitted: training data are features")
    scores = []
    for first in range(0, len(held_out), CHUNKS_AT_ONCE):
        some = range(first, min(first + CHUNKS_AT_ONCE, len(held_out)))
        scores.append(scorer.chunk_scores([held_out.features(i) for i in some]))
    _, first, utterance = np.unique(held_out.utterance, return_index=True, return_inverse=True)
    pooled = pool(np.concatenate(scores), held_out.n_frames, utterance, len(first))
    languages, speakers = held_out.language[first], held_out.speaker[first]
    calibration = fit_calibration(pooled, languages, speaker_weights(speakers, languages))
    correct = (calibration.llr(pooled) >= 0) == (languages == 0)
    for speaker in np.unique(speakers):
        own = speakers == speaker
        print(f"held out: {held_out.speakers[speaker]}, {correct[own].sum()} of {own.sum()} utterances right")
    return calibration


if __name__ == "__main__":
    with job(snakemake, guarded=True, folders=["fitted"]):
        input, params, output = snakemake.input, snakemake.params, snakemake.output
        main(
            snakemake.wildcards.model,
            params.entry,
            params.seed,
            params.partition_name,
            params.partition_entry,
            params.origins,
            input.utterances,
            list(input.features),
            output.fitted,
            f"{output.fitted}.unfinished",  # no output: Snakemake removes those of a job that failed
            output.training_sets,
        )
