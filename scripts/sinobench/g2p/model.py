"""G2P models: what a class that the catalog names must have."""

from collections.abc import Sequence
from typing import Protocol


class G2pModel(Protocol):
    """A model, made with the ``options`` of its entry.

    One of the upstream benchmark has what it needs by its base class, ``sinobench.g2p.upstream.G2PModel``.
    """

    def predict(self, texts: list[str]) -> Sequence[Sequence[str | None]]:
        """One list a text, in their order, with a syllable such as ``gwong2``, or None, for each code point of it.

        texts: the different ones of a corpus, all at once where it has at most 131,072 items, else those of as many.
        """
