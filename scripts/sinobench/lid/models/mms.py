"""Language identification of Massively Multilingual Speech: wav2vec 2.0 with 126 to 4017 labels by ISO 639-3."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sinobench.lid.models.wav2vec2 import Wav2vec2


class Mms:
    """Scores log p(eng) - log p(cmn); see `Wav2vec2`."""

    takes = "audio"

    def __init__(self, folder: str | Path) -> None:
        self._classifier = Wav2vec2(folder, english="eng", mandarin="cmn")

    def predict(self, chunks: Sequence[np.ndarray]) -> np.ndarray:
        """(n,) log-ratios of the language's probabilities of chunks of int16 samples at 32 kHz."""
        return self._classifier.predict(chunks)
