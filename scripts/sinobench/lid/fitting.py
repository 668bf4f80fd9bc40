"""Fit an identification model on a partition, and calibrate its scores on speakers that it has not seen."""

import csv
import json
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from sinobench.errors import InputError
from sinobench.lid.calibration import Calibration, fit_calibration, hold_out, pool, speaker_weights
from sinobench.lid.model import FittedLidModel
from sinobench.lid.scorer import CHUNKS_AT_ONCE, Scorer
from sinobench.merlion.languages import TARGETS
from sinobench.merlion.training.features import TrainingChunks, open_chunks
from sinobench.merlion.training.tracks import check_track
from sinobench.models import guarded, load_class
from sinobench.results import tables

LIST_COLUMNS = ("corpus", "recording", "speaker", "start_ms", "end_ms", "language")


def fit(
    model: str,
    entry: Mapping,
    seed: int,
    partition: Mapping,
    origins: Mapping[str, str],
    utterances: str | Path,
    features: Sequence[str | Path],
    folder: Path,
    state: Path,
) -> list[dict]:
    """Write a folder with the model, its calibration and what it was fitted on; rows of ``training_sets``.

    entry: the model's, of the catalog; partition: the config's; origins: what its corpora count as. utterances: the
    file of the table ``merlion_partitions``; features: the folders of its shards. state: the folder where the model
    keeps what a killed run left to resume. Raises InputError for data that the model's track does not allow.
    """
    rows = tables.read(utterances).to_pylist()
    hours: Counter[str] = Counter()
    for row in rows:
        hours[row["corpus"]] += (row["end_ms"] - row["start_ms"]) / 3_600_000
    track = entry["track"] or partition["track"]
    pretrained = [*partition["pretrained"], *entry["pretrained"]]
    check_track(track, [(origins[corpus], length) for corpus, length in hours.items()], pretrained)
    data = open_chunks(features)
    if len(np.unique(data.utterance)) != len(rows):
        raise InputError(f"features of another partition than '{partition['name']}'; write them again", utterances)
    rest, held_out = (data.subset(indices) for indices in hold_out(data, seed))
    calibration = _fit(model, entry, seed, rest, held_out, folder, state)
    training = {
        "partition": partition["name"],
        "track": track,
        "hours": round(sum(hours.values()), 6),
        "corpora": {corpus: round(length, 6) for corpus, length in hours.items()},
        "seed": seed,
        "chunks": len(data),
        "utterances": len(rows),
        "speakers": {name: len(np.unique(data.speaker[data.language == i])) for i, name in enumerate(TARGETS)},
        "held_out_speakers": [data.speakers[i] for i in np.unique(held_out.speaker)],
    }
    text = json.dumps(training, ensure_ascii=False, indent=1)
    (folder / "training.json").write_text(text + "\n", encoding="utf-8", newline="\n")
    with (folder / "training_list.txt").open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, LIST_COLUMNS, extrasaction="ignore", delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    shutil.rmtree(state)
    n = f"{len(rest)} chunks of '{partition['name']}'"
    print(f"{model}: fitted on {n}, calibrated on {len(held_out)}: {calibration}")
    key = {"task": "lid", "model": model, "n_removed_scored": 0, "n_set_aside": 0}
    n_pairs = Counter(row["corpus"] for row in rows)
    return [key | {"corpus": corpus, "n_pairs": n_pairs[corpus], "hours": length} for corpus, length in hours.items()]


def _fit(
    model: str,
    entry: Mapping,
    seed: int,
    rest: TrainingChunks,
    held_out: TrainingChunks,
    folder: Path,
    state: Path,
) -> Calibration:
    """Fit the model and save it, load it again, and calibrate what was loaded."""
    folder.mkdir(parents=True)
    state.mkdir(parents=True, exist_ok=True)
    cls = load_class(entry["class"])
    instance: FittedLidModel = guarded(model, "being made", lambda: cls(**entry["options"]))
    guarded(model, "being fitted", lambda: instance.fit(rest, seed, state))
    guarded(model, "being saved", lambda: instance.save(folder / "model"))
    loaded = guarded(model, "being loaded", lambda: cls.load(folder / "model"))
    calibration = _calibrated(Scorer(model, loaded, Calibration()), held_out)
    calibration.save(folder / "calibration.json")
    return calibration


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
        said = speakers == speaker
        print(f"held out: {held_out.speakers[speaker]}, {correct[said].sum()} of {said.sum()} utterances right")
    return calibration
