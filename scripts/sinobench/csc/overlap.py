"""What the sentences of a corpus share with training files: whole sentences, and runs of characters.

Texts are compared as NFKC, without case and with their letters and digits alone, so that punctuation, blanks and width
tell none apart. Hashes of what a corpus and a training file have stand on the disk, in parts: the time grows with the
sum of both, and no text is held.
"""

import os
import tempfile
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, pairwise

import numpy as np

from sinobench.csc.digests import digests, places

# As overlaps are measured for language models (Brown et al. 2020, appendix C), of characters in place of words.
N_GRAM = 13
SAME, SHARED = "same item", "n-gram"
_SENTENCES_AT_ONCE = 2**16  # whose runs are sought at a time: a kilobyte or two each

# Of a polynomial over the code points, modulo 2^64.
_BASE = np.uint64(0x9E3779B97F4A7C15)
_BATCH = 10_000
_ROW_BYTES = 12  # a key, and what it is of


def normalized(text: str) -> str:
    """The letters and digits of a text, NFKC and without case."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


class Sought:
    """The texts of n sentences, and their runs of characters: on the disk, from where some at a time are sought.

    sentences: input and golds, one or more references, of each.
    """

    def __init__(self, sentences: Iterable[tuple[str, Sequence[str]]], n: int) -> None:
        self._n, n_before = n, 0
        self._n_parts = max(1, -(-n // _SENTENCES_AT_ONCE))
        self._wholes, self._runs = _Keys(self._n_parts), _Keys(self._n_parts)
        for batch in _batches(sentences):
            texts, rows = [], []
            for row, (source, options) in enumerate(batch, n_before):
                known = dict.fromkeys(map(normalized, (source, *options)))
                texts += filter(None, known)
                rows += [row] * (len(known) - ("" in known))
            n_before += len(batch)
            hashes, text = _runs(texts)
            of = np.array(rows, np.int32)
            self._wholes.add(_wholes(texts), of)
            self._runs.add(hashes, of[text])

    def overlaps(
        self, pairs: Iterable[tuple[str, str]], scored_golds: np.ndarray
    ) -> tuple[list[str | None], list[str | None]]:
        """What each sentence shares with training pairs, and with those of them that a model is fitted on.

        SAME where its text or a reference is a text of a pair, SHARED where they have a run of N_GRAM characters in
        common, None for neither. Models are fitted on no pair whose gold is among scored_golds, which are digests in
        their order.
        """
        wholes, runs = _Keys(self._n_parts), _Keys(self._n_parts)
        for batch in _batches(pairs):
            are_left_out = places(digests(gold for _, gold in batch), scored_golds) >= 0
            for left_out in (False, True):
                some = compress(batch, are_left_out == left_out)
                texts = list(filter(None, dict.fromkeys(normalized(text) for pair in some for text in pair)))
                for known, keys in ((wholes, _wholes(texts)), (runs, _runs(texts)[0])):
                    distinct = np.unique(keys)
                    known.add(distinct, np.full(len(distinct), left_out, np.int32))
        found = np.zeros((2, self._n, 2), bool)
        for kind, (sought, known) in enumerate(((self._wholes, wholes), (self._runs, runs))):
            for part in range(self._n_parts):
                of_sentences = _Places(*map(np.concatenate, zip(*sought.part(part), strict=True)))
                for keys, are_left_out in known.part(part):
                    for left_out in (0, 1):
                        found[left_out, of_sentences.of(keys[are_left_out == left_out]), kind] = True
        return _kinds(found.any(axis=0)), _kinds(found[0])


class _Keys:
    """Keys and what each is of, a number, in a file: in parts by the key, of which one at a time is read."""

    def __init__(self, n_parts: int) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # ends with this object
        self._bounds = np.arange(n_parts + 1, dtype=np.uint64)
        self._starts: list[np.ndarray] = []  # of the parts, in bytes, and where the last ends

    def add(self, keys: np.ndarray, of: np.ndarray) -> None:
        """(n,) keys, and (n,) what they are of."""
        part = (keys >> np.uint64(32)) * self._bounds[-1] >> np.uint64(32)
        order = np.argsort(part, kind="stable")
        ends = np.searchsorted(part[order], self._bounds)
        self._starts.append(self._file.tell() + ends * _ROW_BYTES)
        for start, end in pairwise(ends.tolist()):
            for values in (keys, of):
                self._file.write(values[order[start:end]])
        self._file.flush()

    def part(self, number: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Keys of a part, and what they are of, as they were added."""
        for starts in self._starts:
            start, end = starts[number : number + 2].tolist()
            n = (end - start) // _ROW_BYTES
            read = os.pread(self._file.fileno(), end - start, start)
            yield np.frombuffer(read, np.uint64, n), np.frombuffer(read, np.int32, n, n * 8)


class _Places:
    """In which sentences keys stand."""

    def __init__(self, keys: np.ndarray, rows: np.ndarray) -> None:
        order = np.argsort(keys, kind="stable")
        self._keys, self._rows = keys[order], rows[order]

    def of(self, keys: np.ndarray) -> np.ndarray:
        """(m,) the sentences of any of the keys, which are distinct."""
        first, last = (np.searchsorted(self._keys, keys, side) for side in ("left", "right"))
        n = last - first
        return self._rows[np.repeat(last - np.cumsum(n), n) + np.arange(n.sum())]


def _wholes(texts: Iterable[str]) -> np.ndarray:
    """(n,) hashes of texts: half of their digests, as many bits as those of runs have."""
    return digests(texts).view(np.uint64)[::2]


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
