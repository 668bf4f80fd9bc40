"""The floor: every chunk is English, the language of four in five segments."""

from collections.abc import Sequence

import numpy as np


class Majority:
    def predict(self, chunks: Sequence[np.ndarray]) -> np.ndarray:
        return np.ones(len(chunks))
