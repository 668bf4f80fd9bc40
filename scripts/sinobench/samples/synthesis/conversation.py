"""Scenes on the time line of a recording. All times are whole milliseconds, half-open [start, end)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from sinobench.samples.synthesis.script import Grain, Scene, Utterance
from sinobench.samples.synthesis.speech import Index

OVERLAP_SHARE = 0.3
_JOINED_MS = 120
_TAIL_MS = 700


@dataclass(frozen=True)
class PlacedGrain:
    """A grain with its time; ``redacted_ms`` of it are redacted."""

    start_ms: int
    end_ms: int
    grain: Grain
    redacted_ms: int


@dataclass(frozen=True)
class PlacedUtterance:
    """An utterance with its time; redactions are (start, end, label)."""

    speaker: str
    grains: tuple[PlacedGrain, ...]
    redactions: tuple[tuple[int, int, str], ...]
    situations: tuple[str, ...]

    @property
    def start_ms(self) -> int:
        return self.grains[0].start_ms

    @property
    def end_ms(self) -> int:
        return self.grains[-1].end_ms


@dataclass
class Recording:
    """What happens when; ``sounds`` are (first sample, place in the pool of speech, samples)."""

    name: str
    duration_ms: int = 0
    utterances: list[PlacedUtterance] = field(default_factory=list)
    regions: list[tuple[int, int]] = field(default_factory=list)
    sounds: list[tuple[int, int, int]] = field(default_factory=list)


@dataclass(frozen=True)
class Cast:
    """Who speaks: a role's name on the tiers, and where the pieces it says lie in the pool."""

    names: dict[str, str]
    pools: dict[str, Index]
    rate_hz: int

    def duration_ms(self, role: str, grain: Grain, piece: int) -> int:
        return self.pools[role][grain.code, grain.pieces[piece].text][1] * 1000 // self.rate_hz


def converse(
    name: str,
    cast: Cast,
    must: Sequence[Scene],
    more: Iterator[Scene],
    target_ms: int,
    left_out: Scene | None,
    rng: np.random.Generator,
) -> Recording:
    """All scenes of ``must``, then of ``more`` until ``target_ms``; longer than that only if ``must`` asks for it.

    ``left_out`` is said in the middle without annotation, which parts the evaluated regions in two.
    """
    talk = _Talk(Recording(name), cast, rng)
    for number, scene in enumerate(chain(must, more)):
        if number >= max(1, len(must)) and talk.end_ms + talk.length_ms(scene) > target_ms - _TAIL_MS:
            break
        if left_out and talk.end_ms > target_ms * 45 // 100:
            talk.leave_out(left_out)
            left_out = None
        talk.play(scene)
    recording = talk.recording
    recording.duration_ms = max(target_ms, talk.end_ms + _TAIL_MS)
    talk.close_region()
    return recording


def render(recording: Recording, pool: np.ndarray, noise: np.ndarray) -> np.ndarray:
    """The recording's int16 samples: speech of the pool laid over the noise, which is changed."""
    for first, place, n_samples in recording.sounds:
        noise[first : first + n_samples] += pool[place : place + n_samples]
    return noise


