"""What spelling candidates are looked up in: jieba's words, and what training pairs add to them."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from sinobench.csc.characters import ERROR_TYPES
from sinobench.csc.models.candidates import SHAPE, Tables
from sinobench.csc.models.lexicon import UNKNOWN, Alphabet, Lexicon, Table, confusables, jieba_words, windows

# As many characters, the most frequent ones, have confusable ones of similar sound or shape.
CHARACTERS = 4000


class Knowledge:
    """The alphabet, `counts` by the name of their table, and the `tables` that candidates are found with."""

    def __init__(self, alphabet: Alphabet, counts: Mapping[str, Table]):
        self.alphabet, self.counts = alphabet, counts
        words, bigrams = counts["words"], counts["grams2"]
        self.tables = Tables(
            **{name: counts[name] for name in ("relations", "confusions", "frequency")},
            grams={length: counts[f"grams{length}"] for length in (1, 2, 3)},
            # A character outside the dictionary counts as its rarest word, as in jieba.
            lexicon=Lexicon(words.keys, words.values, floor=float(words.values.min())),
            neighbours=Lexicon(bigrams.keys, np.log(bigrams.values), floor=0.0),
        )

    @classmethod
    def of(cls, pairs: Sequence[tuple[str, str]]) -> "Knowledge":
        """jieba's words, with what stands in pairs of equal length."""
        words, counts = jieba_words()
        alphabet = Alphabet("".join(words))
        letters, each = alphabet.encode("".join(words)), np.repeat(counts, [len(word) for word in words])
        ids, index = np.unique(letters, return_inverse=True)
        general = {
            "words": Table(alphabet.word_keys(words), np.log(counts / counts.sum())),
            "frequency": Table(ids.astype(np.uint64), np.log(np.bincount(index, each))),
        }
        return cls(alphabet, general | _counted(pairs, alphabet))

    def instead_of(self, pairs: Sequence[tuple[str, str]]) -> "Knowledge":
        """The same words, with other pairs."""
        return Knowledge(self.alphabet, self.counts | _counted(pairs, self.alphabet))

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


def _counted(pairs: Sequence[tuple[str, str]], alphabet: Alphabet) -> dict[str, Table]:
    """The tables that come from training pairs."""
    confusions = Counter(
        (wrong, right) for source, gold in pairs for wrong, right in zip(source, gold, strict=True) if wrong != right
    )
    known = frozenset(alphabet.characters)
    confusions = {pair: count for pair, count in confusions.items() if known.issuperset(pair)}
    related = dict.fromkeys(confusions, ERROR_TYPES.index("other"))
    related |= {pair: kind + SHAPE * shape for pair, (kind, shape) in confusables(CHARACTERS).items()}
    counts = {
        "relations": Table(alphabet.pair_keys(related), np.array(list(related.values()), np.int64)),
        "confusions": Table(alphabet.pair_keys(confusions), np.array(list(confusions.values()), np.int64)),
    }
    golds = alphabet.stream(sorted({gold for _, gold in pairs})).ids
    for length in (1, 2, 3):
        keys = windows(golds, length)
        inside = np.all([golds[k : k + len(keys)] != UNKNOWN for k in range(length)], axis=0)
        counts[f"grams{length}"] = Table(*np.unique(keys[inside], return_counts=True))
    return counts
