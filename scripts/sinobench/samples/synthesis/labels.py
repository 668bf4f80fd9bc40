"""The released form of a synthesized recording: from what the scenes say of themselves, not by recoding rules."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sinobench.samples.synthesis.conversation import PlacedUtterance, Recording

_TAGS = {"E": "English", "M": "Mandarin", "X": "Non-Evaluated-Speech", "N": "NON_SPEECH"}


@dataclass(frozen=True)
class Label:
    """A row of the released labels; times in ms."""

    utt_id: str
    start_ms: int
    end_ms: int
    tag: str
    overlap_diff_lang: bool


def is_clear(recording: Recording) -> bool:
    """Whether each speaker whose main language matters has the same one however redactions are counted."""
    return all(_main_language(recording, speaker) is not None for speaker in _asking(recording))


def released_labels(recording: Recording) -> list[Label]:
    """All rows, by time: contiguous grains of one utterance and one label are one row (R10, overlaps by §5)."""
    mains = {speaker: _main_language(recording, speaker) for speaker in _asking(recording)}
    rows = []
    for utterance in recording.utterances:
        merged: list[list] = []
        for placed in utterance.grains:
            label = mains[utterance.speaker] if placed.grain.label == "?" else placed.grain.label
            if merged and merged[-1][3] == label:
                merged[-1][1] = placed.end_ms
            else:
                merged.append([placed.start_ms, placed.end_ms, utterance.speaker, label])
        rows += merged
    rows.sort()
    overlaps = _overlaps(rows)
    return [
        Label(f"a{number}", start, end, _TAGS[label], overlap)
        for number, ((start, end, _, label), overlap) in enumerate(zip(rows, overlaps, strict=True), start=1)
    ]


def _overlaps(rows: Sequence[Sequence]) -> list[bool]:
    """Every row with every other: do they share time, and are both languages, and different ones?"""
    starts, ends = (np.array([row[i] for row in rows]) for i in (0, 1))
    language = np.array(["EMXN".index(row[3]) for row in rows])
    shared = (starts[:, None] < ends) & (starts < ends[:, None])
    differ = (language[:, None] != language) & (language[:, None] != 3) & (language != 3)
    return (shared & differ).any(axis=1).tolist()


def _asking(recording: Recording) -> list[str]:
    return sorted({u.speaker for u in recording.utterances for placed in u.grains if placed.grain.label == "?"})


def _main_language(recording: Recording, speaker: str) -> str | None:
    """E or M: the speaker's longer one, else the one with more grains, else the recording's; None where in doubt."""
    own = [utterance for utterance in recording.utterances if utterance.speaker == speaker]
    answers = {_longer(own, redacted) or _longer(recording.utterances, redacted) for redacted in (True, False)}
    return answers.pop() if len(answers) == 1 else None


def _longer(utterances: Sequence[PlacedUtterance], with_redacted: bool) -> str | None:
    totals = {"E": (0, 0), "M": (0, 0)}
    for utterance in utterances:
        for placed in utterance.grains:
            length = placed.end_ms - placed.start_ms - (0 if with_redacted else placed.redacted_ms)
            # An inaudible grain may be marked with a language, and says none.
            if placed.grain.code in totals and placed.grain.label != "N" and length:
                known = totals[placed.grain.code]
                totals[placed.grain.code] = known[0] + length, known[1] + 1
    return None if totals["E"] == totals["M"] else max(totals, key=totals.get)
