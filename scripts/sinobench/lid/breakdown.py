"""Rows of the result tables of language identification for one model on one corpus.

``trials`` are the columns of ``lid_segments`` by name, in one order with the scores ``english`` and ``mandarin`` (n,).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise

import numpy as np

from sinobench.errors import InputError, private
from sinobench.lid.metrics import (
    of_recordings,
    of_worst_recordings,
    official,
    official_rows,
    recording_recalls,
    strict,
    strict_rows,
)
from sinobench.lid.roc import det_points
from sinobench.lid.suspicion import suspicions
from sinobench.merlion.pairs import pair_of
from sinobench.score import Formula, Score, by_unit, numbered, worst_decile

DURATIONS_S = (0, 1, 2, 3, 5)  # lower bounds of the subsets by length

# Of what constant English reaches, by the protocol's formula, the figures that are shown beside a model's.
_FLOORS = (
    ("official", official, ("eer", "balanced_accuracy")),
    ("strict", strict, ("eer", "accuracy", "balanced_accuracy")),
)


def aligned_scores(trials: Mapping[str, Sequence], scores: Mapping[str, Sequence]) -> tuple[np.ndarray, np.ndarray]:
    """English and Mandarin scores in the order of the trials, from the columns of ``lid_scores``.

    Raises InputError unless both hold the same segments, once each, and every score is a number.
    """
    import pyarrow as pa

    from sinobench.results import arrow

    ids, given = (pa.chunked_array(_chunks(each["segment_id"])) for each in (trials, scores))
    if not arrow.are_distinct(given):
        raise InputError("a segment has two rows of scores; predict again")
    english, mandarin = (np.array(scores[name], float) for name in ("english_score", "mandarin_score"))
    if not ids.equals(given):
        order = _order(ids.to_pylist(), given.to_pylist())
        english, mandarin = english[order], mandarin[order]
    wrong = np.flatnonzero(~np.isfinite(english - mandarin))
    if len(wrong):
        first = ids[wrong[0]].as_py()
        raise InputError(f"{len(wrong)} segments have no finite score, the first is '{private(first)}'; mend the model")
    return english, mandarin


def _chunks(texts: Sequence) -> list:
    """Of a column of Arrow, or of another sequence of texts."""
    import pyarrow as pa

    return texts.chunks if isinstance(texts, pa.ChunkedArray) else [pa.array(texts, pa.string())]


def _order(ids: list[str], given: list[str]) -> list[int]:
    """The row of each id among those given."""
    rows = {name: row for row, name in enumerate(given)}
    wanted = set(ids)
    if odd := sorted(wanted ^ rows.keys()):
        fault = "has no score" if odd[0] in wanted else "is no trial"
        raise InputError(f"scores and trials differ in {len(odd)} segments: '{private(odd[0])}' {fault}; predict again")
    return [rows[name] for name in ids]


def outcome_columns(trials: Mapping[str, Sequence], english: np.ndarray, mandarin: np.ndarray) -> dict:
    """The columns of ``lid_outcomes`` but corpus and model."""
    says_english = english >= mandarin
    return {
        **{name: trials[name] for name in ("segment_id", "recording", "pair", "language")},
        "duration_ms": _durations_ms(trials),
        "predicted": np.where(says_english, "English", "Mandarin"),
        "correct": says_english == english_trials(trials),
        "score": english - mandarin,
    }


def recording_rows(trials: Mapping[str, Sequence], english: np.ndarray, mandarin: np.ndarray) -> list[dict]:
    """Rows of ``lid_recordings`` but corpus and model, in the order of the trials."""
    is_english = english_trials(trials)
    recalls = recording_recalls((english >= mandarin) == is_english, is_english, trials["recording"])
    balanced, names = recalls.balanced_accuracy, recalls.recordings
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
        }
        for i, name in enumerate(names)
    ]


def det_rows(trials: Mapping[str, Sequence], english: np.ndarray, mandarin: np.ndarray) -> list[dict]:
    """Rows of ``lid_det`` but corpus and model, for both protocols; none for the plan where all are of one language."""
    is_english = english_trials(trials)
    official_trials = (np.concatenate([english, mandarin]), np.concatenate([is_english, ~is_english]))
    rows = []
    for protocol, scored in (("official", official_trials), ("strict", (english - mandarin, is_english))):
        if det := det_points(*scored):
            columns = (det.threshold, det.false_alarm, det.miss, det.on_hull)
            for threshold, false_alarm, miss, on_hull in zip(*(c.tolist() for c in columns), strict=True):
                row = {"threshold": threshold, "false_alarm": false_alarm, "miss": miss, "on_hull": on_hull}
                rows.append({"protocol": protocol, **row, "threshold": _or_none(threshold)})
    return rows


def scores(trials: Mapping[str, Sequence], english: np.ndarray, mandarin: np.ndarray) -> Iterator[Score]:
    """The scores, made as they are asked for; the unit is the pair of parent and child, or the recording without one.

    n_items are segments, or the recordings where something is averaged or counted over them; a value is undefined where
    a subset lacks a class that it needs. Subsets: all, ``duration_s=…``, ``language=…``, ``pair=…`` and
    ``recording=…``; ``recordings=worst-decile`` and the scores of all are those of ``whole_scores``.
    """
    segments = np.column_stack([english, mandarin, english_trials(trials)])
    recordings = np.array(trials["recording"], dtype=object)
    of_subsets = (_scores(subset, segments[chosen], recordings[chosen]) for subset, chosen in _subsets(trials))
    return chain(whole_scores(segments, recordings), chain.from_iterable(of_subsets))


def whole_scores(
    segments: np.ndarray, recordings: Sequence[str], remarks: Sequence[str] | None = None
) -> Iterator[Score]:
    """The scores over all n segments, and over the worst decile of recordings.

    segments: (n, 3) English score, Mandarin score and whether it is English; recordings: the name of each one's.
    Beside the figures stand, as ``floor_…``, those of constant English; ``warning`` says what makes the scores look
    like a mistake, unless the ``remarks`` are known.
    """
    is_english = segments[:, 2].astype(bool)
    if remarks is None:
        remarks = suspicions(segments[:, 0] - segments[:, 1], is_english)
    warning = "; ".join(remarks) or None
    for score in chain(_scores("all", segments, recordings), _floors(is_english, recordings)):
        yield replace(score, warning=warning)
    worst = replace(_recording_score("recordings=worst-decile", segments, recordings), formula=of_worst_recordings)
    n_worst = worst_decile(np.arange(worst.n_items), np.ones((1, worst.n_items), np.int64)).sum()
    yield replace(worst, n_items=int(n_worst))


def _scores(subset: str, segments: np.ndarray, recordings: Sequence[str]) -> Iterator[Score]:
    yield _segment_score("official", subset, segments, recordings, official)
    yield _segment_score("strict", subset, segments, recordings, strict)
    yield _recording_score(subset, segments, recordings)


def _floors(is_english: np.ndarray, recordings: Sequence[str]) -> Iterator[Score]:
    """Those of constant English."""
    # A score of 0 under strict is English too, and a log-likelihood ratio that claims nothing.
    constant = {"official": (1, 0), "strict": (0, 0)}
    for protocol, formula, names in _FLOORS:
        floor = by_unit(partial(_floor, formula, names))
        yield _segment_score(protocol, "all", _constant(*constant[protocol], is_english), recordings, floor)
    floor = partial(_floor, of_recordings, ("balanced_accuracy_recording_mean",))
    yield replace(_recording_score("all", _constant(0, 0, is_english), recordings), formula=floor)


def _constant(english: float, mandarin: float, is_english: np.ndarray) -> np.ndarray:
    return np.column_stack([np.tile((english, mandarin), (len(is_english), 1)), is_english])


def _segment_score(
    protocol: str, subset: str, segments: np.ndarray, recordings: Sequence[str], formula: Formula
) -> Score:
    rows = official_rows(segments) if protocol == "official" else strict_rows(segments)
    # Coverage is 1: scores are refused unless every trial has one.
    return Score(protocol, subset, *_units(recordings), rows, formula, len(segments), 1.0)


def _recording_score(subset: str, segments: np.ndarray, recordings: Sequence[str]) -> Score:
    is_english = segments[:, 2].astype(bool)
    recalls = recording_recalls((segments[:, 0] >= segments[:, 1]) == is_english, is_english, recordings)
    counts = np.concatenate([recalls.n, recalls.right]).T
    score = Score("strict", subset, *_units(recalls.recordings), counts, of_recordings, len(counts), 1.0)
    return replace(score, counts=("recordings_with_one_class",))


def _units(recordings: Sequence[str]) -> tuple[list[str], np.ndarray]:
    names, place = numbered(recordings)
    units, of = numbered(pair_of(name) or name for name in names)
    return units, of[place]


def _floor(formula: Formula, names: Sequence[str], score: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
    figures = formula(score, weights)
    return {f"floor_{name}": figures[name] for name in names}


def _subsets(trials: Mapping[str, Sequence]) -> Iterator[tuple[str, np.ndarray]]:
    """Names and row numbers of the subsets but all that have a trial, in a fixed order."""
    durations_s = _durations_ms(trials) / 1000
    bins = [*(f"{low}-{high}" for low, high in pairwise(DURATIONS_S)), f"{DURATIONS_S[-1]}+"]
    columns = {
        "duration_s": [bins[place - 1] for place in np.searchsorted(DURATIONS_S, durations_s, side="right")],
        "language": trials["language"],
        "pair": trials["pair"],
        "recording": trials["recording"],
    }
    for name, column in columns.items():
        values, place = numbered(column)
        rows = np.argsort(place, kind="stable")
        ends = np.searchsorted(place[rows], np.arange(len(values) + 1))
        for i in sorted((i for i, value in enumerate(values) if value is not None), key=values.__getitem__):
            yield f"{name}={values[i]}", rows[ends[i] : ends[i + 1]]


def english_trials(trials: Mapping[str, Sequence]) -> np.ndarray:
    """(n,) of each trial. Raises InputError for trials without a language."""
    if None in trials["language"]:
        raise InputError("the trials have no language, as those of an evaluation set; score a corpus with labels")
    return np.array([language == "English" for language in trials["language"]])


def _durations_ms(trials: Mapping[str, Sequence]) -> np.ndarray:
    return np.asarray(trials["end_ms"]) - np.asarray(trials["start_ms"])


def _or_none(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
