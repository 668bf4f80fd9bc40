"""From raw grains to the labels of the challenge: ten rules, and the labels of what is redacted.

docs/recoding.md shows each rule by an example; the numbers are this project's. The plan (Language Labels, Figure 6,
Personal Identifying Information) leaves gaps that they fill. All decisions use the original labels, and only R8 looks
outside the utterance.
Times are whole milliseconds.
"""

import logging
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, groupby

from sinobench.errors import InputError, private
from sinobench.merlion.annotation.labels import fold
from sinobench.merlion.annotation.overlap import overlap_diff_lang
from sinobench.merlion.annotation.raw import LANGUAGE, NEUTRAL, SOUND, UNDECIDED, kind
from sinobench.merlion.intervals import union
from sinobench.merlion.languages import TARGETS
from sinobench.merlion.tables import Grain, Redaction, Segment

UNCHANGED = "-"
_TARGET_NAMES = {fold(name): name for name in TARGETS}

log = logging.getLogger(__name__)


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


@dataclass
class Recoded:
    """Grains by recording, start, end and speaker; segments numbered a1, a2, … in each recording."""

    grains: list[RecodedGrain] = field(default_factory=list)
    segments: list[Segment] = field(default_factory=list)
    redaction_labels: list[RedactionLabel] = field(default_factory=list)


def recode(
    grains: Iterable[Grain],
    redactions: Iterable[Redaction] = (),
    *,
    lenient: bool = False,
    file_level_fallback: bool = False,
) -> Recoded:
    """Apply R1 to R10 and P1 to the grains of any number of recordings, whatever their order.

    A redaction masks all who speak, so it counts in each utterance that it meets. ``lenient`` takes a language that is
    still to be checked (``#!#…``) for non-evaluated; ``file_level_fallback`` lets grains without a speaker take the
    recording's main language in R8. Raises InputError, with recording and row, for such a language and for a grain
    without a speaker where they are not set, and for an unknown language.
    """
    by_recording: dict[str, tuple[list[Grain], list[Redaction]]] = defaultdict(lambda: ([], []))
    for grain in grains:
        by_recording[grain.recording][0].append(grain)
    for redaction in redactions:
        by_recording[redaction.recording][1].append(redaction)
    recoded = Recoded()
    for recording in sorted(by_recording):
        if by_recording[recording][0]:
            _recode_recording(recoded, *by_recording[recording], lenient, file_level_fallback)
    overlaps = overlap_diff_lang(recoded.segments)
    recoded.segments = [
        replace(segment, overlap_diff_lang=overlap) for segment, overlap in zip(recoded.segments, overlaps, strict=True)
    ]
    return recoded


@dataclass(frozen=True)
class _Item:
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


def _recode_recording(
    recoded: Recoded, grains: list[Grain], redactions: list[Redaction], lenient: bool, file_level_fallback: bool
) -> None:
    masked = union((r.start_ms, r.end_ms) for r in redactions).tolist()
    masked_from, masked_until = [start for start, _ in masked], [end for _, end in masked]
    redactions = sorted(redactions, key=lambda r: (r.start_ms, r.end_ms, r.row))
    grains = sorted(grains, key=lambda g: (g.speaker or "", g.utterance, g.start_ms, g.end_ms, g.row))
    items = []
    for grain in grains:
        of_kind, language = _kind_and_language(grain, lenient, file_level_fallback)
        first = bisect_right(masked_until, grain.start_ms)
        last = bisect_left(masked_from, grain.end_ms)
        items.append(_Item(grain, of_kind, language, _outside(grain.start_ms, grain.end_ms, masked[first:last])))
    main = _MainLanguages(items)
    done, merged, labels = [], [], []
    for _, group in groupby(items, key=lambda item: (item.grain.speaker, item.grain.utterance)):
        utterance = _Utterance(list(group), main)
        done += utterance.grains
        labels += utterance.redaction_labels(redactions)
        merged += utterance.merged()
    recoded.grains += sorted(done, key=lambda r: _place(r.grain))
    recoded.redaction_labels += sorted(labels, key=lambda r: (r.start_ms, r.end_ms, r.speaker or "", r.redaction.row))
    for number, (first, end_ms, language) in enumerate(sorted(merged, key=lambda m: (*_place(m[0], m[1]), m[2])), 1):
        recoded.segments.append(
            Segment(first.recording, f"a{number}", first.start_ms, end_ms, language, False, row=first.row)
        )


def _place(grain: Grain, end_ms: int | None = None) -> tuple[int, int, str, int]:
    return grain.start_ms, end_ms or grain.end_ms, grain.speaker or "", grain.row


def _outside(start_ms: int, end_ms: int, masked: Iterable[Sequence[int]]) -> list[tuple[int, int]]:
    """What the masked stretches that meet a stretch, in order, leave of it."""
    heard = []
    for masked_from, masked_until in masked:
        if start_ms < masked_from:
            heard.append((start_ms, masked_from))
        start_ms = masked_until
    return [*heard, (start_ms, end_ms)] if start_ms < end_ms else heard


