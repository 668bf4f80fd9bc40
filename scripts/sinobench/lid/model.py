"""Language identification models: what a class that the catalog names must have."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

import numpy as np

if TYPE_CHECKING:
    from sinobench.merlion.training.features import TrainingChunks


class LidModel(Protocol):
    """A model, made with the ``options`` of its entry.

    Its attribute ``takes`` says what a chunk of speech, of at most 3 s, is: ``features``, as where there is none,
    float32 (n_frames, 39), 10 ms a frame; or ``audio``, int16 samples at 32 kHz.
    """

    def predict(self, chunks: list[np.ndarray]) -> Sequence[float] | np.ndarray:
        """A finite number a chunk, in their order, above 0 for English; pooling and calibration are done for it."""


class FittedLidModel(LidModel, Protocol):
    """A model with ``fit: true``: fitted on its partition, saved, and loaded for each corpus; it takes features.

    A class with none of the three methods is calibrated on the partition as others are, and may take audio.
    """

    def fit(self, data: "TrainingChunks", seed: int, state: Path) -> None:
        """Learn from the chunks, features memory-mapped; the same chunks and seed give the same bytes saved.

        data: of the partition, less the speakers on whom the scores will be calibrated; of these are the chunks in its
        ``held_out``, to say how the training goes. state: a folder where the model may keep what a killed run needs to
        go on; it is removed once the model is saved.
        """

    def save(self, folder: Path) -> None:
        """Write the model into this folder, which does not exist yet."""

    @classmethod
    def load(cls, folder: Path) -> Self:
        """The model that ``save`` wrote, without ``options``."""


def comes_fitted(cls: type) -> bool:
    """Whether models of the class are used as they are made."""
    return not any(hasattr(cls, method) for method in ("fit", "save", "load"))
