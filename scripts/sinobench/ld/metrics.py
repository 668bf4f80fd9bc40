"""Errors of language diarization under both protocols, for all recordings at once.

Counts are whole milliseconds by recording: add them to pool, never average rates. No mapping of labels, ever: English
is English. Source: plan, "Scoring" and "Individual language error rates".
"""

from collections.abc import Mapping

import numpy as np

from sinobench.ld.timeline import Timeline
from sinobench.ld.turns import ENGLISH, MANDARIN, NO_SPANS, TurnTable
from sinobench.merlion.intervals import union
from sinobench.score import ratio

Count = int | np.ndarray  # one sum, or an array of them

OFFICIAL_COUNTS = ("english_error_ms", "english_time_ms", "mandarin_error_ms", "mandarin_time_ms")
STRICT_COUNTS = (
    "miss_ms",
    "false_alarm_ms",
    "confusion_ms",
    "reference_ms",
    "english_missed_ms",
    "english_ms",
    "mandarin_missed_ms",
    "mandarin_ms",
    "scored_ms",
)


def official_counts(reference: TurnTable, predictions: TurnTable, regions: np.ndarray) -> dict[str, np.ndarray]:
    """``OFFICIAL_COUNTS``, each (n_recordings,) int64, as the published script counts on sorted files.

    reference, predictions: tables of the same recordings (ValueError otherwise); a recording without predictions is
    all missed. regions: (m, 3) evaluated spans, disjoint. English occupies [start, end] with its end, Mandarin
    [start + 1, end - 1]; what shares a millisecond is fused, and a fused interval with any Mandarin is Mandarin. What
    the script's silence before the first and behind the last turn cuts off is lost (``_silence``, ``_is_swallowed``).
    error: ms in the regions where "is it the language" differs; time: reference ms there.
    """
    line = Timeline.over(reference, predictions, regions)
    sides = zip((reference, predictions), _silence(reference, predictions), strict=True)
    fused = [intervals for turns, silent_from_ms in sides for intervals in _fused(line, turns, silent_from_ms)]
    ms = line.ms_by_state([*fused, line.scored(regions, NO_SPANS)])
    english, mandarin, predicted_english, predicted_mandarin, scored = _bits(5)
    weights = (english ^ predicted_english, english, mandarin ^ predicted_mandarin, mandarin)
    return _weighed(ms, OFFICIAL_COUNTS, [scored * weight for weight in weights])


def official_rates(counts: Mapping[str, Count]) -> dict[str, np.ndarray]:
    """Error rates of summed counts, pooled over the languages too; NaN where the reference has no time."""
    errors = counts["english_error_ms"] + counts["mandarin_error_ms"]
    return {
        "english_error_rate": ratio(counts["english_error_ms"], counts["english_time_ms"]),
        "mandarin_error_rate": ratio(counts["mandarin_error_ms"], counts["mandarin_time_ms"]),
        "pooled_error_rate": ratio(errors, counts["english_time_ms"] + counts["mandarin_time_ms"]),
    }


def strict_counts(
    reference: TurnTable,
    predictions: TurnTable,
    regions: np.ndarray,
    subtracted: np.ndarray = NO_SPANS,
    collar_ms: int = 0,
) -> dict[str, np.ndarray]:
    """``STRICT_COUNTS``, each (n_recordings,) int64, over the ms of the regions that are not subtracted.

    reference, predictions: tables of the same recordings (ValueError otherwise). regions, subtracted: (k, 3) spans;
    subtracted are redactions and non-evaluated speech, any overlap. R and H hold the languages of a ms in reference
    and prediction, both where two turns overlap: miss = max(0, |R| - |H|), false alarm = max(0, |H| - |R|), confusion
    = min(|R|, |H|) - |R∩H|, reference = |R|. A language's ms are missed where it is in R and not in H.
    collar_ms: also leaves out [bound - collar, bound + collar) of each bound of a reference turn that is not empty.
    """
    if collar_ms:
        subtracted = np.concatenate([subtracted, _collars(reference, collar_ms)])
    line = Timeline.over(reference, predictions, regions)
    speech = [_covered(line, turns, code) for turns in (reference, predictions) for code in (ENGLISH, MANDARIN)]
    ms = line.ms_by_state([*speech, line.scored(regions, subtracted)])
    english, mandarin, predicted_english, predicted_mandarin, scored = _bits(5)
    r, h = english + mandarin, predicted_english + predicted_mandarin
    both = (english & predicted_english) + (mandarin & predicted_mandarin)
    weights = (
        np.maximum(0, r - h),
        np.maximum(0, h - r),
        np.minimum(r, h) - both,
        r,
        english & ~predicted_english,
        english,
        mandarin & ~predicted_mandarin,
        mandarin,
        1,
    )
    return _weighed(ms, STRICT_COUNTS, [scored * weight for weight in weights])


