"""Spelling-check models: what a class that the catalog names must have."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, Self


class CscModel(Protocol):
    """A model, made with the ``options`` of its entry."""

    def predict(self, texts: list[str]) -> Sequence[str]:
        """The corrected texts, one a text, in their order.

        texts: the different ones of a corpus, all at once where it has at most 131,072 items, else those of as many.
        An output should be as long as its text, in code points.
        """


class FittedCscModel(CscModel, Protocol):
    """A model with ``fit: true``: fitted once, saved, and loaded for each corpus."""

    def fit(self, pairs: list[tuple[str, str]], seed: int) -> object:
        """Learn from (input, gold) pairs; the same pairs and seed give the same bytes saved."""

    def save(self, path: str | Path) -> None:
        """Write the model to a file or folder of this path, which does not exist yet."""

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """The model that ``save`` wrote, without ``options``."""
