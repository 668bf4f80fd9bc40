"""Sliding windows: speech by its level, English and Mandarin by any identification model, smoothed by one HMM.

The states are English, Mandarin and no speech, in frames of 10 ms. Stretches of speech are found first; windows slide
within them, and are scored. A window counts as one observation, however much it overlaps the next one. The tone over
personal information is no speech. All parameters are fitted on simulated recordings (sinobench.ld.tuning).
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from itertools import pairwise, product
from pathlib import Path

import numpy as np

from sinobench.errors import InputError
from sinobench.ld.hmm import viterbi
from sinobench.ld.speech import N_CUES, fit_weights, log_odds, speech_cues
from sinobench.ld.tuning import Recording
from sinobench.ld.vad import HOP_MS
from sinobench.ld.windows import Score, window_llr
from sinobench.merlion.audio.redact import detect_tone
from sinobench.merlion.audio.wav import probe, read
from sinobench.merlion.languages import TARGETS
from sinobench.progress import progress

_NO_SPEECH = 2  # the state after those of TARGETS
_HOP = 20  # frames from one window to the next, at most
# A window misleads in 5 %, however sure the model is: it may hold no speech, or two languages.
_OUTLIERS = 0.05
_LARGEST = 1e6  # of a stored parameter

# What is tried in fit.
_BIASES = (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5)
_SPEECH_PENALTIES = (1.0, 2.0, 5.0, 10.0, 20.0, 40.0)
_WINDOWS = (100, 200)
_SWITCH_PENALTIES = (0.25, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)


@dataclass(frozen=True)
class Parameters:
    """What is fitted; penalties are natural logarithms."""

    weights: tuple[float, ...]  # of the cues to speech
    speech_penalty: float  # for each beginning and each end of speech
    switch_penalty: float  # for a change of language within speech
    window_frames: int


class WindowLid:
    """Diarization by sliding windows; it is fitted or loaded before it predicts."""

    def __init__(self) -> None:
        self.parameters: Parameters | None = None

    def fit(self, tuning: Sequence[Recording], score: Score, seed: int) -> None:
        """Choose the parameters that err in the fewest frames of recordings with known turns; nothing is drawn."""
        cues = [speech_cues(recording.samples) for recording in tuning]
        truth = [_states(recording.turns, len(c)) for recording, c in zip(tuning, cues, strict=True)]
        weights = fit_weights(np.concatenate(cues), np.concatenate(truth) != _NO_SPEECH)
        odds = [log_odds(c, weights) for c in cues]

        def speech_errors(choice: tuple[float, float]) -> int:
            found = (_speech(o + choice[0], choice[1]) for o in odds)
            return sum(np.count_nonzero(f != (t != _NO_SPEECH)) for f, t in zip(found, truth, strict=True))

        bias, speech_penalty = min(product(_BIASES, _SPEECH_PENALTIES), key=speech_errors)
        weights[-1] += bias
        errors = {}
        for window in progress(_WINDOWS, total=len(_WINDOWS), desc="windows", unit="length"):
            tried = [
                Parameters(tuple(weights.tolist()), speech_penalty, switch, window) for switch in _SWITCH_PENALTIES
            ]
            errors |= dict.fromkeys(tried, 0)
            for recording, o, t in zip(tuning, odds, truth, strict=True):
                evidence = _evidence(recording.samples, o + bias, tried[0], score)
                for parameters in tried:
                    errors[parameters] += np.count_nonzero(_decode(o + bias, evidence, parameters) != t)
        self.parameters = min(errors, key=errors.get)

    def predict(self, path: Path, score: Score) -> list[tuple[int, int, str]]:
        """The turns (start_ms, end_ms, language) of a 32 kHz recording, sorted and disjoint."""
        if self.parameters is None:
            raise InputError("this diarization model was not fitted; set `fit: true` in the model catalog")
        audio = probe(path)
        samples = read(path, 0, audio.n_samples)
        odds = log_odds(speech_cues(samples), np.array(self.parameters.weights))
        for start_ms, end_ms in detect_tone(path):
            odds[start_ms // HOP_MS : -(-end_ms // HOP_MS)] = -np.inf
        states = _decode(odds, _evidence(samples, odds, self.parameters, score), self.parameters)
        return [
            (start * HOP_MS, audio.duration_ms if end == len(states) else end * HOP_MS, TARGETS[states[start]])
            for start, end in _runs(states)
            if states[start] != _NO_SPEECH
        ]

    def save(self, path: str | Path) -> None:
        """Write the parameters as JSON."""
        Path(path).write_text(json.dumps(asdict(self.parameters), indent=2) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> "WindowLid":
        """Read what save wrote. Raises InputError for anything else."""
        try:
            parameters = json.loads(Path(path).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise InputError(f"can't be read as JSON ({error}); fit the model again", path) from None
        names = [field.name for field in fields(Parameters)]
        if not isinstance(parameters, dict) or sorted(parameters) != sorted(names):
            raise InputError(f"does not hold {', '.join(names)}, and these alone; fit the model again", path)
        weights, window = parameters["weights"], parameters["window_frames"]
        numbers = [*weights, *(parameters[name] for name in names[1:])] if isinstance(weights, list) else []
        if (
            len(numbers) != N_CUES + 3
            or not all(type(n) in (int, float) and abs(n) < _LARGEST for n in numbers)
            or min(numbers[N_CUES:]) < 0
            or type(window) is not int
            or window < 1
        ):
            raise InputError(f"holds other values than {N_CUES} weights, 2 penalties and a length; fit it again", path)
        model = cls()
        model.parameters = Parameters(**(parameters | {"weights": tuple(weights)}))
        return model


def _evidence(samples: np.ndarray, odds: np.ndarray, parameters: Parameters, score: Score) -> np.ndarray:
    """Each frame's evidence for English against Mandarin, (n_frames,); 0 where there can't be speech.

    Windows do not reach out of their stretch of speech. Between their centres, their LLR is interpolated.
    """
    length = parameters.window_frames
    is_speech = _speech(odds, parameters.speech_penalty)
    stretches = [(a, b) for a, b in _runs(is_speech) if is_speech[a]]
    starts, bounds = [], []
    for a, b in stretches:
        size = min(length, b - a)
        n_windows = -(-(b - a - size) // _HOP) + 1
        starts.append(np.linspace(a, b - size, n_windows).round().astype(np.int64))
        bounds.append(np.column_stack([starts[-1], starts[-1] + size]))
    pairs = np.concatenate(bounds) if bounds else np.zeros((0, 2), np.int64)
    llr = window_llr(samples, pairs * HOP_MS, score)
    posterior = _OUTLIERS + (1 - 2 * _OUTLIERS) / (1 + np.exp(-np.clip(llr, -50, 50)))
    llr = np.log(posterior / (1 - posterior))
    evidence = np.zeros(len(odds))
    at = np.cumsum([0, *map(len, starts)])
    for i, (a, b) in enumerate(stretches):
        centres = pairs[at[i] : at[i + 1]].mean(axis=1)
        evidence[a:b] = np.interp(np.arange(a, b) + 0.5, centres, llr[at[i] : at[i + 1]]) / min(length, b - a)
    return evidence


def _decode(odds: np.ndarray, evidence: np.ndarray, parameters: Parameters) -> np.ndarray:
    """The state of each frame, (n_frames,) int8."""
    speech, switch = parameters.speech_penalty, parameters.switch_penalty
    penalties = np.array([[0, switch, speech], [switch, 0, speech], [speech, speech, 0]])
    return viterbi(np.column_stack([odds + evidence / 2, odds - evidence / 2, np.zeros(len(odds))]), penalties)


def _speech(odds: np.ndarray, penalty: float) -> np.ndarray:
    """Whether each frame is speech, whatever the language."""
    scores = np.column_stack([np.zeros(len(odds)), odds])
    return viterbi(scores, np.array([[0, penalty], [penalty, 0]])).astype(bool)


def _states(turns: Sequence[tuple[int, int, str]], n_frames: int) -> np.ndarray:
    states = np.full(n_frames, _NO_SPEECH, np.int8)
    for start_ms, end_ms, language in turns:
        states[round(start_ms / HOP_MS) : round(end_ms / HOP_MS)] = TARGETS.index(language)
    return states


def _runs(states: np.ndarray) -> list[tuple[int, int]]:
    """The stretches [start, end) of equal states."""
    if not len(states):
        return []
    bounds = [0, *(np.flatnonzero(states[1:] != states[:-1]) + 1).tolist(), len(states)]
    return list(pairwise(bounds))
