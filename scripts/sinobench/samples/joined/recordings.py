"""A recording: whose speech follows whose, and what is heard. Times are whole ms, half-open [start, end)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from sinobench.errors import InputError
from sinobench.merlion.annotation.tables import REDACTION_LABELS
from sinobench.merlion.languages import TARGETS
from sinobench.samples.synthesis.sounds import SPEECH_RMS, room_noise

RATE_HZ = 32_000
SOUND_MS = 675  # of `percussion`
SOUNDS = ("clap", "knock")
# In every recording; overlaps are as many again of one language.
N_OVERLAPS, N_SOUNDS = 2, len(SOUNDS)
_LAST_SPECIAL = 34  # turn that an overlap, a sound or a redaction can fall on
_LEFT_OUT = _LAST_SPECIAL + 1  # the turn between two evaluated regions
_ENGLISH = 0.6  # of the turns
_WITHOUT_PAUSE = 0.2  # of the changes of language
_PAUSE_MS = (200, 2000)
_OVERLAP = (0.15, 0.4)  # of the shorter of the two
_LENGTH_MS = (200_000, 230_000)
_TAIL_MS = 700
_BEFORE_MS = 100
_LEVEL_DB = 2.0
_LONGEST_REDACTION_MS = 600


@dataclass(frozen=True)
class Piece:
    """A stretch of a clip, in ms of the clip; a sound that nobody speaks has no speaker."""

    clip: str
    start_ms: int
    end_ms: int
    language: str
    speaker: str = ""

    @property
    def duration_ms(self) -> int:
        return self.end_ms - self.start_ms


@dataclass(frozen=True)
class Turn:
    """A piece at its place in a recording, louder or softer than the recording's speech by ``level_db``."""

    start_ms: int
    piece: Piece
    level_db: float

    @property
    def end_ms(self) -> int:
        return self.start_ms + self.piece.duration_ms


@dataclass
class Recording:
    """Turns in order of their start; regions are (start, end), redactions (start, end, label)."""

    name: str
    snr_db: float
    turns: list[Turn] = field(default_factory=list)
    regions: list[tuple[int, int]] = field(default_factory=list)
    redactions: list[tuple[int, int, str]] = field(default_factory=list)
    duration_ms: int = 0


class Supply:
    """Pieces to draw from, each once, so that the speakers of a language are heard for as long as one another."""

    def __init__(self, pieces: Sequence[Piece], rng: np.random.Generator) -> None:
        self._left = [pieces[i] for i in rng.permutation(len(pieces))]
        self._heard_ms = {piece.speaker: 0 for piece in pieces}

    def take(self, language: str, other_than: str = "") -> Piece:
        """A piece of the speaker who was heard least, and is not ``other_than``."""
        able = [piece for piece in self._left if piece.language == language and piece.speaker != other_than]
        if not able:
            raise InputError(f"the clips of the split 'test' have too little {language} speech; give more speakers")
        piece = min(able, key=lambda p: self._heard_ms[p.speaker])
        self._left.remove(piece)
        self._heard_ms[piece.speaker] += piece.duration_ms
        return piece


def compose(
    name: str, snr_db: float, supply: Supply, n_redactions: int, n_regions: int, rng: np.random.Generator
) -> Recording:
    """Turns of both languages, with two overlaps of different languages, two of one, and two sounds.

    Overlaps never meet: every turn shares time with one other at most. Redactions lie inside turns that nobody else
    speaks in. Raises InputError where the supply ends.
    """
    recording = Recording(name, snr_db)
    turns = recording.turns
    # Every second turn can be special: what it overlaps is then a plain one.
    special = iter(rng.permutation(np.arange(2, _LAST_SPECIAL + 1, 2)).tolist())
    differing, same, sounds, redacted = (
        list(islice(special, n)) for n in (N_OVERLAPS, N_OVERLAPS, N_SOUNDS, n_redactions)
    )
    length_ms, end_ms = int(rng.integers(*_LENGTH_MS)), 0
    while end_ms < length_ms or len(turns) <= _LEFT_OUT + 1:
        number, last = len(turns), turns[-1].piece if turns else None
        if number in sounds:
            piece = Piece(SOUNDS[sounds.index(number)], 0, SOUND_MS, "NON_SPEECH")
        elif number in differing:
            piece = supply.take(TARGETS[1 - TARGETS.index(last.language)])
        elif number in same:
            piece = supply.take(last.language, other_than=last.speaker)
        else:
            piece = supply.take(TARGETS[int(rng.random() >= _ENGLISH)])
        if number in differing or number in same:
            start_ms = end_ms - int(min(last.duration_ms, piece.duration_ms) * rng.uniform(*_OVERLAP))
        elif last and piece.language != last.language and rng.random() < _WITHOUT_PAUSE:
            start_ms = end_ms
        else:
            start_ms = end_ms + int(rng.integers(*_PAUSE_MS, endpoint=True))
        turns.append(Turn(start_ms, piece, float(rng.uniform(-_LEVEL_DB, _LEVEL_DB))))
        end_ms = turns[-1].end_ms
        if number in redacted:
            recording.redactions.append(_redaction(turns[-1], REDACTION_LABELS[redacted.index(number)]))
    whole = turns[0].start_ms - _BEFORE_MS, end_ms + _BEFORE_MS
    between = turns[_LEFT_OUT].start_ms, turns[_LEFT_OUT].end_ms
    recording.regions = [(whole[0], between[0]), (between[1], whole[1])] if n_regions == 2 else [whole]
    recording.duration_ms = end_ms + _TAIL_MS
    return recording


def render(recording: Recording, sounds: Mapping[str, np.ndarray], rng: np.random.Generator) -> np.ndarray:
    """The recording's int16 samples at 32 kHz: its turns over noise ``snr_db`` below its speech.

    sounds: by name of the clip, its samples at 32 kHz as floats of the recording's level. The ratio is that of the mean
    squares: of what is spoken, where someone speaks, and of the noise.
    """
    n_samples = recording.duration_ms * RATE_HZ // 1000
    heard, spoken = np.zeros(n_samples), np.zeros(n_samples, dtype=bool)
    for turn in recording.turns:
        first, last = turn.start_ms * RATE_HZ // 1000, turn.end_ms * RATE_HZ // 1000
        begin = turn.piece.start_ms * RATE_HZ // 1000
        heard[first:last] += sounds[turn.piece.clip][begin : begin + last - first] * 10 ** (turn.level_db / 20)
        spoken[first:last] |= turn.piece.language in TARGETS
    rms = np.sqrt((heard[spoken] ** 2).mean())
    # room_noise knows one level of speech.
    noise = room_noise(rng, n_samples, RATE_HZ, recording.snr_db + 20 * np.log10(SPEECH_RMS / rms))
    return np.clip(np.round(heard) + noise, -32768, 32767).astype(np.int16)


def _redaction(turn: Turn, label: str) -> tuple[int, int, str]:
    third_ms = turn.piece.duration_ms // 3
    start_ms = turn.start_ms + third_ms
    return start_ms, start_ms + min(third_ms, _LONGEST_REDACTION_MS), label
