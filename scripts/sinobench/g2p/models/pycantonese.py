"""PyCantonese, aligned to one prediction a character."""

from sinobench.g2p.alignment import predict_runs


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
        return [predict_runs(text, self._convert) for text in texts]
