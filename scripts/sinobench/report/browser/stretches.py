"""Recordings of a corpus cut where the reference or any model changes: the items of language diarization."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from sinobench.report.browser.items import RIGHT, Items, columns

if TYPE_CHECKING:
    import duckdb

LANGUAGES = ("English", "Mandarin")
_NOTHING, _ENGLISH, _MANDARIN = ((), (LANGUAGES[0],), (LANGUAGES[1],))
SPOKEN = (_NOTHING, _ENGLISH, _MANDARIN, LANGUAGES)  # by bits: 1 is English, 2 Mandarin
Spans = tuple[list[int], list[int]]  # starts and ends in ms


def ld(connection: duckdb.DuckDBPyConnection, corpus: str, models: list[str]) -> Iterator[Items]:
    """Stretches of what ``strict`` scores, in which the reference and each model say one thing throughout.

    Those in which nobody hears speech are left out. An answer is what a model hears, as bits of ``SPOKEN``.
    """
    reference = by_recording(columns(connection, "ld_turns", corpus=corpus))
    predicted = {
        model: by_recording(columns(connection, "ld_predictions", corpus=corpus, model=model)) for model in models
    }
    regions = by_recording(columns(connection, "regions", corpus=corpus), "protocol")
    items: dict[str, list] = {"recording": [], "start_ms": [], "end_ms": [], "language": []}
    answers: dict[str, list] = {model: [] for model in models}
    for recording in sorted(regions):
        sides = [reference.get(recording, {}), *(predicted[model].get(recording, {}) for model in models)]
        starts, ends, states = cut(regions[recording].get("strict", ([], [])), sides)
        items["recording"] += [recording] * len(starts)
        items["start_ms"] += starts.tolist()
        items["end_ms"] += ends.tolist()
        items["language"] += states[0].tolist()
        for model, state in zip(models, states[1:], strict=True):
            answers[model] += state.tolist()
    kinds = {
        model: [kinds_of(*pair) for pair in zip(items["language"], answers[model], strict=True)] for model in models
    }
    yield Items("ld", corpus, items, answers, kinds)


def cut(scored: Spans, sides: Sequence[Mapping[str, Spans]]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Starts and ends (n,) in ms of the stretches of a recording, and what each of the sides hears there, (sides, n).

    scored: spans in which stretches are; sides: spans by language.
    """
    channels = [scored, *(side.get(language, ([], [])) for side in sides for language in LANGUAGES)]
    at = np.unique(np.concatenate([np.asarray(bounds, np.int64) for spans in channels for bounds in spans]))
    if len(at) < 2:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty((len(sides), 0), np.int64)
    covered = np.array([_covers(at, *spans) for spans in channels])
    states = covered[1::2] + 2 * covered[2::2]
    kept = covered[0] & states.any(axis=0)
    same = kept[1:] & kept[:-1] & (states[:, 1:] == states[:, :-1]).all(axis=0)
    first = kept & ~np.append(False, same)
    last = kept & ~np.append(same, False)
    return at[:-1][first], at[1:][last], states[:, first]


def kinds_of(spoken: int, heard: int) -> tuple[str, ...]:
    """What is wrong where one hears other languages than are spoken, both as bits of ``SPOKEN``."""
    missed, added = SPOKEN[spoken & ~heard], SPOKEN[heard & ~spoken]
    if missed and added:
        return (f"confusion: {missed[0]} heard as {added[0]}",)
    if missed:
        return tuple(f"miss: {language}" for language in missed)
    return tuple(f"false alarm: {language}" for language in added) or RIGHT


def by_recording(found: Mapping[str, list], key: str = "language") -> dict[str, dict[str, Spans]]:
    """Spans by recording and another column."""
    spans: dict[str, dict[str, Spans]] = {}
    for recording, name, start, end in zip(
        *(found[column] for column in ("recording", key, "start_ms", "end_ms")), strict=True
    ):
        starts, ends = spans.setdefault(recording, {}).setdefault(name, ([], []))
        starts.append(start)
        ends.append(end)
    return spans


def _covers(at: np.ndarray, starts: Sequence[int], ends: Sequence[int]) -> np.ndarray:
    """Whether each of the stretches between bounds is in any of the spans; their own bounds are among the bounds."""
    change = np.zeros(len(at), np.int64)
    np.add.at(change, np.searchsorted(at, np.asarray(starts, np.int64)), 1)
    np.add.at(change, np.searchsorted(at, np.asarray(ends, np.int64)), -1)
    return np.cumsum(change)[:-1] > 0
