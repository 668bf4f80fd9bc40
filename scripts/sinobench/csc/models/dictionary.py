"""The `dictionary` baseline: a character is replaced where a confusable one makes better words of the sentence.

Candidates are the characters of similar sound or shape, or confused in training, that complete a word of jieba's
dictionary or a pair of neighbours from the training golds. A logistic model judges each by how much the best
segmentation into words gains, by the kind of confusion, and by the training golds' n-grams around it. The weights start
from fixed ones that ECSpell's training files gave: a model fitted on other pairs holds that knowledge too.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from sinobench.csc.models.candidates import FEATURES, find_candidates
from sinobench.csc.models.judging import (
    TEXTS_AT_ONCE,
    Examples,
    blocks_of,
    chosen_edits,
    corrected,
    looked_at,
    threshold_of,
    weights_of,
)
from sinobench.csc.models.knowledge import Knowledge

# Set on the ECSpell training files alone, learning from two of law, med and odw and trying the third: thresholds
# lay between 0.35 and 0.42, and 2 to 13 % of the third's correct sentences were altered, hence a cap well below what is
# tolerable. The rest was not tuned.
MOST_FALSE_POSITIVES = 0.05
NEGATIVES_KEPT = 0.25

# In the order of FEATURES: learnt from the ECSpell training files without the lines whose gold is scored anywhere, and
# rounded. What is known before the first pair.
PRIOR = np.array(
    [
        -3.6, 1.1, 1.7, -1.0, -1.6, 0.0, 1.0, 3.3, 2.9, 0.2, 1.0, 2.9, 1.5, -0.9, -0.1, 0.8, -1.6, -0.8,
        0.2, 1.2, 2.9, 0.5, 1.5, -3.2, -0.9, 0.0, 0.2, 0.7, 0.7, 1.2, 0.9, 1.7, 0.5, -0.6, -0.8,
    ]
)  # fmt: skip


class Dictionary:
    """`fit`, then `predict`; `save` and `load` keep a fitted model in one NumPy archive without objects."""

    def fit(self, pairs: Iterable[tuple[str, str]], seed: int) -> dict[str, float]:
        """Learn from (input, gold) pairs; those of unequal length are ignored. No pairs at all are enough to predict.

        The pairs are cut into contiguous blocks, and what a block is judged by is counted in the others: where
        corpora follow one another, the weights are learnt for a domain that was not counted. All pairs are
        counted, at most MOST_PAIRS are judged, at equal distances. The threshold is where correction F1 is best, with
        weights learnt without the block, among those that alter at most MOST_FALSE_POSITIVES of the correct sentences.
        `seed` draws the share of the negative examples that are used. Gives the weight of each feature and the
        threshold.
        """
        pairs = [(source, gold) for source, gold in pairs if len(source) == len(gold)]
        self.knowledge = Knowledge.of(pairs)
        random = np.random.default_rng(seed)
        blocks = [list(self._examples(pairs, block, random)) for block in blocks_of(pairs)]
        self.threshold = threshold_of(blocks, pairs, _learnt, MOST_FALSE_POSITIVES)
        self.weights = weights_of([example for block in blocks for example in block], PRIOR)
        return dict(zip(FEATURES, self.weights.tolist(), strict=True)) | {"threshold": self.threshold}

    def predict(self, texts: Sequence[str]) -> list[str]:
        """The corrected texts, each as long as its original; a text's correction does not depend on the others."""
        alphabet, done = self.knowledge.alphabet, []
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            batch = texts[start : start + TEXTS_AT_ONCE]
            stream = alphabet.stream(batch)
            candidates = find_candidates(stream, self.knowledge.tables)
            edits = chosen_edits(candidates, candidates.features @ self.weights, self.threshold)
            done += corrected(batch, stream, alphabet, edits, candidates)
        return done

    def save(self, path: str | Path) -> None:
        numbers = {"weights": self.weights, "threshold": np.array(self.threshold)}
        with Path(path).open("wb") as file:
            np.savez_compressed(file, **self.knowledge.arrays(), **numbers)

    @classmethod
    def load(cls, path: str | Path) -> "Dictionary":
        """A model that `save` wrote; nothing in the file is executed."""
        model = cls()
        with np.load(path, allow_pickle=False) as saved:
            model.knowledge = Knowledge.of_arrays(saved)
            model.weights, model.threshold = saved["weights"], float(saved["threshold"])
        return model

    def _examples(
        self, pairs: Sequence[tuple[str, str]], block: range, random: np.random.Generator
    ) -> Iterator[Examples]:
        """The candidates in the pairs of a block, judged by what the other blocks hold."""
        golds = {pairs[i][1] for i in block}
        knowledge = self.knowledge.instead_of([pair for pair in pairs if pair[1] not in golds])
        for chosen in looked_at(block, len(pairs)):
            stream, gold = (knowledge.alphabet.stream([pairs[i][side] for i in chosen]) for side in (0, 1))
            candidates = find_candidates(stream, knowledge.tables)
            right = candidates.replacement == gold.ids[candidates.position]
            used = right | (random.random(len(right)) < NEGATIVES_KEPT)
            pair = np.asarray(chosen)[stream.text_of[candidates.position]]
            yield Examples(candidates, right, used, pair, NEGATIVES_KEPT)


def _learnt(examples: Sequence[Examples]) -> Callable[[np.ndarray], np.ndarray]:
    weights = weights_of(examples, PRIOR)
    return lambda features: features @ weights
