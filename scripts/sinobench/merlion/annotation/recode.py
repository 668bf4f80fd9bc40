"""From raw grains to the labels of the challenge: ten rules, and the labels of what is redacted.

docs/recoding.md shows each rule by an example; the numbers are this project's. The plan (Language Labels, Figure 6,
Personal Identifying Information) leaves gaps that they fill. All decisions use the original labels, and only R8 looks
outside the utterance.
Times are whole milliseconds.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from sinobench.errors import InputError, private
from sinobench.merlion.annotation.grains import LANGUAGE, UNDECIDED, kind
from sinobench.merlion.annotation.labels import fold
from sinobench.merlion.annotation.overlap import overlap_diff_lang
from sinobench.merlion.annotation.rules import Item, MainLanguages, RecodedGrain, RedactionLabel, Utterance
from sinobench.merlion.intervals import union
from sinobench.merlion.languages import TARGETS
from sinobench.merlion.tables import Grain, Redaction, Segment

_TARGET_NAMES = {fold(name): name for name in TARGETS}


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
        items.append(Item(grain, of_kind, language, _outside(grain.start_ms, grain.end_ms, masked[first:last])))
    main = MainLanguages(items)
    done, merged, labels = [], [], []
    for _, group in groupby(items, key=lambda item: (item.grain.speaker, item.grain.utterance)):
        utterance = Utterance(list(group), main)
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
