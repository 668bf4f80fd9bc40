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
from sinobench.csc.models.candidates import FEATURES, SHAPE, Candidates, Tables, find_candidates
from sinobench.csc.models.lexicon import UNKNOWN, Alphabet, Lexicon, Stream, Table, confusables, jieba_words, windows

# Chosen on the ECSpell training files, one of law, med and odw held out in turn. The cap on the false positive rate
# leaves room for its doubling on a domain that was not trained on.
CHARACTERS = 4000
MOST_FALSE_POSITIVES = 0.05
FOLDS = 3
FEWEST_PAIRS_FOR_THRESHOLD = 500
DEFAULT_THRESHOLD = 0.5
PRIOR_PRECISION = 1.0
NEGATIVES_KEPT = 0.25
TEXTS_AT_ONCE = 500


class Dictionary:
    """`fit`, then `predict`; `save` and `load` keep a fitted model in one NumPy archive without objects."""

    def fit(self, pairs: Iterable[tuple[str, str]], seed: int) -> dict[str, float]:
        """Learn from (input, gold) pairs; those of unequal length are ignored. No pairs at all are enough to predict.

        The threshold is where correction F1 is best among those with at most MOST_FALSE_POSITIVES altered correct
        sentences, on FOLDS contiguous blocks held out in turn: where corpora follow one another, most of a held-out
        block is a domain of its own. `seed` draws the share of the negative examples that are used.
        Gives the weight of each feature and the threshold.
        """
        pairs = [(source, gold) for source, gold in pairs if len(source) == len(gold)]
        self._read_dictionary()
        self.threshold = DEFAULT_THRESHOLD
        if len(pairs) >= FEWEST_PAIRS_FOR_THRESHOLD:
            self.threshold = self._held_out_threshold(pairs, seed)
        self._learn(pairs, seed)
        return dict(zip(FEATURES, self.weights.tolist(), strict=True)) | {"threshold": self.threshold}

    def predict(self, texts: Sequence[str]) -> list[str]:
        """The corrected texts, each as long as its original; a text's correction does not depend on the others."""
        corrected = []
        for start in range(0, len(texts), TEXTS_AT_ONCE):
            batch = [list(text) for text in texts[start : start + TEXTS_AT_ONCE]]
            stream = self.alphabet.stream(texts[start : start + TEXTS_AT_ONCE])
            found = find_candidates(stream, self.tables)
            for i in self._edits(found, self.threshold)[0]:
                text = stream.text_of[found.position[i]]
                batch[text][found.position[i] - stream.starts[text]] = self.alphabet.decode(found.replacement[i])
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
        ids, place = np.unique(letters, return_inverse=True)
        self._general = {
            "words": Table(self.alphabet.word_keys(words), np.log(counts / counts.sum())),
            "frequency": Table(ids.astype(np.uint64), np.log(np.bincount(place, each))),
        }

    def _learn(self, pairs: Sequence[tuple[str, str]], seed: int) -> None:
        """Set the tables and the weights that come from the training pairs."""
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

        random = np.random.default_rng(seed)
        features, labels, importance = [np.zeros((0, len(FEATURES)))], [np.zeros(0)], [np.zeros(0)]
        for found, gold in self._candidates(pairs, counted=True):
            right = found.replacement == gold.ids[found.position]
            kept = right | (random.random(len(right)) < NEGATIVES_KEPT)
            features.append(found.features[kept])
            labels.append(right[kept].astype(float))
            importance.append(np.where(right[kept], 1, 1 / NEGATIVES_KEPT))
        self.weights = _logistic(np.concatenate(features), np.concatenate(labels), np.concatenate(importance))

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

    def _candidates(self, pairs: Sequence[tuple[str, str]], counted: bool) -> Iterator[tuple[Candidates, Stream]]:
        """Candidates of some texts and the stream of their golds, a batch at a time; `counted` if trained on these."""
        for start in range(0, len(pairs), TEXTS_AT_ONCE):
            sources, golds = (
                self.alphabet.stream(texts) for texts in zip(*pairs[start : start + TEXTS_AT_ONCE], strict=True)
            )
            yield find_candidates(sources, self.tables, golds if counted else None), golds

    def _edits(self, found: Candidates, threshold: float) -> tuple[list[int], list[float]]:
        """Candidates to carry out, the most probable first, and their probabilities; never two next to each other."""
        # Rounded, so that the order of equals does not depend on how a library adds up.
        probability = np.round(1 / (1 + np.exp(-found.features @ self.weights)), 9)
        chosen, taken = [], set()
        for i in np.argsort(-probability, kind="stable")[: int(np.sum(probability >= threshold))].tolist():
            position = int(found.position[i])
            if taken.isdisjoint((position - 1, position, position + 1)):
                taken.add(position)
                chosen.append(i)
        return chosen, probability[chosen].tolist()

    def _held_out_threshold(self, pairs: Sequence[tuple[str, str]], seed: int) -> float:
        """The lowest of the probabilities that give the best correction F1 under the cap on false positives."""
        edits, text = [], 0
        bounds = np.linspace(0, len(pairs), FOLDS + 1).astype(int).tolist()
        for start, end in zip(bounds, bounds[1:], strict=False):
            self._learn(pairs[:start] + pairs[end:], seed)
            for found, gold in self._candidates(pairs[start:end], counted=False):
                for i, probability in zip(*self._edits(found, DEFAULT_THRESHOLD / 5), strict=True):
                    position = found.position[i]
                    edits.append(
                        (probability, found.replacement[i] == gold.ids[position], text + gold.text_of[position])
                    )
                text += len(gold.lengths)
        errors = sum(a != b for source, gold in pairs for a, b in zip(source, gold, strict=True))
        correct = [source == gold for source, gold in pairs]
        hits, spoilt, best, threshold = 0, set(), 0.0, DEFAULT_THRESHOLD
        for number, (probability, hit, sentence) in enumerate(sorted(edits, reverse=True), start=1):
            hits += hit
            if correct[sentence]:
                spoilt.add(sentence)
            if len(spoilt) > MOST_FALSE_POSITIVES * sum(correct):
                break
            if (f1 := 2 * hits / (number + errors)) > best:
                best, threshold = f1, probability
        return float(threshold)


# The weights learnt from the ECSpell training files, rounded: what is known before the first pair.
_PRIOR = np.zeros(len(FEATURES))


def _logistic(features: np.ndarray, labels: np.ndarray, importance: np.ndarray) -> np.ndarray:
    """Weights of largest posterior probability under a normal prior around _PRIOR, by Newton's method."""
    weights = _PRIOR.copy()
    for _ in range(30):
        probability = 1 / (1 + np.exp(-features @ weights))
        gradient = features.T @ (importance * (probability - labels)) + PRIOR_PRECISION * (weights - _PRIOR)
        curvature = (features * (importance * probability * (1 - probability))[:, None]).T @ features
        step = np.linalg.solve(curvature + PRIOR_PRECISION * np.eye(len(weights)), gradient)
        weights = weights - step
        if np.abs(step).max() < 1e-6:
            break
    return weights.round(6)
