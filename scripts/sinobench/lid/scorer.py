"""A fitted identification model as others use it: chunks to raw scores, and any speech to calibrated ratios."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from sinobench.errors import InputError
from sinobench.lid.calibration import Calibration, pool
from sinobench.lid.model import LidModel, comes_fitted
from sinobench.merlion.audio.chunk import chunk_bounds
from sinobench.merlion.audio.features import mfcc39
from sinobench.merlion.audio.wav import RATE_HZ
from sinobench.models import guarded, load_class, make, predicted

CHUNKS_AT_ONCE = 256


class Scorer:
    """Scores of speech, larger = more English. ``takes`` is what the model's chunks are: features or audio."""

    def __init__(self, model: str, instance: LidModel, calibration: Calibration) -> None:
        self.takes = getattr(instance, "takes", "features")
        if self.takes not in ("features", "audio"):
            raise InputError(f"model '{model}' takes '{self.takes}'; expected features or audio")
        self._model = model
        self._instance = instance
        self._calibration = calibration

    @classmethod
    def load(cls, fitted: str | Path | None, entry: Mapping, model: str | None = None) -> Scorer:
        """The model of a catalog entry, with what `fit_lid` wrote to a folder, or uncalibrated.

        model: its name in messages, else its class. Raises InputError where it can't be loaded.
        """
        model = model or entry["class"]
        made = load_class(entry["class"])
        calibration = Calibration() if fitted is None else Calibration.load(Path(fitted, "calibration.json"))
        as_made = fitted is None or comes_fitted(made)
        load = (lambda: make(made, entry)) if as_made else (lambda: made.load(Path(fitted, "model")))
        return cls(model, guarded(model, "being loaded", load), calibration)

    def chunk_scores(self, chunks: Sequence[np.ndarray]) -> np.ndarray:
        """Raw scores (n,) float64 of chunks as the model takes them: (n_frames, 39) float32, or int16 at 32 kHz.

        Raises InputError, naming the model, where it raises or does not return n finite numbers.
        """
        if not chunks:
            return np.zeros(0)
        output = predicted(self._model, self._instance.predict, chunks)
        shape = ""
        try:
            # What a conversion would drop without a word is no number: imaginary parts, masks, quotes around digits.
            if np.ma.isMaskedArray(output) or np.asarray(output).dtype.kind not in "biufO":
                raise TypeError
            scores = np.asarray(output, np.float64)
            shape = f" of shape {scores.shape}" if scores.ndim else ""
        except (TypeError, ValueError, OverflowError):
            scores = np.zeros(())
        if scores.shape != (len(chunks),):
            kind = type(output).__name__ + shape
            raise InputError(f"model '{self._model}' returned {kind}; expected {len(chunks)} numbers, one a chunk")
        if not np.isfinite(scores).all():
            i = int(np.argmin(np.isfinite(scores)))
            raise InputError(f"model '{self._model}' returned {scores[i]} for chunk {i}; expected finite numbers")
        return scores

    def llr(self, pooled: np.ndarray) -> np.ndarray:
        """Calibrated log-likelihood ratios, English against Mandarin, of pooled raw scores."""
        return self._calibration.llr(pooled)

    def __call__(self, windows: Sequence[np.ndarray]) -> np.ndarray:
        """Calibrated ratios (n,) of stretches of speech, int16 at 32 kHz, of any length; 0 for one without samples."""
        scores, lengths, of_window = [], [], []
        chunks: list[np.ndarray] = []
        for i, window in enumerate(windows):
            for a, b in chunk_bounds(0, len(window), RATE_HZ) if len(window) else []:
                chunks.append(window[a:b])
                lengths.append(b - a)
                of_window.append(i)
                if len(chunks) == CHUNKS_AT_ONCE:
                    scores.append(self._audio_scores(chunks))
                    chunks = []
        scores.append(self._audio_scores(chunks))
        pooled = pool(np.concatenate(scores), np.array(lengths), np.array(of_window, np.int64), len(windows))
        return np.where(np.isnan(pooled), 0.0, self.llr(pooled))

    def _audio_scores(self, chunks: Sequence[np.ndarray]) -> np.ndarray:
        return self.chunk_scores(mfcc39(chunks) if self.takes == "features" else chunks)
