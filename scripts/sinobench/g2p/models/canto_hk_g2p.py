"""canto-hk-g2p: longest words of rime-cantonese, aligned to one prediction a character."""

from sinobench.g2p.alignment import Words, predict_runs


class CantoHkG2p:
    """Predictions of the canto-hk-g2p package.

    It is made for speech: it writes digits, dates and units out as words and drops or replaces marks. So it is given
    the runs of Han characters of a text, one by one, which it leaves as they are.
    """

    def __init__(self) -> None:
        import canto_hk_g2p

        self._pipeline = canto_hk_g2p.Pipeline(punc_norm=False)

    def predict(self, texts: list[str]) -> list[list[str | None]]:
        """One syllable or None for each character of each text."""
        return [predict_runs(text, self._words) for text in texts]

    def _words(self, run: str) -> Words:
        # One call a run: the batch call takes every core, whatever the model's threads.
        return [(word, jyutping) for word, jyutping, *_ in self._pipeline.convert_detailed(run)]
