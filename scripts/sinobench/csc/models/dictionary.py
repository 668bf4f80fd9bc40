"""The `dictionary` baseline: a character is replaced where a confusable one makes better words of the sentence.

Candidates are the characters of similar sound or shape, or confused in training, that complete a word of jieba's
dictionary or a pair of neighbours from the training golds. A logistic model judges each by how much the best
segmentation into words gains, by the kind of confusion, and by the training golds' n-grams around it. The weights start
from fixed ones that ECSpell's training files gave: a model fitted on other pairs holds that knowledge too.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from sinobench import logistic
from sinobench.csc.characters import ERROR_TYPES
from sinobench.csc.models.candidates import FEATURES, SHAPE, Candidates, Tables, find_candidates
from sinobench.csc.models.lexicon import UNKNOWN, Alphabet, Lexicon, Table, confusables, jieba_words, windows

# Set on the ECSpell training files alone, learning from two of law, med and odw and trying the third: thresholds
# lay between 0.35 and 0.42, and 2 to 13 % of the third's correct sentences were altered, hence a cap well below what is
# tolerable. The rest was not tuned.
CHARACTERS = 4000
MOST_FALSE_POSITIVES = 0.05
FOLDS = 3
FEWEST_PAIRS_FOR_THRESHOLD = 500
DEFAULT_THRESHOLD = 0.4
LOWEST_THRESHOLD = 0.1
PRIOR_PRECISION = 1.0
NEGATIVES_KEPT = 0.25
TEXTS_AT_ONCE = 500


class Dictionary:
    """`fit`, then `predict`; `save` and `load` keep a fitted model in one NumPy archive without objects."""

    def fit(self, pairs: Iterable[tuple[str, str]], seed: int) -> dict[str, float]:
        """Learn from (input, gold) pairs; those of unequal length are ignored. No pairs at all are enough to predict.

        The pairs are cut into FOLDS contiguous blocks, and what a block is judged by is counted in the others: where
        corpora follow one another, the weights are learnt for a domain that was not counted. The threshold is where
        correction F1 is best, with weights learnt without the block, among those that alter at most
        MOST_FALSE_POSITIVES of the correct sentences. `seed` draws the share of the negative examples that are used.
        Gives the weight of each feature and the threshold.
        """
        pairs = [(source, gold) for source, gold in pairs if len(source) == len(gold)]
        self._read_dictionary()
        random = np.random.default_rng(seed)
        blocks = [list(self._examples(pairs, block, random)) for block in _blocks(pairs)]
        self.threshold = DEFAULT_THRESHOLD
        if len(pairs) >= FEWEST_PAIRS_FOR_THRESHOLD:
            edits = []
            for held_out in blocks:
                weights = _learnt([example for block in blocks if block is not held_out for example in block])
                edits += [edit for example in held_out for edit in _judged(example, weights)]
            self.threshold = _best_threshold(edits, pairs)
        self.weights = _learnt([example for block in blocks for example in block])
        self._count(pairs)
        return dict(zip(FEATURES, self.weights.tolist(), strict=True)) | {"threshold": self.threshold}

    def predict(self, texts: Sequence[str]) -> list[str]:
        """The corrected texts, each as long as its original; a text's correction does not depend on the others."""
        corrected = []
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            batch = [list(text) for text in texts[start : start + TEXTS_AT_ONCE]]
            stream = self.alphabet.stream(texts[start : start + TEXTS_AT_ONCE])
            candidates = find_candidates(stream, self.tables)
            text_of = stream.text_of
            for i, _ in _edits(candidates, self.weights, self.threshold):
                position = candidates.position[i]
                text = text_of[position]
                batch[text][position - stream.starts[text]] = self.alphabet.decode(candidates.replacement[i])
            corrected += map("".join, batch)
        return corrected

    def save(self, path: str | Path) -> None:
        arrays = {f"{name}_keys": table.keys for name, table in self._counts.items()}
        arrays |= {f"{name}_values": table.values for name, table in self._counts.items()}
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
        letters, each = self.alphabet.encode("".join(words)), np.repeat(counts, [len(word) for word in words])
        ids, index = np.unique(letters, return_inverse=True)
        self._general = {
            "words": Table(self.alphabet.word_keys(words), np.log(counts / counts.sum())),
            "frequency": Table(ids.astype(np.uint64), np.log(np.bincount(index, each))),
        }

    def _count(self, pairs: Sequence[tuple[str, str]]) -> None:
        """Set the tables that come from the training pairs."""
        confusions = Counter(
            (wrong, right)
            for source, gold in pairs
            for wrong, right in zip(source, gold, strict=True)
            if wrong != right
        )
        known = frozenset(self.alphabet.characters)
        confusions = {pair: count for pair, count in confusions.items() if known.issuperset(pair)}
        related = dict.fromkeys(confusions, ERROR_TYPES.index("other"))
        related |= {pair: kind + SHAPE * shape for pair, (kind, shape) in confusables(CHARACTERS).items()}
        counts = {
            "relations": Table(self.alphabet.pair_keys(related), np.array(list(related.values()), np.int64)),
            "confusions": Table(self.alphabet.pair_keys(confusions), np.array(list(confusions.values()), np.int64)),
        }
        golds = self.alphabet.stream(sorted({gold for _, gold in pairs})).ids
        for length in (1, 2, 3):
            keys = windows(golds, length)
            inside = np.all([golds[k : k + len(keys)] != UNKNOWN for k in range(length)], axis=0)
            counts[f"grams{length}"] = Table(*np.unique(keys[inside], return_counts=True))
        self._use(self._general | counts)

    def _use(self, counts: dict[str, Table]) -> None:
        self._counts = counts
        words, bigrams = counts["words"], counts["grams2"]
        self.tables = Tables(
            **{name: counts[name] for name in ("relations", "confusions", "frequency")},
            grams={length: counts[f"grams{length}"] for length in (1, 2, 3)},
            # A character outside the dictionary counts as its rarest word, as in jieba.
            lexicon=Lexicon(words.keys, words.values, floor=float(words.values.min())),
            neighbours=Lexicon(bigrams.keys, np.log(bigrams.values), floor=0.0),
        )

    def _examples(
        self, pairs: Sequence[tuple[str, str]], block: range, random: np.random.Generator
    ) -> Iterator["_Examples"]:
        """The candidates in the pairs of a block, judged by what the other blocks hold."""
        golds = {pairs[i][1] for i in block}
        self._count([pair for pair in pairs if pair[1] not in golds])
        for start in range(block.start, block.stop, TEXTS_AT_ONCE):
            chosen = range(start, min(start + TEXTS_AT_ONCE, block.stop))
            stream, gold = (self.alphabet.stream([pairs[i][side] for i in chosen]) for side in (0, 1))
            candidates = find_candidates(stream, self.tables)
            right = candidates.replacement == gold.ids[candidates.position]
            used = right | (random.random(len(right)) < NEGATIVES_KEPT)
            yield _Examples(candidates, right, used, start + stream.text_of[candidates.position])


