"""The `dictionary` baseline: a character is replaced where a confusable one makes better words of the sentence.

Candidates are the characters of similar sound or shape, or confused in training, that complete a word of jieba's
dictionary or a pair of neighbours from the training golds. A logistic model judges each by how much the best
segmentation into words gains, by the kind of confusion, and by the training golds' n-grams around it.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np

from sinobench.csc.characters import ERROR_TYPES
from sinobench.csc.models.lexicon import (
    LONGEST,
    UNKNOWN,
    Alphabet,
    Lexicon,
    Segmentation,
    Stream,
    Table,
    confusables,
    jieba_words,
    join,
    windows,
)

# Chosen on the ECSpell training files, one of law, med and odw held out in turn. Beyond 4,000 characters no correction
# is gained; the cap on the false positive rate leaves room for its doubling on a domain that was not trained on.
CHARACTERS = 4000
MOST_FALSE_POSITIVES = 0.05
FOLDS = 3
FEWEST_FOR_THRESHOLD = 500
DEFAULT_THRESHOLD = 0.5
PRIOR_PRECISION = 1.0
NEGATIVES_KEPT = 0.25
TEXTS_AT_ONCE = 500
SHAPE = 8

FEATURES = (
    "bias", "gain", "gain over 3", "gain over 7", "gain over 11", "gain, same tone", "gain, near or shape",
    "same tone", "other tone", "near pinyin", "shape and sound", "seen in training only", "times seen in training",
    "stands in a word", "loss without its word", "in a word of 2", "in a longer word", "its word's frequency",
    "makes no word", "makes a word of 2", "makes a word of 3", "makes a word of 4", "new word's frequency",
    "frequency", "candidate's frequency", "gain of the best rival", "word of one before", "word of one after",
    "left bigram", "right bigram", "trigram before", "trigram around", "trigram after", "unigram",
    "left bigram known", "right bigram known",
)  # fmt: skip


class Dictionary:
    """`fit`, then `predict`; `save` and `load` keep a fitted model in one NumPy archive without objects."""

    def fit(self, pairs: Iterable[tuple[str, str]], seed: int) -> dict[str, float]:
        """Learn from (input, gold) pairs; those of unequal length are ignored. No pairs at all are enough to predict.

        The threshold is where correction F1 is best among those with at most MOST_FALSE_POSITIVES altered correct
        sentences, on FOLDS contiguous blocks held out in turn: where corpora follow one another, most of each held-out
        block is a domain of its own. `seed` draws the share of the negative examples that are used.
        Gives the weight of each feature and the threshold.
        """
        pairs = [(source, gold) for source, gold in pairs if len(source) == len(gold)]
        self._read_dictionary()
        self.threshold = DEFAULT_THRESHOLD
        if len(pairs) >= FEWEST_FOR_THRESHOLD:
            self.threshold = self._held_out_threshold(pairs, seed)
        self._learn(pairs, seed)
        return dict(zip(FEATURES, self.weights.tolist(), strict=True)) | {"threshold": self.threshold}

    def predict(self, texts: Sequence[str]) -> list[str]:
        """The corrected texts, each as long as its original; a text's correction does not depend on the others."""
        corrected = []
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            batch = texts[start : start + TEXTS_AT_ONCE]
            candidates = self._candidates(self.alphabet.stream(batch))
            corrected += _apply(batch, self._edits(candidates, self.threshold))
        return corrected

    def save(self, path: str | Path) -> None:
        arrays = {f"{name}_keys": table.keys for name, table in self.tables.items()}
        arrays |= {f"{name}_values": table.values for name, table in self.tables.items()}
        numbers = {"weights": self.weights, "threshold": self.threshold, "characters": self.alphabet.characters}
        with Path(path).open("wb") as file:
            np.savez_compressed(file, **arrays, **{name: np.array(value) for name, value in numbers.items()})

    @classmethod
    def load(cls, path: str | Path) -> "Dictionary":
        """A model that `save` wrote; nothing in the file is executed."""
        model = cls()
        with np.load(path, allow_pickle=False) as saved:
            model.alphabet = Alphabet(str(saved["characters"]))
            model.weights, model.threshold = saved["weights"], float(saved["threshold"])
            names = [name.removesuffix("_keys") for name in saved.files if name.endswith("_keys")]
            model._use({name: Table(saved[f"{name}_keys"], saved[f"{name}_values"]) for name in names})
        return model

    def _read_dictionary(self) -> None:
        words, counts = jieba_words()
        self.alphabet = Alphabet("".join(words))
        keys = self.alphabet.word_keys(words)
        ids = np.array([keys >> np.uint64(16 * k) & np.uint64(2**16 - 1) for k in range(LONGEST)], int)
        frequency = sum(np.bincount(row, counts, len(self.alphabet)) for row in ids)
        relations = confusables(CHARACTERS)
        self._general = {
            "words": Table(keys, np.log(counts / counts.sum())),
            "frequency": Table(np.arange(len(frequency), dtype=np.uint64), np.log(np.maximum(frequency, 1))),
        }
        self._related = {pair: kind + SHAPE * shape for pair, (kind, shape) in relations.items()}

    def _count(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Set the tables that come from the training pairs: confusions, and n-grams of the different golds."""
        confusions = Counter(
            (wrong, right) for source, gold in pairs for wrong, right in zip(source, gold, strict=True) if wrong != right
        )
        related = dict.fromkeys(confusions, ERROR_TYPES.index("other")) | self._related
        golds = self.alphabet.stream(sorted({gold for _, gold in pairs}))
        tables = {
            "relations": Table(self.alphabet.pair_keys(related), np.array(list(related.values()), np.int64)),
            "confusions": Table(self.alphabet.pair_keys(confusions), np.array(list(confusions.values()), np.int64)),
        }
        for length, name in enumerate(("unigrams", "bigrams", "trigrams"), start=1):
            keys = windows(golds.ids, length)
            inside = np.all([golds.ids[k : k + len(keys)] != UNKNOWN for k in range(length)], axis=0)
            tables[name] = Table(*np.unique(keys[inside], return_counts=True))
        self._use(self._general | tables)

    def _use(self, tables: dict[str, Table]) -> None:
        self.tables = tables
        words, bigrams = tables["words"], tables["bigrams"]
        # A character outside the dictionary counts as a word seen once, as in jieba.
        self.lexicon = Lexicon(words.keys, words.values, floor=float(words.values.min(initial=0.0)))
        self.neighbours = Lexicon(bigrams.keys, np.log(bigrams.values), floor=0.0)

    def _learn(self, pairs: Sequence[tuple[str, str]], seed: int) -> None:
        self._count(pairs)
        random = np.random.default_rng(seed)
        features, labels, importance = [np.zeros((0, len(FEATURES)))], [np.zeros(0)], [np.zeros(0)]
        for found, golds in self._batches(pairs):
            right = golds.ids[found.position] == found.replacement
            kept = right | (random.random(len(right)) < NEGATIVES_KEPT)
            features.append(found.features[kept])
            labels.append(right[kept].astype(float))
            importance.append(np.where(right[kept], 1, 1 / NEGATIVES_KEPT))
        self.weights = _logistic(np.concatenate(features), np.concatenate(labels), np.concatenate(importance))
