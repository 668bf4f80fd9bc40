"""Points where the language changes, and how many of them a prediction finds."""

from dataclasses import dataclass

import numpy as np

from sinobench.ld.metrics import Count
from sinobench.ld.timeline import Timeline, sweep
from sinobench.ld.turns import ENGLISH, MANDARIN, NO_SPANS, TurnTable
from sinobench.merlion.intervals import union
from sinobench.score import ratio

TOLERANCE_MS = 500


@dataclass(frozen=True)
class Switches:
    """Numbers of switches, each (n_recordings,) int64."""

    n_reference: np.ndarray
    n_predicted: np.ndarray
    n_matched: np.ndarray


def compare_switches(
    reference: TurnTable,
    predictions: TurnTable,
    regions: np.ndarray,
    subtracted: np.ndarray = NO_SPANS,
    tolerance_ms: int = TOLERANCE_MS,
) -> Switches:
    """Match the switches of two tables of the same recordings (ValueError otherwise); spans as for ``strict_counts``.

    A millisecond is English or Mandarin where just that language is spoken; silence and overlaps of the two are looked
    past. A switch is the first ms of a stretch of one language whose predecessor in the same scored interval was the
    other: nothing is known of what happened between two scored intervals. A predicted switch matches a reference switch
    of the same recording into the same language at most tolerance_ms away; each is matched once, as many as possible.
    """
    line = Timeline.over(reference, predictions, regions)
    scored = line.scored(regions, subtracted)
    sides = [_switches(line, turns, scored) for turns in (reference, predictions)]
    matched = np.zeros(line.n_recordings, np.int64)
    for language in (ENGLISH, MANDARIN):
        points = _match(line, *(at[into == language] for at, into in sides), tolerance_ms)
        matched += np.bincount(points // line.span_ms, minlength=line.n_recordings)
    found = (np.bincount(at // line.span_ms, minlength=line.n_recordings) for at, _ in sides)
    return Switches(*found, matched)


def switch_rates(n_reference: Count, n_predicted: Count, n_matched: Count) -> dict[str, np.ndarray]:
    """Precision, recall and F1 of summed numbers; NaN where the denominator is zero."""
    return {
        "switch_precision": ratio(n_matched, n_predicted),
        "switch_recall": ratio(n_matched, n_reference),
        "switch_f1": ratio(2 * n_matched, n_reference + n_predicted),
    }


def _switches(line: Timeline, turns: TurnTable, scored: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points on the line in order, and the language that begins there."""
    speech = [union(line.place(turns.spans(language))) for language in (ENGLISH, MANDARIN)]
    at, state = sweep([*speech, scored])
    # Of the states at one bound only the last one lasts.
    lasts = np.append(at[1:] != at[:-1], False)
    one = np.flatnonzero(lasts & ((state == 0b101) | (state == 0b110)))
    at, language = at[one], (state[one] == 0b110).astype(np.int8)
    interval = np.searchsorted(scored[:, 0], at, side="right")
    is_switch = np.append(False, (interval[1:] == interval[:-1]) & (language[1:] != language[:-1]))[: len(at)]
    return at[is_switch], language[is_switch]


def _match(line: Timeline, reference: np.ndarray, predicted: np.ndarray, tolerance_ms: int) -> np.ndarray:
    """The reference points that a largest matching in order takes: always the first two that can still meet."""
    matched = []
    i = j = 0
    a, b, span = reference.tolist(), predicted.tolist(), line.span_ms
    while i < len(a) and j < len(b):
        if abs(a[i] - b[j]) <= tolerance_ms and a[i] // span == b[j] // span:
            matched.append(a[i])
            i, j = i + 1, j + 1
        elif a[i] < b[j]:
            i += 1
        else:
            j += 1
    return np.array(matched, np.int64)