def _kind_and_language(grain: Grain, lenient: bool, file_level_fallback: bool) -> tuple[str, str]:
    of_kind = kind(grain.language, grain.text)
    if grain.speaker is None and not file_level_fallback:
        raise InputError(
            f"grain {private(grain.start_ms, grain.end_ms)} has no speaker, and an utterance without a language takes "
            "its speaker's; add a speaker column, or set file_level_fallback to take the recording's",
            grain.recording,
            grain.row,
        )
    if of_kind is None or (of_kind == UNDECIDED and not lenient):
        problem = "is unknown" if of_kind is None else "is still to be checked"
        raise InputError(
            f"language '{private(grain.language)}' of grain {private(grain.start_ms, grain.end_ms)} {problem}; correct "
            + ("it, or set lenient to leave the grain out of the evaluation" if of_kind else "it"),
            grain.recording,
            grain.row,
        )
    if of_kind not in (LANGUAGE, UNDECIDED):
        return of_kind, ""
    tag = fold(grain.language)
    return LANGUAGE, _TARGET_NAMES.get(tag, tag)


class _MainLanguages:
    """R8: the target language that a speaker, or everyone in the recording, uses most; by time, then by grains."""

    def __init__(self, items: Sequence[_Item]) -> None:
        self._recording = items[0].grain.recording
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
            log.warning(
                "%s: no English or Mandarin to resolve neutral words by; they are not evaluated", self._recording
            )
        return self._main or "NON_EVALUATED"

    @staticmethod
    def _most_used(use: dict[str, tuple[int, int]], on_a_tie: str) -> str:
        most = max(use.values())
        best = [language for language, measure in use.items() if measure == most]
        return best[0] if len(best) == 1 else on_a_tie


class _Utterance:
    """The grains of one utterance in order, with the language and the rule of each."""

    def __init__(self, items: list[_Item], main: _MainLanguages) -> None:
        self._items = items
        self._visible = [item for item in items if item.is_visible]
        self._totals: dict[str, int] = defaultdict(int)
        for item in self._visible:
            if item.kind == LANGUAGE:
                self._totals[item.language] += item.heard_ms
        if self._totals:
            found = self._resolve_runs()
        else:
            found = {item.grain: (main.of(item.grain.speaker), "R8") for item in self._visible}
        # What can be heard, with its language: a redaction stands between two of these.
        heard = [(*piece, item.language or found[item.grain][0]) for item in self._visible for piece in item.heard]
        self._heard_from, self._heard = [start for start, _, _ in heard], [language for _, _, language in heard]
        self.grains = [RecodedGrain(item.grain, *self._label(item, found)) for item in items]

    def _resolve_runs(self) -> dict[Grain, tuple[str, str]]:
        """Languages and rules of the neutral grains in an utterance that has a language: R1, R2, R3, R5, R6, R7."""
        languages = [item.language for item in self._visible if item.kind == LANGUAGE]
        found, n_before = {}, 0
        for is_neutral, group in groupby(self._visible, key=lambda item: item.kind == NEUTRAL):
            run = list(group)
            if not is_neutral:
                n_before += len(run)
                continue
            last_marker = max((place for place, item in enumerate(run) if item.is_marker), default=-1)
            n_attached = last_marker + 1 if n_before else 0
            for item in run[:n_attached]:
                found[item.grain] = languages[n_before - 1], "R1" if item.is_marker else "R3"
            language, rule = self._between(languages, n_before)
            for item in run[n_attached:]:
                found[item.grain] = language, "R2" if item.is_marker else rule
        return found

    def _between(self, languages: Sequence[str], place: int) -> tuple[str, str]:
        """The language, and the rule, of what stands before ``languages[place]``; one on either side must exist."""
        sides = {*languages[max(place - 1, 0) : place + 1]}
        if len(sides) == 1:
            language, rule = sides.pop(), "R5"
        else:
            most = max(self._totals.values())
            # Of equal totals the first on the way back: the preceding language, unless a third one is the longest.
            way = chain(reversed(languages[:place]), languages[place:])
            language, rule = next(name for name in way if self._totals[name] == most), "R6"
        return language, "R7" if _released(language) == "NON_EVALUATED" else rule

    def _between_heard(self, start_ms: int) -> str:
        """P1: the label of what is redacted from here to the next stretch that can be heard."""
        if not self._heard:
            return "NON_SPEECH"
        return _released(self._between(self._heard, bisect_left(self._heard_from, start_ms))[0])

    def _label(self, item: _Item, found: dict[Grain, tuple[str, str]]) -> tuple[str, str]:
        if item.kind == SOUND:
            return "NON_SPEECH", "R9"
        if not item.heard:
            return self._between_heard(item.grain.start_ms), "R4"
        if item.kind == NEUTRAL:
            language, rule = found[item.grain]
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
