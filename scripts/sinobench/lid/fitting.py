"""Fit an identification model on a partition, and calibrate its scores on speakers that it has not seen.

A class that is not to be fitted is calibrated alone, on the speakers that others are.
"""

import csv
import json
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from sinobench.errors import InputError
from sinobench.lid.calibration import Calibration, fit_calibration, hold_out, pool, speaker_weights
from sinobench.lid.model import FittedLidModel, LidModel, comes_fitted
from sinobench.lid.scorer import CHUNKS_AT_ONCE, Scorer
from sinobench.merlion.audio.wav import RATE_HZ
from sinobench.merlion.languages import TARGETS
from sinobench.merlion.training.features import TrainingChunks, open_chunks, read_chunk
from sinobench.merlion.training.tracks import check_track
from sinobench.models import guarded, load_class, make
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
    audio: Mapping[str, str | Path],
    folder: Path,
    state: Path,
) -> list[dict]:
    """Write a folder with the model, its calibration and what it was fitted on; rows of ``training_sets``.

    entry: the model's, of the catalog; partition: the config's; origins: what its corpora count as. utterances: the
    file of the table ``merlion_partitions``; features: the folders of its shards; audio: the folder of each corpus.
    state: the folder where the model keeps what a killed run left to resume. Raises InputError for data that the
    model's track does not allow.
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
    rest = replace(rest, held_out=held_out)
    folder.mkdir(parents=True)
    state.mkdir(parents=True, exist_ok=True)
    instance, n_fitted = _fitted(model, entry, seed, rest, folder / "model", state)
    calibration = _calibrated(Scorer(model, instance, Calibration()), held_out, rows, audio)
    calibration.save(folder / "calibration.json")
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
    made = f"fitted on {n_fitted} chunks of '{partition['name']}'" if n_fitted else "comes fitted"
    print(f"{model}: {made}, calibrated on {len(held_out)}: {calibration}")
    key = {"task": "lid", "model": model, "n_removed_scored": 0, "n_set_aside": 0}
    n_pairs = Counter(row["corpus"] for row in rows)
    return [key | {"corpus": corpus, "n_pairs": n_pairs[corpus], "hours": length} for corpus, length in hours.items()]


def _fitted(
    model: str, entry: Mapping, seed: int, rest: TrainingChunks, folder: Path, state: Path
) -> tuple[LidModel, int]:
    """The model, fitted, saved, and loaded again, where its class is to be; and on how many chunks it was fitted."""
    cls = load_class(entry["class"])
    instance: FittedLidModel = guarded(model, "being made", lambda: make(cls, entry))
    if comes_fitted(cls):
        return instance, 0
    if getattr(instance, "takes", "features") != "features":
        raise InputError(f"a model that takes {instance.takes} can't be fitted: training data are features")
    guarded(model, "being fitted", lambda: instance.fit(rest, seed, state))
    guarded(model, "being saved", lambda: instance.save(folder))
    return guarded(model, "being loaded", lambda: cls.load(folder)), len(rest)


def _calibrated(
    scorer: Scorer, held_out: TrainingChunks, rows: Sequence[dict], audio: Mapping[str, str | Path]
) -> Calibration:
    """The calibration of utterances' scores, speakers alike."""
    _, first, utterance = np.unique(held_out.utterance, return_index=True, return_inverse=True)

    def heard(i: int) -> np.ndarray:
        if scorer.takes == "features":
            return held_out.features(i)
        row = rows[held_out.utterance[i]]
        # Speakers are held out with all they say: an utterance's chunks are there from the first on.
        return _at_32_khz(*read_chunk(audio[row["corpus"]], row, i - int(first[utterance[i]])))

    scores = []
    for start in range(0, len(held_out), CHUNKS_AT_ONCE):
        some = range(start, min(start + CHUNKS_AT_ONCE, len(held_out)))
        scores.append(scorer.chunk_scores([heard(i) for i in some]))
    pooled = pool(np.concatenate(scores), held_out.n_frames, utterance, len(first))
    languages, speakers = held_out.language[first], held_out.speaker[first]
    calibration = fit_calibration(pooled, languages, speaker_weights(speakers, languages))
    correct = (calibration.llr(pooled) >= 0) == (languages == 0)
    for speaker in np.unique(speakers):
        said = speakers == speaker
        print(f"held out: {held_out.speakers[speaker]}, {correct[said].sum()} of {said.sum()} utterances right")
    return calibration


def _at_32_khz(samples: np.ndarray, sample_rate_hz: int) -> np.ndarray:
    """int16 samples as a corpus's chunks have them."""
    import soxr

    if sample_rate_hz == RATE_HZ:
        return samples
    resampled = soxr.resample(samples.astype(np.float32), sample_rate_hz, RATE_HZ, "HQ")
    return np.clip(np.rint(resampled), -32768, 32767).astype(np.int16)