def strict_rates(counts: Mapping[str, Count]) -> dict[str, np.ndarray]:
    """LDER, its three parts over Σ|R|, and the share of each language's reference ms that is missed; NaN without any.

    The plan divides a language's errors by "scored time"; it is read as the language's reference time there.
    """
    parts = {name: ratio(counts[f"{name}_ms"], counts["reference_ms"]) for name in ("miss", "false_alarm", "confusion")}
    return {
        "lder": lder(counts),
        "english_error_rate": ratio(counts["english_missed_ms"], counts["english_ms"]),
        "mandarin_error_rate": ratio(counts["mandarin_missed_ms"], counts["mandarin_ms"]),
        **{f"{name}_rate": value for name, value in parts.items()},
    }


def lder(counts: Mapping[str, Count]) -> np.ndarray:
    """(miss + false alarm + confusion) / Σ|R|; NaN without reference speech."""
    return ratio(counts["miss_ms"] + counts["false_alarm_ms"] + counts["confusion_ms"], counts["reference_ms"])


def pooled(counts: Mapping[str, np.ndarray]) -> dict[str, int]:
    """Counts summed over all recordings."""
    return {name: int(values.sum()) for name, values in counts.items()}


def _bits(n_channels: int) -> np.ndarray:
    """(n_channels, 2**n_channels) whether a channel covers in a state."""
    return np.arange(2**n_channels) >> np.arange(n_channels)[:, None] & 1


def _weighed(ms: np.ndarray, names: tuple[str, ...], weights: list[np.ndarray]) -> dict[str, np.ndarray]:
    return dict(zip(names, np.stack(weights) @ ms.T, strict=True))


def _covered(line: Timeline, turns: TurnTable, language: int) -> np.ndarray:
    return union(line.place(turns.spans(language)))


def _collars(reference: TurnTable, collar_ms: int) -> np.ndarray:
    turns = np.concatenate([reference.spans(ENGLISH), reference.spans(MANDARIN)])
    turns = turns[turns[:, 1] < turns[:, 2]]
    both = turns[:, [0, 1, 1]], turns[:, [0, 2, 2]]
    return np.concatenate(both) + np.array([0, -collar_ms, collar_ms])


def _fused(line: Timeline, turns: TurnTable, silent_from_ms: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """English and Mandarin intervals of the published script: disjoint, though they may touch.

    silent_from_ms: (n_recordings,) where the script's silence behind the last turn begins.
    """
    recording, start, end, is_mandarin = _listed(turns)
    pairs = line.place(np.column_stack([recording, start + is_mandarin, end + ~is_mandarin]))
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    pairs, is_mandarin = pairs[order], is_mandarin[order]
    if not len(pairs):
        return pairs, pairs
    reach = np.maximum.accumulate(pairs[:, 1])
    first = np.flatnonzero(np.append(True, pairs[1:, 0] >= reach[:-1]))
    fused = np.column_stack([pairs[first, 0], reach[np.append(first[1:], len(pairs)) - 1]])
    has_mandarin = np.logical_or.reduceat(is_mandarin, first)
    of = fused[:, 0] // line.span_ms
    fused[:, 1] = np.minimum(fused[:, 1], of * line.span_ms + silent_from_ms[of])
    is_kept = (fused[:, 0] < fused[:, 1]) & ~(_is_swallowed(turns)[of] & (np.diff(of, prepend=-1) > 0))
    return fused[is_kept & ~has_mandarin], fused[is_kept & has_mandarin]


def _listed(turns: TurnTable) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Recording, start and end in ms and whether it is Mandarin, of each turn, as in a sorted file of each recording.

    Mandarin without length has no place in the script's list.
    """
    is_mandarin = turns.language == MANDARIN
    chosen = (turns.language == ENGLISH) | (is_mandarin & (turns.start_ms < turns.end_ms))
    columns = [values[chosen] for values in (turns.recording, turns.start_ms, turns.end_ms, is_mandarin)]
    order = np.lexsort(columns[::-1])
    return tuple(values[order] for values in columns)


def _silence(reference: TurnTable, predictions: TurnTable) -> tuple[np.ndarray, np.ndarray]:
    """Where the script's silence behind the last turn begins on either side, (n_recordings,) ms.

    The script fills up what is shorter to the end of the other's last turn: from behind the last turn in the list, also
    where an earlier one is longer, which ends there then, on the silence's first ms.
    """
    last = np.full((2, len(reference.recordings)), -1, np.int64)
    for side, turns in enumerate((reference, predictions)):
        recording, _, end, is_mandarin = _listed(turns)
        at = np.flatnonzero(np.diff(recording, append=-1))
        last[side, recording[at]] = (end - is_mandarin)[at]
    return tuple(np.where(last < last.max(axis=0), last + 2, np.iinfo(np.int64).max // 2))


def _is_swallowed(turns: TurnTable) -> np.ndarray:
    """(n_recordings,) whether the script loses a recording's first speech.

    The script's silence before the first turn reaches to the start of the first in the list. Where that is Mandarin,
    which begins 1 ms late, English from the same ms on runs into the silence, with all that is fused with it.
    """
    recording, start, _, is_mandarin = _listed(turns)
    first = np.flatnonzero(np.diff(recording, prepend=-1))
    start_of = np.full(len(turns.recordings), -1, np.int64)
    start_of[recording[first]] = np.where(is_mandarin[first], start[first], -1)
    found = np.zeros(len(turns.recordings), bool)
    found[recording[~is_mandarin & (start == start_of[recording])]] = True
    return found
