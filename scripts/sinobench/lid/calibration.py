"""Scores to log-likelihood ratios: speakers held out, chunks pooled, and a logistic regression with equal priors.

The official scoring pools both languages' scores under one threshold, which a common offset of the scores upsets; as
ratios, English against Mandarin, they have 0 as the border and natural logarithms as the unit.
"""

from __future__ import annotations

import json
import logging
import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sinobench import logistic
from sinobench.errors import InputError
from sinobench.merlion.languages import TARGETS
from sinobench.shuffling import sort_key

if TYPE_CHECKING:
    from sinobench.merlion.training.features import TrainingChunks

HELD_OUT = 0.2  # of each language's speakers
# Width of the offset's Cauchy prior. From 0.1 to 1 it makes no difference on corpora of 17 and 90 speakers; without
# it, the three speakers held out of 17 cost up to 0.15 of balanced accuracy.
OFFSET_SCALE = 0.5
_STEPS = 100
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Calibration:
    """llr = slope * score + offset: English against Mandarin, natural logarithm."""

    slope: float = 1.0
    offset: float = 0.0

    def llr(self, scores: np.ndarray) -> np.ndarray:
        return self.slope * scores + self.offset

    def save(self, path: str | Path) -> None:
        Path(path).write_text(json.dumps(asdict(self)) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Calibration:
        """Raises InputError for a file that does not hold two finite numbers, slope and offset."""
        try:
            calibration = cls(**json.loads(Path(path).read_text(encoding="utf-8")))
            finite = math.isfinite(calibration.slope) and math.isfinite(calibration.offset)
        except (OSError, ValueError, TypeError) as error:
            raise InputError(f"is no calibration ({error}); fit the model again", path) from None
        if not finite:
            raise InputError(
                f"has slope {calibration.slope} and offset {calibration.offset}; expected finite numbers", path
            )
        return calibration


def hold_out(data: TrainingChunks, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Indices of the chunks to fit on and of those to calibrate on, each in order.

    A fifth of each language's speakers is held out with all they say, at least one; the order is a hash of seed and
    name. Raises InputError for a language whose speakers can't be in both parts.
    """
    speakers = [set(np.unique(data.speaker[data.language == code]).tolist()) for code in range(len(TARGETS))]
    held: set[int] = set()
    for of_language in speakers:
        wanted = max(1, round(HELD_OUT * len(of_language)))
        for speaker in sorted(of_language - held, key=lambda i: sort_key(seed, data.speakers[i])):
            if len(of_language & held) >= wanted:
                break
            if all(other - held - {speaker} for other in speakers):
                held.add(speaker)
    for name, of_language in zip(TARGETS, speakers, strict=True):
        if not of_language & held:
            raise InputError(
                f"training data with {len(of_language)} {name} speakers, none of whom can be held out; expected one to "
                "fit on and one to calibrate on: add speakers to the partition"
            )
    out = np.isin(data.speaker, list(held))
    return np.flatnonzero(~out), np.flatnonzero(out)


def pool(chunk_scores: np.ndarray, n_frames: np.ndarray, segment_index: np.ndarray, n_segments: int) -> np.ndarray:
    """(n_segments,) means of the chunks' scores weighted by their frames; nan for a segment without chunks."""
    frames = np.bincount(segment_index, n_frames, n_segments)
    sums = np.bincount(segment_index, chunk_scores * n_frames, n_segments)
    return np.divide(sums, frames, out=np.full(n_segments, np.nan), where=frames > 0)


def speaker_weights(speakers: np.ndarray, languages: np.ndarray) -> np.ndarray:
    """(n,) weights with which each speaker's utterances in a language sum to 1."""
    _, group, counts = np.unique(np.stack([languages, speakers]), axis=1, return_inverse=True, return_counts=True)
    return 1 / counts[group.ravel()]


def fit_calibration(scores: np.ndarray, languages: np.ndarray, weights: np.ndarray) -> Calibration:
    """Logistic regression of the language (0 English, 1 Mandarin) on the score, (n,) each; languages weigh alike.

    A language's weights sum to its number of independent speakers, and few speakers say little: the targets are not 0
    and 1 but (Platt's) the estimates that so many trials allow, so that scores which part the languages perfectly have
    a finite slope; and the offset has a Cauchy prior, which draws it to 0, the model's own border, unless it is far.
    A slope that is not positive is logged. Raises InputError unless both languages are there and all scores are finite.
    """
    scores = np.asarray(scores, np.float64)
    if not np.isfinite(scores).all():
        raise InputError(f"score {scores[~np.isfinite(scores)][0]} of held-out speech; expected finite scores")
    share, target, n_speakers = np.zeros(len(scores)), np.zeros(len(scores)), 0.0
    for code, name in enumerate(TARGETS):
        of_language = languages == code
        if not of_language.any():
            raise InputError(f"no {name} among the held-out speech; expected both languages")
        n = weights[of_language].sum()
        share[of_language] = weights[of_language] / n / len(TARGETS)
        target[of_language] = (n + 1) / (n + 2) if code == 0 else 1 / (n + 2)
        n_speakers += n
    centre = (share * scores).sum()
    spread = math.sqrt((share * np.square(scores - centre)).sum())
    if spread <= 1e-9 * max(1.0, abs(centre)):
        _log.warning("all held-out scores are %g: they say nothing about the language, every ratio will be 0", centre)
        return Calibration(0.0, 0.0)
    columns = np.stack([scores / spread, np.ones(len(scores))])
    slope, offset = logistic.fit(columns, target, share).tolist()
    for _ in range(_STEPS):  # each with the normal prior that touches Cauchy's at the last offset
        last, precision = offset, 2 / ((OFFSET_SCALE**2 + offset**2) * n_speakers)
        slope, offset = logistic.fit(columns, target, share, np.array([0.0, precision])).tolist()
        if abs(offset - last) <= 1e-9 * abs(offset):
            break
    if slope <= 0:
        _log.warning("inverted: held-out English scores lie below Mandarin's, slope %.3g", slope / spread)
    return Calibration(slope / spread, offset)
