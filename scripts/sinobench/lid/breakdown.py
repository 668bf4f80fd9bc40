"""Rows of the result tables of language identification for one model on one corpus.

``trials`` are the columns of ``lid_segments`` by name, in one order with the scores ``english`` and ``mandarin`` (n,).
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np

from sinobench.errors import InputError, private
from sinobench.lid.metrics import det_points, floor, official, recording_recalls, strict
from sinobench.lid.suspicion import suspicions

DURATIONS_S = (0, 1, 2, 3, 5)  # lower bounds of the subsets by length

_FLOORS = {
    "official": ("eer", "balanced_accuracy"),
    "strict": ("eer", "accuracy", "balanced_accuracy", "balanced_accuracy_recording_mean"),
}
_OF_RECORDINGS = (
    "balanced_accuracy_recording_mean",
    "recordings_with_one_class",
    "floor_balanced_accuracy_recording_mean",
)


def aligned_scores(trials: Mapping[str, Sequence], scores: Mapping[str, Sequence]) -> tuple[np.ndarray, np.ndarray]:
    """English and Mandarin scores in the order of the trials, from the columns of ``lid_scores``.

    Raises InputError unless both hold the same segments, once each, and every score is a number.
    """
    rows = {name: row for row, name in enumerate(scores["segment_id"])}
    if len(rows) < len(scores["segment_id"]):
        raise InputError("a segment has two rows of scores; predict again")
    wanted = set(trials["segment_id"])
    if odd := sorted(wanted ^ rows.keys()):
        fault = "has no score" if odd[0] in wanted else "is no trial"
        raise InputError(f"scores and trials differ in {len(odd)} segments: '{private(odd[0])}' {fault}; predict again")
    order = [rows[name] for name in trials["segment_id"]]
    english, mandarin = (np.array(scores[name], float)[order] for name in ("english_score", "mandarin_score"))
    wrong = np.flatnonzero(~np.isfinite(english - mandarin))
    if len(wrong):
        first = trials["segment_id"][wrong[0]]
        raise InputError(f"{len(wrong)} segments have no finite score, the first is '{private(first)}'; mend the model")
    return english, mandarin


def outcome_columns(trials: Mapping[str, Sequence], english: np.ndarray, mandarin: np.ndarray) -> dict:
    """The columns of ``lid_outcomes`` but corpus and model."""
    says_english = english >= mandarin
    return {
        **{name: trials[name] for name in ("segment_id", "recording", "pair", "language")},
        "duration_ms": _durations_ms(trials),
        "predicted": np.where(says_english, "English", "Mandarin"),
        "correct": says_english == _is_english(trials),
        "score": english - mandarin,
    }


def recording_rows(trials: Mapping[str, Sequence], english: np.ndarray, mandarin: np.ndarray) -> list[dict]:
    """Rows of ``lid_recordings`` but corpus and model, in the order of the trials.

    The worst decile is the tenth of the recordings, rounded down but at least one, with the lowest balanced accuracy;
    between equal ones by name.
    """
    is_english = _is_english(trials)
    recalls = recording_recalls((english >= mandarin) == is_english, is_english, trials["recording"])
    balanced, names = recalls.balanced_accuracy, recalls.recordings
    worst = sorted(range(len(names)), key=lambda i: (balanced[i], names[i]))[: _n_worst(len(names))]
    pairs = dict(zip(trials["recording"], trials["pair"], strict=True))
    return [
        {
            "recording": name,
            "pair": pairs[name],
            "n_english": int(recalls.n[0, i]),
            "n_mandarin": int(recalls.n[1, i]),
            "accuracy": float(recalls.right[:, i].sum() / recalls.n[:, i].sum()),
            "english_recall": _or_none(recalls.recall[0, i]),
            "mandarin_recall": _or_none(recalls.recall[1, i]),
            "balanced_accuracy": float(balanced[i]),
            "in_worst_decile": i in worst,
        }
        for i, name in enumerate(names)
    ]


def det_rows(trials: Mapping[str, Sequence], english: np.ndarray, mandarin: np.ndarray) -> list[dict]:
    """Rows of ``lid_det`` but corpus and model, for both protocols; none for the plan where all are of one language."""
    is_english = _is_english(trials)
    official_trials = (np.concatenate([english, mandarin]), np.concatenate([is_english, ~is_english]))
    rows = []
    for protocol, scored in (("official", official_trials), ("strict", (english - mandarin, is_english))):
        if det := det_points(*scored):
            columns = (det.threshold, det.false_alarm, det.miss, det.on_hull)
            for threshold, false_alarm, miss, on_hull in zip(*(c.tolist() for c in columns), strict=True):
                row = {"threshold": threshold, "false_alarm": false_alarm, "miss": miss, "on_hull": on_hull}
                rows.append({"protocol": protocol, **row, "threshold": _or_none(threshold)})
    return rows


def metric_rows(trials: Mapping[str, Sequence], english: np.ndarray, mandarin: np.ndarray) -> list[dict]:
    """Rows of ``metrics`` but task, corpus and model; a value is None where a subset lacks a class that it needs.

    Subsets: all, ``duration_s=…``, ``language=…``, ``pair=…`` and ``recording=…``. All has the mean balanced accuracy
    of the worst decile of recordings and, as ``floor_…``, the figures of constant English too; its rows carry in
    ``warning`` what makes the scores look like a mistake. n counts recordings for
    what is averaged or counted over them, segments otherwise.
    """
    is_english = _is_english(trials)
    recordings = np.array(trials["recording"], dtype=object)
    warning = "; ".join(suspicions(english - mandarin, is_english)) or None
    rows = []
    for subset, chosen in _subsets(trials):
        is_all = subset == "all"
        part = (english[chosen], mandarin[chosen], is_english[chosen])
        names = recordings[chosen]
        metrics = (
            whole_metrics(*part, names) if is_all else {"official": official(*part), "strict": strict(*part, names)}
        )
        n_recordings = len(set(names))
        n_of = dict.fromkeys(_OF_RECORDINGS, n_recordings) | {"balanced_accuracy_worst_decile": _n_worst(n_recordings)}
        for protocol, values in metrics.items():
            for metric, value in values.items():
                row = _row(protocol, subset, metric, value, n_of.get(metric, len(names)))
                rows.append(row | {"warning": warning if is_all else None})
    return rows


def whole_metrics(
    english: np.ndarray, mandarin: np.ndarray, is_english: np.ndarray, recordings: Sequence[str]
) -> dict[str, dict[str, float | int | None]]:
    """The metrics of all n trials by protocol and name: arrays (n,), and the recording of each.

    Those of ``metrics.official`` and ``metrics.strict``, the floors beside them and the worst decile of recordings.
    """
    metrics = {
        "official": official(english, mandarin, is_english),
        "strict": strict(english, mandarin, is_english, recordings),
    }
    floors = floor(is_english, recordings)
    for protocol, shown in _FLOORS.items():
        metrics[protocol] |= {f"floor_{name}": floors[protocol][name] for name in shown}
    balanced = recording_recalls((english >= mandarin) == is_english, is_english, recordings).balanced_accuracy
    worst = np.sort(balanced)[: _n_worst(len(balanced))]
    metrics["strict"]["balanced_accuracy_worst_decile"] = float(np.mean(worst))
    return metrics


def _n_worst(n_recordings: int) -> int:
    return max(1, n_recordings // 10)


def _row(protocol: str, subset: str, metric: str, value: float | None, n: int) -> dict:
    # Coverage is 1: scores are refused unless every trial has one.
    return {"protocol": protocol, "subset": subset, "metric": metric, "value": value, "n_items": n, "coverage": 1.0}


def _subsets(trials: Mapping[str, Sequence]) -> list[tuple[str, np.ndarray]]:
    """Names and row numbers of the subsets that have a trial, in a fixed order."""
    durations_s = _durations_ms(trials) / 1000
    bins = [*(f"{low}-{high}" for low, high in pairwise(DURATIONS_S)), f"{DURATIONS_S[-1]}+"]
    columns = {
        "duration_s": [bins[place - 1] for place in np.searchsorted(DURATIONS_S, durations_s, side="right")],
        "language": trials["language"],
        "pair": trials["pair"],
        "recording": trials["recording"],
    }
    subsets = [("all", np.arange(len(durations_s)))]
    for name, column in columns.items():
        rows: dict[str, list[int]] = {}
        for row, value in enumerate(column):
            if value is not None:
                rows.setdefault(value, []).append(row)
        subsets += [(f"{name}={value}", np.array(rows[value])) for value in sorted(rows)]
    return subsets


def _is_english(trials: Mapping[str, Sequence]) -> np.ndarray:
    if None in trials["language"]:
        raise InputError("the trials have no language, as those of an evaluation set; score a corpus with labels")
    return np.array([language == "English" for language in trials["language"]])


def _durations_ms(trials: Mapping[str, Sequence]) -> np.ndarray:
    return np.array(trials["end_ms"]) - np.array(trials["start_ms"])


def _or_none(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
