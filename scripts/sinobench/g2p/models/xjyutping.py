"""xjyutping: the fewest and most usual words of a text, with their Jyutping."""


class Xjyutping:
    """Predictions of the xjyutping package."""

    def __init__(self) -> None:
        import xjyutping

        self._annotate = xjyutping.Jyutping().annotate

    def predict(self, texts: list[str]) -> list[list[str | None]]:
        """One syllable or None for each character of each text."""
        return [[syllable for _, syllable in self._annotate(text)] for text in texts]
