"""What spelling candidates are looked up in: jieba's words, and what training pairs add to them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

import numpy as np

from sinobench.csc.characters import ERROR_TYPES
from sinobench.csc.models.candidates import SHAPE, Tables
from sinobench.csc.models.lexicon import UNKNOWN, Alphabet, Lexicon, Table, confusables, jieba_words, windows

# As many characters, the most frequent ones, have confusable ones of similar sound or shape.
CHARACTERS = 4000
_TEXTS_AT_ONCE = 2**14


class Knowledge:
    """The alphabet, `counts` by the name of their table, and the `tables` that candidates are found with."""

    def __init__(self, alphabet: Alphabet, counts: Mapping[str, Table], lexicon: Lexicon | None = None):
        """lexicon: of the words in ``counts``, where it is made."""
        self.alphabet, self.counts = alphabet, counts
        bigrams = counts["grams2"]
        self.tables = Tables(
            **{name: counts[name] for name in ("relations", "confusions", "frequency")},
            grams={length: counts[f"grams{length}"] for length in (1, 2, 3)},
            lexicon=lexicon or _lexicon(counts["words"]),
            neighbours=Lexicon(bigrams.keys, np.log(bigrams.values), floor=0.0),
        )

    @classmethod
    def of(cls, pairs: Sequence[tuple[str, str]]) -> "Knowledge":
        """jieba's words, with what stands in pairs of equal length."""
        alphabet, counts, lexicon = _of_jieba()
        return cls(alphabet, counts | _counted(pairs, alphabet), lexicon)

    def instead_of(self, pairs: Sequence[tuple[str, str]]) -> "Knowledge":
        """The same words, with other pairs."""
        return Knowledge(self.alphabet, self.counts | _counted(pairs, self.alphabet), self.tables.lexicon)

    def arrays(self) -> dict[str, np.ndarray]:
        """Arrays without objects that `of_arrays` reads."""
        arrays = {f"{name}_keys": table.keys for name, table in self.counts.items()}
        arrays |= {f"{name}_values": table.values for name, table in self.counts.items()}
        return arrays | {"characters": np.array(self.alphabet.characters)}

    @classmethod
    def of_arrays(cls, saved: Mapping[str, np.ndarray]) -> "Knowledge":
        names = [name.removesuffix("_keys") for name in saved if name.endswith("_keys")]
        tables = {name: Table(saved[f"{name}_keys"], saved[f"{name}_values"]) for name in names}
        return cls(Alphabet(str(saved["characters"])), tables)


@cache
def _of_jieba() -> tuple[Alphabet, dict[str, Table], Lexicon]:
    """What is the same whatever the pairs."""
    words, counts = jieba_words()
    alphabet = Alphabet("".join(words))
    letters, each = alphabet.encode("".join(words)), np.repeat(counts, [len(word) for word in words])
    ids, index = np.unique(letters, return_inverse=True)
    general = {
        "words": Table(alphabet.word_keys(words), np.log(counts / counts.sum())),
        "frequency": Table(ids.astype(np.uint64), np.log(np.bincount(index, each))),
    }
    return alphabet, general, _lexicon(general["words"])


def _lexicon(words: Table) -> Lexicon:
    """A character outside the dictionary counts as its rarest word, as in jieba."""
    return Lexicon(words.keys, words.values, floor=float(words.values.min()))


def _counted(pairs: Sequence[tuple[str, str]], alphabet: Alphabet) -> dict[str, Table]:
    """The tables that come from training pairs."""
    confusions = Counter(
        (wrong, right) for source, gold in pairs for wrong, right in zip(source, gold, strict=True) if wrong != right
    )
    known = frozenset(alphabet.characters)
    confusions = {pair: count for pair, count in confusions.items() if known.issuperset(pair)}
    alike = confusables(CHARACTERS)
    others = [pair for pair in confusions if pair not in alike]
    keys, relations = _relations(alphabet)
    counts = {
        "relations": Table(
            np.concatenate([alphabet.pair_keys(others), keys]),
            np.concatenate([np.full(len(others), ERROR_TYPES.index("other")), relations]),
        ),
        "confusions": Table(alphabet.pair_keys(confusions), np.array(list(confusions.values()), np.int64)),
    }
    grams = _grams(sorted({gold for _, gold in pairs}), alphabet)
    return counts | {f"grams{length}": Table(*counted) for length, counted in grams.items()}


def _grams(texts: Sequence[str], alphabet: Alphabet) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """By length the keys of runs of one to three characters of the alphabet, and how often each stands in the texts."""
    counted = {length: (np.empty(0, np.uint64), np.empty(0, np.int64)) for length in (1, 2, 3)}
    fresh: dict[int, list[tuple[np.ndarray, np.ndarray]]] = {length: [] for length in counted}
    for start in range(0, len(texts), _TEXTS_AT_ONCE):
        ids = alphabet.stream(texts[start : start + _TEXTS_AT_ONCE]).ids
        for length, new in fresh.items():
            keys = windows(ids, length)
            inside = np.all([ids[k : k + len(keys)] != UNKNOWN for k in range(length)], axis=0)
            new.append(np.unique(keys[inside], return_counts=True))
            # Merged when they have come to as many as there were: each key is merged a few times, however many parts.
            if sum(len(keys) for keys, _ in new) > len(counted[length][0]):
                counted[length] = _added([counted[length], *new])
                new.clear()
    return {length: _added([counted[length], *new]) for length, new in fresh.items()}


def _added(counted: Sequence[tuple[np.ndarray, np.ndarray]]) -> tuple[np.ndarray, np.ndarray]:
    """Keys with the sums of their counts."""
    keys, counts = map(np.concatenate, zip(*counted, strict=True))
    keys, place = np.unique(keys, return_inverse=True)
    sums = np.zeros(len(keys), np.int64)
    np.add.at(sums, place, counts)
    return keys, sums


@lru_cache(maxsize=1)
def _relations(alphabet: Alphabet) -> tuple[np.ndarray, np.ndarray]:
    """The keys of pairs of similar sound or shape, and how they are similar."""
    alike = confusables(CHARACTERS)
    relations = [kind + SHAPE * shape for kind, shape in alike.values()]
    return alphabet.pair_keys(alike), np.array(relations, np.int64)
