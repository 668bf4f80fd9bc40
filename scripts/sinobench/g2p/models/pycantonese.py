"""PyCantonese, aligned to one prediction a character."""

import re

from sinobench.g2p.corpus import HAN

_HAN_RUN = re.compile(f"(?:{HAN.pattern})+")


class PyCantonese:
    """Predictions of ``pycantonese.characters_to_jyutping``.

    The package segments a text into words, drops spaces and gives one string for the syllables of a word; it joins
    punctuation to the words beside it, which then have no reading. So it is given the runs of Han characters of a text,
    one by one, and the syllables of each word are laid on its characters.
    """

    def __init__(self) -> None:
        import pycantonese

        self._convert = pycantonese.characters_to_jyutping
        self._convert("一")  # its word list is loaded at the first call: that is load time

    def predict(self, texts: list[str]) -> list[list[str | None]]:
        """One syllable or None for each character of each text."""
        return [self._predict_one(text) for text in texts]

    def _predict_one(self, text: str) -> list[str | None]:
        output: list[str | None] = [None] * len(text)
        for run in _HAN_RUN.finditer(text):
            output[run.start() : run.end()] = align(run[0], self._convert(run[0]))
        return output


def align(run: str, words: list[tuple[str, str | None]]) -> list[str | None]:
    """One syllable or None a character, from (word, "syllable syllable …") pairs that make up the run.

    A word without reading, or with more or fewer syllables than characters, has None for each of its characters.
    Raises ValueError where the words are not the run's characters in their order.
    """
    if "".join(word for word, _ in words) != run:
        raise ValueError(f"the words {words} are not the characters of '{run}'")
    output: list[str | None] = []
    for word, jyutping in words:
        syllables = re.findall(r"[a-z]+[1-6]", jyutping or "")
        output += syllables if len(syllables) == len(word) else [None] * len(word)
    return output
