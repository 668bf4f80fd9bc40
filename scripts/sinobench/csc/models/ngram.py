"""The `ngram` model: the candidates of `dictionary`, judged by a word trigram model of general text as well.

The general text is that of a KenLM file. A candidate's further features say how much the best segmentation of the
sentence into the file's words gains under the trigrams, and how that stands to what else could be changed. Weights and
boosted trees judge together.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from sinobench.csc.models import candidates, rivals
from sinobench.csc.models.candidates import Candidates, find_candidates
from sinobench.csc.models.dictionary import PRIOR as PRIOR_OF_DICTIONARY
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
from sinobench.csc.models.language_model import LanguageModel
from sinobench.csc.models.lattice import Lattice
from sinobench.csc.models.lexicon import IMPOSSIBLE, Stream, jieba_words
from sinobench.csc.models.trees import Trees

FEATURES = (*candidates.FEATURES, "trigram gain", "trigram gain over 3", "trigram gain over 7", *rivals.FEATURES)
# Chosen on the ECSpell training files alone, as the trees' size and the features: docs/spelling.md has the figures.
MOST_FALSE_POSITIVES = 0.03
# What `dictionary` takes for less probable is not looked at again, nine candidates of ten.
LEAST_PROBABLE = 0.001
# What the weights alone take for less probable is not carried out whatever the trees say.
LEAST_PROBABLE_BY_WEIGHTS = 0.002
# Fewer right candidates tell trees little.
FEWEST_RIGHT = 200
LEAST_GAIN, MOST_GAIN = -12.0, 25.0
# In the order of FEATURES: learnt as that of `dictionary`.
PRIOR = np.array(
    [
        -2.0, 0.1, 0.4, -0.5, -0.4, -0.1, 0.5, 2.6, 2.2, 0.1, 0.9, 1.7, 1.0, -1.2, 0.1, 0.9, -2.1, -1.2,
        -0.5, 0.8, 1.9, 0.7, 1.5, -2.7, 0.3, 0.0, 0.3, 0.6, 0.6, 0.7, 0.1, 1.2, 0.4, -0.4, -0.8,
        0.2, 2.0, -0.6, 0.2, 0.8, -0.5, 0.3, -0.1,
    ]
)  # fmt: skip


class Judge:
    """The mean of the log-odds by weights and by trees; by weights alone where too little was there for trees."""

    def __init__(self, weights: np.ndarray, trees: Trees | None):
        self.weights, self._trees = weights, trees

    @classmethod
    def learnt(cls, examples: Sequence[Examples]) -> "Judge":
        weights, right = weights_of(examples, PRIOR), [example.right for example in examples]
        if sum(map(np.sum, right)) < FEWEST_RIGHT:
            return cls(weights, None)
        features = np.concatenate([example.found.features for example in examples])
        return cls(weights, Trees.learnt(features, np.concatenate(right)))

    def log_odds(self, features: np.ndarray) -> np.ndarray:
        """Of n candidates, n x k; IMPOSSIBLE where the weights alone say so."""
        log_odds = features @ self.weights
        if self._trees is None:
            return log_odds
        likely = np.flatnonzero(log_odds >= np.log(LEAST_PROBABLE_BY_WEIGHTS))
        both = np.full(len(features), IMPOSSIBLE)
        both[likely] = (log_odds[likely] + self._trees.log_odds(features[likely])) / 2
        return both

    def arrays(self) -> dict[str, np.ndarray]:
        """Arrays without objects that `of_arrays` reads."""
        return {"weights": self.weights} | (self._trees.arrays() if self._trees else {})

    @classmethod
    def of_arrays(cls, saved: Mapping[str, np.ndarray]) -> "Judge":
        return cls(saved["weights"], Trees(saved) if "trees_start" in saved else None)


class Ngram:
    """`fit`, then `predict`; `save` and `load` keep a fitted model in one NumPy archive without objects.

    The archive has the path of the language model, not its content.
    """

    def __init__(self, language_model: str):
        """language_model: path of a KenLM file of words, binary or ARPA."""
        self._path = language_model

    def fit(self, pairs: Iterable[tuple[str, str]], seed: int) -> dict[str, float]:
        """Learn from (input, gold) pairs as `dictionary` does; those of unequal length are ignored.

        Nothing is drawn at random, so `seed` changes nothing. Gives the weight of each feature and the threshold.
        """
        pairs = [(source, gold) for source, gold in pairs if len(source) == len(gold)]
        self._use(Knowledge.of(pairs))
        blocks = [list(self._examples(pairs, block)) for block in blocks_of(pairs)]
        self.threshold = threshold_of(
            blocks, pairs, lambda examples: Judge.learnt(examples).log_odds, MOST_FALSE_POSITIVES
        )
        self._judge = Judge.learnt([example for block in blocks for example in block])
        return dict(zip(FEATURES, self._judge.weights.tolist(), strict=True)) | {"threshold": self.threshold}

    def predict(self, texts: Sequence[str]) -> list[str]:
        """The corrected texts, each as long as its original; a text's correction does not depend on the others."""
        done = []
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            batch = texts[start : start + TEXTS_AT_ONCE]
            stream = self._knowledge.alphabet.stream(batch)
            found = self._judged(stream, self._knowledge)
            edits = chosen_edits(found, self._judge.log_odds(found.features), self.threshold)
            done += corrected(batch, stream, self._knowledge.alphabet, edits, found)
        return done

    def save(self, path: str | Path) -> None:
        arrays = self._knowledge.arrays() | self._judge.arrays()
        with Path(path).open("wb") as file:
            np.savez_compressed(file, **arrays, threshold=self.threshold, language_model=np.array(str(self._path)))

    @classmethod
    def load(cls, path: str | Path) -> "Ngram":
        """A model that `save` wrote; nothing in the file is executed."""
        with np.load(path, allow_pickle=False) as saved:
            model = cls(str(saved["language_model"]))
            model._judge, model.threshold = Judge.of_arrays(saved), float(saved["threshold"])
            model._use(Knowledge.of_arrays(saved))
        return model

    def _use(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._language_model = LanguageModel(self._path, knowledge.alphabet, jieba_words()[0])

    def _judged(self, stream: Stream, knowledge: Knowledge) -> Candidates:
        """The candidates worth a look, with their FEATURES."""
        found = find_candidates(stream, knowledge.tables)
        likely = np.flatnonzero(found.features @ PRIOR_OF_DICTIONARY >= np.log(LEAST_PROBABLE))
        found = Candidates(*(column[likely] for column in vars(found).values()))
        lattice = Lattice(stream, self._language_model)
        gain = np.minimum(lattice.gains(found.position, found.replacement, LEAST_GAIN), MOST_GAIN)
        columns = [gain / 5, *(np.maximum(gain - k, 0) / 5 for k in (3, 7))]
        columns += [rivals.compared(found.position, stream.text_of[found.position], gain, LEAST_GAIN)]
        return replace(found, features=np.column_stack([found.features, *columns]).astype(np.float32))

    def _examples(self, pairs: Sequence[tuple[str, str]], block: range) -> Iterator[Examples]:
        """The candidates in the pairs of a block, judged by what the other blocks hold."""
        golds = {pairs[i][1] for i in block}
        knowledge = self._knowledge.instead_of([pair for pair in pairs if pair[1] not in golds])
        for chosen in looked_at(block, len(pairs)):
            stream, gold = (knowledge.alphabet.stream([pairs[i][side] for i in chosen]) for side in (0, 1))
            found = self._judged(stream, knowledge)
            right = found.replacement == gold.ids[found.position]
            pair = np.asarray(chosen)[stream.text_of[found.position]]
            yield Examples(found, right, np.ones(len(right), bool), pair, 1.0)
