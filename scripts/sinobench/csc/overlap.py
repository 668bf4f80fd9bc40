"""What the sentences of a corpus share with training files: whole sentences, and runs of characters.

Texts are compared as NFKC, without case and with their letters and digits alone, so that punctuation, blanks and width
tell none apart. Training pairs are streamed; what is kept of the sentences grows with them alone.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from itertools import compress

import numpy as np

from sinobench.csc.digests import digests, places

# As overlaps are measured for language models (Brown et al. 2020, appendix C), of characters in place of words.
N_GRAM = 13
SAME, SHARED = "same item", "n-gram"
SENTENCES_AT_ONCE = (
    2**16
)  # of a corpus, each of which takes one or two kilobytes; training pairs are read for each time

# Of a polynomial over the code points, modulo 2^64.
_BASE = np.uint64(0x9E3779B97F4A7C15)
_BATCH = 10_000


def normalized(text: str) -> str:
    """The letters and digits of a text, NFKC and without case."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


class Sought:
    """The texts of some sentences, and their runs of characters.

    inputs, golds: (n,) of the sentences; of each gold one or more references.
    """

    def __init__(self, inputs: Sequence[str], golds: Sequence[Sequence[str]]) -> None:
        self._n = len(inputs)
        texts, rows = [], []
        for row, (source, options) in enumerate(zip(inputs, golds, strict=True)):
            known = dict.fromkeys(map(normalized, (source, *options)))
            texts += filter(None, known)
            rows += [row] * (len(known) - ("" in known))
        hashes, text = _runs(texts)
        of = np.array(rows, np.int32)
        self._wholes, self._runs = _Places(digests(texts), of), _Places(hashes, of[text])

    def overlaps(
        self, pairs: Iterable[tuple[str, str]], scored_golds: np.ndarray
    ) -> tuple[list[str | None], list[str | None]]:
        """What each sentence shares with training pairs, and with those of them that a model is fitted on.

        SAME where its text or a reference is a text of a pair, SHARED where they have a run of N_GRAM characters in
        common, None for neither. Models are fitted on no pair whose gold is among scored_golds, which are digests in
        their order.
        """
        fitted, left_out = np.zeros((2, self._n, 2), bool)
        for batch in _batches(pairs):
            is_left_out = places(digests(gold for _, gold in batch), scored_golds) >= 0
            for found, wanted in ((fitted, ~is_left_out), (left_out, is_left_out)):
                self._find(list(compress(batch, wanted)), found)
        return _kinds(fitted | left_out), _kinds(fitted)

    def _find(self, pairs: Sequence[tuple[str, str]], found: np.ndarray) -> None:
        """Set in found (n, 2) whether a text of the pairs is a sentence as a whole, and whether it has a run of it."""
        texts = list(filter(None, dict.fromkeys(normalized(text) for pair in pairs for text in pair)))
        found[self._wholes.of(digests(texts)), 0] = True
        found[self._runs.of(_runs(texts)[0]), 1] = True


class _Places:
    """In which sentences keys stand."""

    def __init__(self, keys: np.ndarray, rows: np.ndarray) -> None:
        order = np.argsort(keys, kind="stable")
        self._keys, self._rows = keys[order], rows[order]

    def of(self, keys: np.ndarray) -> np.ndarray:
        """(m,) the sentences of any of the keys."""
        keys = np.unique(keys)
        first, last = (np.searchsorted(self._keys, keys, side) for side in ("left", "right"))
        stretches = zip(first[first < last].tolist(), last[first < last].tolist(), strict=True)
        return np.concatenate([self._rows[:0], *(self._rows[start:end] for start, end in stretches)])


def _runs(texts: Sequence[str]) -> tuple[np.ndarray, np.ndarray]:
    """Hashes (m,) of all runs of N_GRAM characters, and the place of the text that each is of."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    text = np.repeat(np.arange(len(texts)), [len(each) for each in texts])
    n = max(0, len(codes) - N_GRAM + 1)
    hashes = np.zeros(n, np.uint64)
    for place in range(N_GRAM):
        hashes = hashes * _BASE + codes[place : place + n]
    whole = text[:n] == text[N_GRAM - 1 :]
    return hashes[whole], text[:n][whole]


def _batches(pairs: Iterable[tuple[str, str]]) -> Iterable[list[tuple[str, str]]]:
    batch: list[tuple[str, str]] = []
    for pair in pairs:
        batch.append(pair)
        if len(batch) == _BATCH:
            yield batch
            batch = []
    yield batch


def _kinds(found: np.ndarray) -> list[str | None]:
    return [SAME if same else SHARED if shared else None for same, shared in found.tolist()]
