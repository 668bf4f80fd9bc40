"""Diarization models: what a class that the catalog names must have."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

from sinobench.ld.windows import Score

if TYPE_CHECKING:
    from sinobench.ld.tuning import Recording

LanguageTurn = tuple[int, int, str]  # start_ms, end_ms, language


class LdModel(Protocol):
    """A model, made with the ``options`` of its entry."""

    def predict(self, path: Path, score: Score | None) -> Sequence[LanguageTurn]:
        """The turns of English and Mandarin in a recording, sorted and disjoint, in whole ms.

        path: of a 32 kHz WAV. score: the calibrated identification model that the entry names as ``lid``, if any.
        """


class FittedLdModel(LdModel, Protocol):
    """A model with ``fit: true``: fitted on simulated recordings, saved, and loaded for each corpus."""

    def fit(self, tuning: "Sequence[Recording]", score: Score | None, seed: int) -> None:
        """Learn from recordings with known turns; the same recordings, score and seed give the same bytes saved."""

    def save(self, path: Path) -> None:
        """Write the model to this file, as JSON."""

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The model that ``save`` wrote, without ``options``."""