class _Talk:
    def __init__(self, recording: Recording, cast: Cast, rng: np.random.Generator) -> None:
        self.recording, self._cast, self._rng = recording, cast, rng
        self.end_ms = 0  # of the latest speech, annotated or not
        self._previous: Utterance | None = None  # the latest utterance, where the next may begin before its end
        self._alone_from = 0  # where only that one is heard
        self._region_start: int | None = None

    def play(self, scene: Scene) -> None:
        padding = self._padding(scene)
        for number, utterance in enumerate(scene.utterances):
            fills = [padding.get((number, i), 0) for i in range(len(utterance.grains))]
            start = self._start(utterance, number > 0)
            placed = self._place(utterance, fills, start, scene.situations)
            _check_longest(placed)
            self.recording.utterances.append(placed)
            # At most two speak at once: the next may begin where only this utterance is heard, if anywhere.
            self._alone_from = max(self.end_ms, start)
            self._previous = utterance if placed.end_ms > self.end_ms else None
            self.end_ms = max(self.end_ms, placed.end_ms)
            if self._region_start is None:
                self._region_start = max(0, start - 100)

    def leave_out(self, scene: Scene) -> None:
        """Close the region, say a scene without annotation, and begin a new region after it."""
        self.close_region()
        for utterance in scene.utterances:
            self.end_ms = self._place(utterance, [0] * len(utterance.grains), self.end_ms + 900, ()).end_ms
        self.end_ms += 700
        self._previous, self._region_start = None, None

    def close_region(self) -> None:
        self.recording.regions.append((self._region_start, self.end_ms + 100))

    def length_ms(self, scene: Scene) -> int:
        """At most, with pauses."""
        return sum(
            700 + sum(self._durations(utterance, grain)) for utterance in scene.utterances for grain in utterance.grains
        ) + sum(self._padding(scene).values())

    def _durations(self, utterance: Utterance, grain: Grain) -> list[int]:
        return [self._cast.duration_ms(utterance.role, grain, piece) for piece in range(len(grain.pieces))]

    def _start(self, utterance: Utterance, within_scene: bool) -> int:
        length = sum(sum(self._durations(utterance, grain)) for grain in utterance.grains)
        room = min(self.end_ms - self._alone_from, length) * 6 // 10
        if utterance.timing == "//":
            return self.end_ms + _JOINED_MS
        if utterance.timing == "/~":
            return self.end_ms - room
        pause = int(self._rng.integers(100, 700))
        wanted = self._rng.random() < OVERLAP_SHARE
        before = self._previous
        others = before and not within_scene and before.role != utterance.role
        # One person's redaction under another's speech would leave open whose speech it redacts.
        if wanted and others and room > 150 and not (before.redacted or utterance.redacted):
            return self.end_ms - int(self._rng.integers(100, room))
        return self.end_ms + pause

    def _place(
        self, utterance: Utterance, fills: Sequence[int], start: int, situations: tuple[str, ...]
    ) -> PlacedUtterance:
        now, grains, redactions = start, [], []
        for grain, fill in zip(utterance.grains, fills, strict=True):
            first, redacted = now, 0
            for piece, length in zip(grain.pieces, self._durations(utterance, grain), strict=True):
                place, n_samples = self._cast.pools[utterance.role][grain.code, piece.text]
                self.recording.sounds.append((now * self._cast.rate_hz // 1000, place, n_samples))
                if piece.redaction:
                    redactions.append((now, now + length, piece.redaction))
                    redacted += length
                now += length
            now += fill
            grains.append(PlacedGrain(first, now, grain, redacted))
        name = self._cast.names[utterance.role]
        return PlacedUtterance(name, tuple(grains), tuple(joined(redactions, 0)), situations)

    def _padding(self, scene: Scene) -> dict[tuple[int, int], int]:
        """Milliseconds after the last grain of the shorter language, where a scene shows a tie of the two."""
        ties = any(grain.reason == "=" for utterance in scene.utterances for grain in utterance.grains)
        if not ties and not any(situation.startswith("R8-tie") for situation in scene.situations):
            return {}
        totals, last = {"E": 0, "M": 0}, {}
        for number, utterance in enumerate(scene.utterances):
            for i, grain in enumerate(utterance.grains):
                if grain.code in totals:
                    totals[grain.code] += sum(self._durations(utterance, grain))
                    last[grain.code] = number, i
        shorter = min(totals, key=totals.get)
        return {last[shorter]: max(totals.values()) - totals[shorter]}


def joined(redactions: Iterable[tuple[int, int, str]], gap_ms: int) -> list[tuple[int, int, str]]:
    """Redactions in order of time; those of one label at most ``gap_ms`` apart become one."""
    result: list[tuple[int, int, str]] = []
    for start, end, label in sorted(redactions):
        if result and result[-1][2] == label and start - result[-1][1] <= gap_ms:
            result[-1] = result[-1][0], max(end, result[-1][1]), label
        else:
            result.append((start, end, label))
    return result


def _check_longest(utterance: PlacedUtterance) -> None:
    """Raises ValueError where a scene's claim on the longest language is wrong for this voice."""
    totals: dict[str, int] = {}
    for placed in utterance.grains:
        kind = {"E": "E", "M": "M", "Y": "X", "H": "X"}.get(placed.grain.code)
        if kind:
            totals[kind] = totals.get(kind, 0) + placed.end_ms - placed.start_ms - placed.redacted_ms
    for placed in utterance.grains:
        others = [total for language, total in totals.items() if language != placed.grain.label]
        own = totals.get(placed.grain.label, 0)
        if (placed.grain.reason == "*" and own <= max(others)) or (placed.grain.reason == "=" and own != max(others)):
            text = f"'{placed.grain.text}' of {utterance.situations}"
            raise ValueError(f"{text}: {totals} ms; lengthen or shorten a grain")
