"""ToJyutping: a trie of words and characters with Jyutping."""


class ToJyutping:
    """Predictions of the ToJyutping package."""

    def __init__(self) -> None:
        import ToJyutping

        ToJyutping.get_jyutping_list("一")  # its trie is loaded at the first call: that is load time
        self._convert = ToJyutping.get_jyutping_list

    def predict(self, texts: list[str]) -> list[list[str | None]]:
        """One syllable or None for each character of each text."""
        return [[syllable for _, syllable in self._convert(text)] for text in texts]
