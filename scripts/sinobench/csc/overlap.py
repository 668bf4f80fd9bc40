"""What the sentences of a corpus share with training files: whole sentences, and runs of characters.

Texts are compared as NFKC, without case and with their letters and digits alone, so that punctuation, blanks and width
tell none apart. Training pairs are streamed; what is kept of the corpus grows with it alone.
"""

import unicodedata
from collections.abc import Collection, Iterable, Sequence

import numpy as np

# As overlaps are measured for language models (Brown et al. 2020, appendix C), of characters in place of words.
N_GRAM = 13
SAME, SHARED = "same item", "n-gram"

# Of a polynomial over the code points, modulo 2^64.
_BASE = np.uint64(0x9E3779B97F4A7C15)
_BATCH = 10_000


def normalized(text: str) -> str:
    """The letters and digits of a text, NFKC and without case."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def overlaps(
    inputs: Sequence[str],
    golds: Sequence[Sequence[str]],
    pairs: Iterable[tuple[str, str]],
    scored_golds: Collection[str],
) -> tuple[list[str | None], list[str | None]]:
    """What each of n sentences shares with training pairs, and with those of them that a model is fitted on.

    SAME where its text or a reference is a text of a pair, SHARED where they have a run of N_GRAM characters in common,
    None for neither. Models are fitted on no pair whose gold is in scored_golds.
    """
    sought = _Sought(inputs, golds)
    fitted, left_out = sought.nothing(), sought.nothing()
    for batch in _batches(pairs):
        kept = [pair for pair in batch if pair[1] not in scored_golds]
        fitted |= sought.found_in(kept)
        left_out |= sought.found_in(pair for pair in batch if pair[1] in scored_golds)
    return _kinds(fitted | left_out), _kinds(fitted)


class _Sought:
    """The texts and runs of characters of n sentences."""

    def __init__(self, inputs: Sequence[str], golds: Sequence[Sequence[str]]) -> None:
        self._n = len(inputs)
        texts, rows = [], []
        for row, (source, options) in enumerate(zip(inputs, golds, strict=True)):
            for text in dict.fromkeys(map(normalized, (source, *options))):
                texts.append(text)
                rows.append(row)
        self._rows: dict[str, set[int]] = {}
        for text, row in zip(texts, rows, strict=True):
            self._rows.setdefault(text, set()).add(row)
        hashes, text = _runs(texts)
        order = np.argsort(hashes, kind="stable")
        self._hashes, self._row = hashes[order], np.array(rows, np.int64)[text[order]]

    def nothing(self) -> np.ndarray:
        """(n, 2) False: whether a sentence is found as a whole, and whether a run of it is."""
        return np.zeros((self._n, 2), bool)

    def found_in(self, pairs: Iterable[tuple[str, str]]) -> np.ndarray:
        """(n, 2) of the texts of some pairs."""
        found = self.nothing()
        texts = list(dict.fromkeys(normalized(text) for pair in pairs for text in pair))
        for text in texts:
            found[list(self._rows.get(text, ())), 0] = bool(text)
        hashes = np.unique(_runs(texts)[0])
        first, last = (np.searchsorted(self._hashes, hashes, side) for side in ("left", "right"))
        for start, end in zip(first[first < last], last[first < last], strict=True):
            found[self._row[start:end], 1] = True
        return found


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
