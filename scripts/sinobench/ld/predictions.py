"""Turns that a model gives for a recording: checked, or read from files that someone else produced."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from sinobench.errors import InputError, nearest, private
from sinobench.ld.turns import TurnTable, read_turns
from sinobench.merlion.languages import TARGETS

# Turns in seconds reach at most to a thousandth of their recordings; twice that, as the annotated end may stand for a
# recording's. A turn there may be all that a model found, but not turns shorter than a frame, or in many recordings.
_SECONDS_SHARE = 2 / 1000
_SHORTEST_MEAN_MS = 20
_FEW_RECORDINGS = 3


def check_output(output: object, duration_ms: int) -> str | None:
    """What is wrong with a model's turns of one recording, or None.

    Expected is a list of (start_ms, end_ms, language), sorted and disjoint, in whole ms inside the recording (whose
    last, begun millisecond counts), each of English or Mandarin.
    """
    if not isinstance(output, (list, tuple)):
        return f"returned {type(output).__name__}; expected a list of (start_ms, end_ms, language)"
    earlier = 0
    for number, turn in enumerate(output, start=1):
        shown = f"turn {number}, {private(repr(turn))},"
        if not isinstance(turn, (list, tuple)) or len(turn) != 3:
            return f"{shown} is no (start_ms, end_ms, language)"
        start, end, language = turn
        if not all(isinstance(time, (int, np.integer)) and not isinstance(time, bool) for time in (start, end)):
            return f"{shown} has times that are no whole milliseconds"
        if language not in TARGETS:
            return f"{shown} has another language than {' and '.join(TARGETS)}"
        if end <= start:
            return f"{shown} ends at or before its start"
        if start < earlier:
            return f"{shown} starts before {private(earlier)} ms, where the turn before it ends or the recording starts"
        if end > duration_ms:
            return f"{shown} ends after the recording, at {private(duration_ms)} ms"
        earlier = end
    return None


def refuse_seconds(turns: TurnTable, durations_ms: Mapping[str, int], source: str | Path) -> None:
    """InputError for turns whose times must be seconds: all of them end with the first moments of the recordings.

    durations_ms: of the recordings, or what they last at least.
    """
    ends = np.zeros(len(turns.recordings), np.int64)
    np.maximum.at(ends, turns.recording, turns.end_ms)
    lasting = np.array([durations_ms[name] for name in turns.recordings], np.int64)
    if not ends.any() or ends.sum() > _SECONDS_SHARE * lasting[ends > 0].sum():
        return
    if (turns.end_ms - turns.start_ms).mean() < _SHORTEST_MEAN_MS or (ends > 0).sum() >= _FEW_RECORDINGS:
        last = int(ends.argmax())
        name = private(turns.recordings[last])
        raise InputError(
            f"the last turn of '{name}' ends at {ends[last]} ms of {lasting[last]} ms, in other recordings as early: "
            "are these times seconds? Write milliseconds, 413402 for 413.402 s",
            source,
        )


def from_file(path: str | Path, recordings: Sequence[str]) -> TurnTable:
    """The turns that the folder or RTTM file has, in its order and as it has them (read_turns).

    recordings: all of the corpus. Raises InputError for a recording that is not among them.
    """
    table, known = read_turns(path), set(recordings)
    if unknown := [name for name in table.recordings if name not in known]:
        hint = nearest(unknown[0], recordings)
        raise InputError(f"has turns of '{private(unknown[0])}', which is no recording of the corpus; {hint}", path)
    return table
