"""R1 to R10 and P1 within a recording: the label of each grain of an utterance, and of what is redacted in it.

docs/recoding.md shows each rule by an example.
"""

import logging
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, groupby

from sinobench.merlion.annotation.grains import LANGUAGE, NEUTRAL, SOUND
from sinobench.merlion.annotation.labels import fold
from sinobench.merlion.languages import TARGETS
from sinobench.merlion.tables import Grain, Redaction

UNCHANGED = "-"

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class RecodedGrain:
    """A grain, its label of the challenge, and the rule that gave it (R1 to R9, or ``-`` for a target as it was)."""

    grain: Grain
    language: str
    rule: str


@dataclass(frozen=True)
class RedactionLabel:
    """The label of the part of a redaction that lies in one utterance (the labels' track, never scored as masked)."""

    redaction: Redaction
    speaker: str | None
    utterance: str
    start_ms: int
    end_ms: int
    language: str


@dataclass(frozen=True)
class Item:
    """A grain as the rules see it: its language if it has one, and the stretches of it that are not redacted."""

    grain: Grain
    kind: str
    language: str
    heard: list[tuple[int, int]]

    @property
    def heard_ms(self) -> int:
        return sum(end - start for start, end in self.heard)

    @property
    def is_marker(self) -> bool:
        return fold(self.grain.language) == "RED_DOT" and self.grain.text.lstrip().startswith(":d:")

    @property
    def is_visible(self) -> bool:
        """R4: sounds and what is wholly redacted are looked past."""
        return self.kind != SOUND and bool(self.heard)


class MainLanguages:
    """R8: the target language that a speaker, or everyone in the recording, uses most; by time, then by grains."""

    def __init__(self, items: Sequence[Item]) -> None:
        self._use: dict[str | None, dict[str, tuple[int, int]]] = defaultdict(dict)
        everyone: dict[str, tuple[int, int]] = {}
        for item in items:
            if item.language in TARGETS and item.is_visible:
                for use in (self._use[item.grain.speaker], everyone):
                    total_ms, count = use.get(item.language, (0, 0))
                    use[item.language] = (total_ms + item.heard_ms, count + 1)
        self._main = self._most_used(everyone, "English") if everyone else None
        self._has_warned = False

    def of(self, speaker: str | None) -> str:
        """The speaker's main language, else the recording's, else non-evaluated."""
        use = self._use.get(speaker)
        if speaker is not None and use:
            return self._most_used(use, self._main)
        if self._main is None and not self._has_warned:
            self._has_warned = True
            _log.warning("a recording has no English or Mandarin to resolve neutral words by; they are not evaluated")
        return self._main or "NON_EVALUATED"

    @staticmethod
    def _most_used(use: dict[str, tuple[int, int]], on_a_tie: str) -> str:
        most = max(use.values())
        best = [language for language, measure in use.items() if measure == most]
        return best[0] if len(best) == 1 else on_a_tie


class Utterance:
    """The grains of one utterance in order, with the language and the rule of each."""

    def __init__(self, items: list[Item], main: MainLanguages) -> None:
        self._items = items
        self._visible = [item for item in items if item.is_visible]
        self._totals: dict[str, int] = defaultdict(int)
        for item in self._visible:
            if item.kind == LANGUAGE:
                self._totals[item.language] += item.heard_ms
        if self._totals:
            resolved = self._resolve_runs()
        else:
            resolved = {item.grain: (main.of(item.grain.speaker), "R8") for item in self._visible}
        # What can be heard, with its language: a redaction stands between two of these.
        heard = [(*piece, item.language or resolved[item.grain][0]) for item in self._visible for piece in item.heard]
        self._heard_from, self._heard = [start for start, _, _ in heard], [language for _, _, language in heard]
        self.grains = [RecodedGrain(item.grain, *self._label(item, resolved)) for item in items]

    def _resolve_runs(self) -> dict[Grain, tuple[str, str]]:
        """Languages and rules of the neutral grains in an utterance that has a language: R1, R2, R3, R5, R6, R7."""
        languages = [item.language for item in self._visible if item.kind == LANGUAGE]
        resolved, n_before = {}, 0
        for is_neutral, group in groupby(self._visible, key=lambda item: item.kind == NEUTRAL):
            run = list(group)
            if not is_neutral:
                n_before += len(run)
                continue
            last_marker = max((place for place, item in enumerate(run) if item.is_marker), default=-1)
            n_attached = last_marker + 1 if n_before else 0
            for item in run[:n_attached]:
                resolved[item.grain] = languages[n_before - 1], "R1" if item.is_marker else "R3"
            language, rule = self._between(languages, n_before)
            for item in run[n_attached:]:
                resolved[item.grain] = language, "R2" if item.is_marker else rule
        return resolved

    def _between(self, languages: Sequence[str], at: int) -> tuple[str, str]:
        """The language, and the rule, of what stands before ``languages[at]``; one on either side must exist."""
        sides = {*languages[max(at - 1, 0) : at + 1]}
        if len(sides) == 1:
            language, rule = sides.pop(), "R5"
        else:
            most = max(self._totals.values())
            # Of equal totals the first on the way back: the preceding language, unless a third one is the longest.
            way = chain(reversed(languages[:at]), languages[at:])
            language, rule = next(name for name in way if self._totals[name] == most), "R6"
        return language, "R7" if _released(language) == "NON_EVALUATED" else rule

    def _between_heard(self, start_ms: int) -> str:
        """P1: the label of what is redacted from here to the next stretch that can be heard."""
        if not self._heard:
            return "NON_SPEECH"
        return _released(self._between(self._heard, bisect_left(self._heard_from, start_ms))[0])

    def _label(self, item: Item, resolved: dict[Grain, tuple[str, str]]) -> tuple[str, str]:
        if item.kind == SOUND:
            return "NON_SPEECH", "R9"
        if not item.heard:
            return self._between_heard(item.grain.start_ms), "R4"
        if item.kind == NEUTRAL:
            language, rule = resolved[item.grain]
            return _released(language), rule
        return _released(item.language), UNCHANGED if item.language in TARGETS else "R9"

    def redaction_labels(self, redactions: Sequence[Redaction]) -> list[RedactionLabel]:
        """Labels of the parts of redactions that lie in this utterance (P1)."""
        if all(item.heard_ms == item.grain.end_ms - item.grain.start_ms for item in self._items):
            return []
        first, last = self._items[0].grain, self._items[-1].grain
        labels = []
        for redaction in redactions:
            start_ms, end_ms = max(redaction.start_ms, first.start_ms), min(redaction.end_ms, last.end_ms)
            if start_ms < end_ms:
                language = self._between_heard(start_ms)
                labels.append(RedactionLabel(redaction, first.speaker, first.utterance, start_ms, end_ms, language))
        return labels

    def merged(self) -> list[tuple[Grain, int, str]]:
        """R10: (first grain, end in ms, language) of each stretch of contiguous grains with one label."""
        stretches: list[tuple[Grain, int, str]] = []
        for recoded in self.grains:
            grain = recoded.grain
            if stretches and stretches[-1][1:] == (grain.start_ms, recoded.language):
                stretches[-1] = (stretches[-1][0], grain.end_ms, recoded.language)
            else:
                stretches.append((grain, grain.end_ms, recoded.language))
        return stretches


def _released(language: str) -> str:
    return language if language in TARGETS else "NON_EVALUATED"