@dataclass(frozen=True)
class _Examples:
    """n candidates; whether each is right, and used to learn weights; the index of its pair."""

    found: Candidates
    right: np.ndarray
    used: np.ndarray
    pair: np.ndarray


def _blocks(pairs: Sequence[tuple[str, str]]) -> list[range]:
    bounds = np.linspace(0, len(pairs), FOLDS + 1).astype(int).tolist()
    return [range(start, end) for start, end in pairwise(bounds)]


def _edits(candidates: Candidates, weights: np.ndarray, threshold: float) -> list[tuple[int, float]]:
    """Candidates to carry out, the most probable first, with their probability; never two next to each other."""
    # Rounded, so that the order of equals does not depend on how a library adds up.
    probability = np.round(1 / (1 + np.exp(-candidates.features @ weights)), 9)
    chosen, taken = [], set()
    for i in np.argsort(-probability, kind="stable")[: int(np.sum(probability >= threshold))].tolist():
        position = int(candidates.position[i])
        if taken.isdisjoint((position - 1, position, position + 1)):
            taken.add(position)
            chosen.append((i, float(probability[i])))
    return chosen


def _judged(examples: _Examples, weights: np.ndarray) -> list[tuple[float, bool, int]]:
    """(probability, right, index of the pair) of each edit that some threshold may allow."""
    edits = _edits(examples.found, weights, LOWEST_THRESHOLD)
    return [(probability, bool(examples.right[i]), int(examples.pair[i])) for i, probability in edits]


def _best_threshold(edits: Iterable[tuple[float, bool, int]], pairs: Sequence[tuple[str, str]]) -> float:
    """The probability from which edits give the best correction F1 under the cap on altered correct sentences."""
    errors = sum(a != b for source, gold in pairs for a, b in zip(source, gold, strict=True))
    correct = [source == gold for source, gold in pairs]
    hits, altered, best, threshold = 0, set(), 0.0, DEFAULT_THRESHOLD
    for number, (probability, right, pair) in enumerate(sorted(edits, reverse=True), start=1):
        hits += right
        if correct[pair]:
            altered.add(pair)
        if len(altered) > MOST_FALSE_POSITIVES * sum(correct):
            break
        if (f1 := 2 * hits / (number + errors)) > best:
            best, threshold = f1, probability
    return threshold


# In the order of FEATURES: learnt from the ECSpell training files without the lines whose gold is scored anywhere, and
# rounded. What is known before the first pair.
_PRIOR = np.array(
    [
        -3.6, 1.1, 1.7, -1.0, -1.6, 0.0, 1.0, 3.3, 2.9, 0.2, 1.0, 2.9, 1.5, -0.9, -0.1, 0.8, -1.6, -0.8,
        0.2, 1.2, 2.9, 0.5, 1.5, -3.2, -0.9, 0.0, 0.2, 0.7, 0.7, 1.2, 0.9, 1.7, 0.5, -0.6, -0.8,
    ]
)  # fmt: skip


def _learnt(examples: Sequence[_Examples]) -> np.ndarray:
    """Weights of largest posterior probability under a normal prior around _PRIOR, rounded."""
    if not examples:
        return _PRIOR.copy()
    features = np.concatenate([e.found.features[e.used] for e in examples]).astype(float)
    right = np.concatenate([e.right[e.used] for e in examples])
    counts = np.where(right, 1, 1 / NEGATIVES_KEPT)
    return logistic.fit(np.ascontiguousarray(features.T), right, counts, PRIOR_PRECISION, _PRIOR).round(6)
