"""The `ngram` model: the candidates of `dictionary`, judged by a word trigram model of general text as well.

The general text is that of a KenLM file. A candidate's further features say how much the best segmentation of the
sentence into the file's words gains under the trigrams.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from sinobench.csc.models import candidates
from sinobench.csc.models.candidates import Candidates, find_candidates
from sinobench.csc.models.dictionary import PRIOR as PRIOR_OF_DICTIONARY
from sinobench.csc.models.judging import TEXTS_AT_ONCE, Examples, blocks_of, chosen_edits, corrected, learnt
from sinobench.csc.models.knowledge import Knowledge
from sinobench.csc.models.language_model import LanguageModel
from sinobench.csc.models.lattice import Lattice
from sinobench.csc.models.lexicon import Stream, jieba_words

FEATURES = (*candidates.FEATURES, "trigram gain", "trigram gain over 3", "trigram gain over 7")
# Set on the ECSpell training files alone, learning from two of law, med and odw and trying the third: at this cap 4, 6
# and 1 % of the third's correct sentences were altered, at .05 4, 7 and 2 %. The rest was not tuned.
MOST_FALSE_POSITIVES = 0.04
# What `dictionary` takes for less probable is not looked at again, nine candidates of ten.
LEAST_PROBABLE = 0.001
# In the order of FEATURES: learnt as that of `dictionary`.
PRIOR = np.array(
    [
        -3.2, -0.3, 0.5, -0.5, -0.8, -0.1, 0.8, 3.1, 2.7, 0.2, 1.0, 2.4, 1.1, -1.2, 0.2, 1.0, -2.1, -1.1,
        -0.4, 1.1, 2.6, 0.6, 1.5, -2.7, -1.0, -0.1, 0.2, 0.6, 0.7, 0.8, 0.2, 1.3, 0.4, -0.2, -0.6,
        1.0, 1.2, -0.1,
    ]
)  # fmt: skip


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
        self.weights, self.threshold = learnt(blocks, pairs, PRIOR, MOST_FALSE_POSITIVES)
        return dict(zip(FEATURES, self.weights.tolist(), strict=True)) | {"threshold": self.threshold}

    def predict(self, texts: Sequence[str]) -> list[str]:
        """The corrected texts, each as long as its original; a text's correction does not depend on the others."""
        done = []
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            batch = texts[start : start + TEXTS_AT_ONCE]
            stream = self._knowledge.alphabet.stream(batch)
            found = self._judged(stream, self._knowledge)
            edits = chosen_edits(found, self.weights, self.threshold)
            done += corrected(batch, stream, self._knowledge.alphabet, edits, found)
        return done

    def save(self, path: str | Path) -> None:
        numbers = {"weights": self.weights, "threshold": np.array(self.threshold)}
        with Path(path).open("wb") as file:
            arrays = self._knowledge.arrays()
            np.savez_compressed(file, **arrays, **numbers, language_model=np.array(str(self._path)))

    @classmethod
    def load(cls, path: str | Path) -> "Ngram":
        """A model that `save` wrote; nothing in the file is executed."""
        with np.load(path, allow_pickle=False) as saved:
            model = cls(str(saved["language_model"]))
            model.weights, model.threshold = saved["weights"], float(saved["threshold"])
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
        gain = np.minimum(lattice.gains(found.position, found.replacement, least=-12.0), 25)
        columns = [gain / 5, *(np.maximum(gain - k, 0) / 5 for k in (3, 7))]
        return replace(found, features=np.column_stack([found.features, *columns]).astype(np.float32))

    def _examples(self, pairs: Sequence[tuple[str, str]], block: range) -> Iterator[Examples]:
        """The candidates in the pairs of a block, judged by what the other blocks hold."""
        golds = {pairs[i][1] for i in block}
        knowledge = self._knowledge.instead_of([pair for pair in pairs if pair[1] not in golds])
        for start in range(block.start, block.stop, TEXTS_AT_ONCE):
            chosen = range(start, min(start + TEXTS_AT_ONCE, block.stop))
            stream, gold = (knowledge.alphabet.stream([pairs[i][side] for i in chosen]) for side in (0, 1))
            found = self._judged(stream, knowledge)
            right = found.replacement == gold.ids[found.position]
            yield Examples(found, right, np.ones(len(right), bool), start + stream.text_of[found.position], 1.0)
