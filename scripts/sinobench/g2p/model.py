"""G2P models: what a class that the catalog names must have."""

from collections.abc import Sequence
from typing import Protocol


class G2PModel(Protocol):
    """A model, made with the ``options`` of its entry.

    A model of the upstream benchmark, which is called instead, is one too (``sinobench.g2p.upstream``).
    """

    def predict(self, texts: list[str]) -> Sequence[Sequence[str | None]]:
        """One list a text, in their order, with a syllable such as ``gwong2``, or None, for each code point of it.

        texts: all different texts of a corpus at once.
        """
