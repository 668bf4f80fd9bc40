"""Recordings of a corpus cut where the reference or any model changes: the items of language diarization."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from sinobench.report.browser import items
from sinobench.report.browser.items import RIGHT, Items

if TYPE_CHECKING:
    import duckdb

LANGUAGES = ("English", "Mandarin")
_NOTHING, _ENGLISH, _MANDARIN = ((), (LANGUAGES[0],), (LANGUAGES[1],))
SPOKEN = (_NOTHING, _ENGLISH, _MANDARIN, LANGUAGES)  # by bits: 1 is English, 2 Mandarin
_COLUMNS = ("recording", "start_ms", "end_ms", "language")
Spans = tuple[list[int], list[int]]  # starts and ends in ms


def ld(connection: duckdb.DuckDBPyConnection, corpus: str, models: list[str]) -> Iterator[Items]:
    """Stretches of what ``strict`` scores, in which the reference and each model say one thing throughout.

    Those in which nobody hears speech are left out. An answer is what a model hears, as bits of ``SPOKEN``.
    """
    lanes = [Lane(connection, "ld_turns", corpus=corpus)]
    lanes += [Lane(connection, "ld_predictions", corpus=corpus, model=model) for model in models]
    waiting: list[list] = [[] for _ in (*_COLUMNS, *models)]
    for recording, regions in Lane(connection, "regions", "protocol", corpus=corpus):
        starts, ends, states = cut(regions.get("strict", ([], [])), [lane.of(recording) for lane in lanes])
        found = ([recording] * len(starts), starts.tolist(), ends.tolist(), *states.tolist())
        for values, more in zip(waiting, found, strict=True):
            values += more
        while len(waiting[0]) > items.ROWS_AT_ONCE:
            yield _items(corpus, models, [values[: items.ROWS_AT_ONCE] for values in waiting])
            waiting = [values[items.ROWS_AT_ONCE :] for values in waiting]
    yield _items(corpus, models, waiting)


def _items(corpus: str, models: Sequence[str], found: Sequence[list]) -> Items:
    columns = dict(zip(_COLUMNS, found, strict=False))
    answers = dict(zip(models, found[len(_COLUMNS) :], strict=True))
    kinds = {model: list(map(kinds_of, columns["language"], heard)) for model, heard in answers.items()}
    return Items("ld", corpus, columns, answers, kinds)


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


class Lane:
    """Spans of the recordings of a corpus, one recording after the other.

    They are those of a query whose rows are in the order of the recordings; key: the column that tells them apart.
    """

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, name: str, key: str = "language", **parameters: str
    ) -> None:
        columns = ("recording", key, "start_ms", "end_ms")
        found = (part.select(columns).to_pydict().values() for part in items.parts(connection, name, **parameters))
        rows = (row for part in found for row in zip(*part, strict=True))
        self._recordings = groupby(rows, itemgetter(0))
        self._go_on()

    def of(self, recording: str) -> dict[str, Spans]:
        """By the key, of a recording that follows those that were asked for before; nothing where it has none."""
        while self and self._recording < recording:
            self._go_on()
        if self._recording != recording:
            return {}
        spans: dict[str, Spans] = {}
        for _, name, start, end in self._rows:
            starts, ends = spans.setdefault(name, ([], []))
            starts.append(start)
            ends.append(end)
        self._go_on()
        return spans

    def __iter__(self) -> Iterator[tuple[str, dict[str, Spans]]]:
        while self:
            recording = self._recording
            yield recording, self.of(recording)

    def __bool__(self) -> bool:
        return self._recording is not None

    def _go_on(self) -> None:
        self._recording, self._rows = next(self._recordings, (None, ()))


def _covers(at: np.ndarray, starts: Sequence[int], ends: Sequence[int]) -> np.ndarray:
    """Whether each of the stretches between bounds is in any of the spans; their own bounds are among the bounds."""
    change = np.zeros(len(at), np.int64)
    np.add.at(change, np.searchsorted(at, np.asarray(starts, np.int64)), 1)
    np.add.at(change, np.searchsorted(at, np.asarray(ends, np.int64)), -1)
    return np.cumsum(change)[:-1] > 0
