"""Words, confusable characters and segmentations as NumPy tables: what the `dictionary` model looks things up in.

A character is an id below 2**16 and a window of up to four of them one 64-bit key, so that every window of many
texts is looked up at once.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from sinobench.csc.characters import ERROR_TYPES, confusable_pairs

LONGEST = 4
NOTHING, UNKNOWN, _FIRST, _OPEN = 0, 1, 2, 2**16 - 1
IMPOSSIBLE = -np.inf
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # 2**64 over the golden ratio: its product's high bits are a hash
_MOST_BITS = 22
_SLOT_BITS = 2  # so many hashes, as a power of 2, share a slot, where their keys stand together


@dataclass(frozen=True)
class Stream:
    """Texts laid end to end. `ids` has an UNKNOWN after each text and some more at the end, so windows may run over."""

    ids: np.ndarray
    starts: np.ndarray
    lengths: np.ndarray

    @property
    def text_of(self) -> np.ndarray:
        """Index of the text that each position belongs to, up to the end of the last one."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths + 1)


class Alphabet:
    """The characters that have an id of their own; all others share UNKNOWN."""

    def __init__(self, characters: Iterable[str]):
        self.characters = "".join(sorted(set(characters)))
        self._codes = _code_points(self.characters)

    def encode(self, text: str) -> np.ndarray:
        codes = _code_points(text)
        places = np.minimum(np.searchsorted(self._codes, codes), len(self._codes) - 1)
        return np.where(self._codes[places] == codes, places + _FIRST, UNKNOWN)

    def decode(self, index: int) -> str:
        return self.characters[index - _FIRST]

    def stream(self, texts: Sequence[str]) -> Stream:
        lengths = np.array([len(text) for text in texts], int)
        return Stream(self.encode("\0".join(texts) + "\0" * 2 * LONGEST), np.cumsum(lengths + 1) - lengths - 1, lengths)

    def word_keys(self, words: Sequence[str]) -> np.ndarray:
        """Keys of words of one to LONGEST characters, all of them in the alphabet."""
        ids = self.encode("".join(word.ljust(LONGEST, "\0") for word in words)).reshape(-1, LONGEST).T
        return join(np.where(ids == UNKNOWN, NOTHING, ids))

    def pair_keys(self, pairs: Iterable[tuple[str, str]]) -> np.ndarray:
        return join(self.encode("".join(one + other for one, other in pairs)).reshape(-1, 2).T)


def _code_points(text: str) -> np.ndarray:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def join(columns: Iterable[np.ndarray]) -> np.ndarray:
    """Keys of the windows whose first, second, ... characters are the columns."""
    key = np.uint64(0)
    for column, shift in zip(columns, range(16 * (LONGEST - 1), -1, -16), strict=False):
        part = np.array(column, np.uint64)
        part <<= np.uint64(shift)
        part |= key
        key = part
    return key


def windows(ids: np.ndarray, length: int, opened: int = -1) -> np.ndarray:
    """Key of the window of `length` characters at each position but the last LONGEST; place `opened` left open."""
    size = len(ids) - LONGEST
    return join(np.full(size, _OPEN) if k == opened else ids[k : k + size] for k in range(length))


class Table:
    """Distinct keys with a value each, in the order of the keys; `get` looks many up at once.

    Most that are looked up are not there: a bit by a hash of the key says so first. The others are looked for among the
    few keys of the same slot: a binary search in all would wait for memory at each of its steps.
    """

    def __init__(self, keys: np.ndarray, values: np.ndarray):
        order = np.argsort(keys)
        self.keys, self.values = keys[order], values[order]
        self._shift = np.uint64(64 - min((8 * len(keys) + 1).bit_length(), _MOST_BITS))
        hashes = self._hashes(self.keys)
        self._likely = np.zeros(2 ** (64 - int(self._shift)), bool)
        self._likely[hashes] = True
        slots = hashes >> _SLOT_BITS
        counts = np.bincount(slots, minlength=(len(self._likely) >> _SLOT_BITS) + 1)
        self._most = int(counts.max())
        self._first = np.append(0, np.cumsum(counts, dtype=np.int32))
        self._places = np.argsort(slots.astype(np.int32)).astype(np.int32)
        self._by_slot = self.keys[self._places]

    def get(self, keys: np.ndarray, default: float) -> np.ndarray:
        index, places = self.find(keys)
        values = np.full(len(keys), default, self.values.dtype)
        values[index] = self.values[places]
        return values

    def find(self, keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Which of the keys are in the table, and where."""
        hashes = self._hashes(keys)
        likely = np.flatnonzero(self._likely[hashes])
        slots, sought = hashes[likely] >> _SLOT_BITS, keys[likely]
        entries = self._first[slots]
        there = self._by_slot[entries] == sought
        others = np.flatnonzero(~there)
        for k in range(1, self._most):
            others = others[entries[others] + k < self._first[slots[others] + 1]]
            same = self._by_slot[entries[others] + k] == sought[others]
            there[others[same]] = True
            entries[others[same]] += k
            others = others[~same]
        return likely[there], self._places[entries[there]]

    def _hashes(self, keys: np.ndarray) -> np.ndarray:
        hashes = keys.astype(np.uint64, copy=False) * _MULTIPLIER
        hashes >>= self._shift
        return hashes.view(np.int64)


class Lexicon:
    """Words with log probabilities; `floor` is that of a character which is no word. Finds what fits an open place."""

    def __init__(self, keys: np.ndarray, log_probabilities: np.ndarray, floor: float):
        self.words, self.floor = Table(keys, np.asarray(log_probabilities, np.float64)), floor
        keys, scores = self.words.keys, self.words.values
        open_keys, entries = [], []
        for k in range(LONGEST):
            shift = np.uint64(16 * (LONGEST - 1 - k))
            rest = keys & ~(np.uint64(_OPEN) << shift)
            chosen = np.flatnonzero((rest != keys) & (rest != 0))
            open_keys.append(keys[chosen] | np.uint64(_OPEN) << shift)
            entries.append((keys[chosen] >> shift & np.uint64(_OPEN), scores[chosen]))
        open_keys = np.concatenate(open_keys)
        order = np.argsort(open_keys, kind="stable")
        self._letters = np.concatenate([letters for letters, _ in entries])[order].astype(np.int64)
        self._scores = np.concatenate([scores for _, scores in entries])[order]
        unique, starts, counts = np.unique(open_keys[order], return_index=True, return_counts=True)
        self._starts, self._counts = Table(unique, starts), counts

    def fits(self, open_keys: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(index into `open_keys`, id for the open place, log probability) of every word that fits."""
        found, places = self._starts.find(open_keys)
        counts = self._counts[places]
        index = np.repeat(found, counts)
        first = self._starts.values[places] - (np.cumsum(counts) - counts)
        entry = np.arange(len(index)) + np.repeat(first, counts)
        return index, self._letters[entry], self._scores[entry]


class Segmentation:
    """Best segmentations of the texts of a stream into words: log probability is the sum over the words (Viterbi).

    Per position: `before`, of the text up to there; `after`, from there on; `best`, of the whole text; `word[n]`, of
    the word of n characters that starts there, by itself, IMPOSSIBLE if it is none.
    """

    def __init__(self, stream: Stream, lexicon: Lexicon):
        size, count, longest = len(stream.ids), len(stream.lengths), int(stream.lengths.max(initial=0))
        self.word = {
            n: np.append(
                lexicon.words.get(windows(stream.ids, n), lexicon.floor if n == 1 else IMPOSSIBLE),
                np.full(LONGEST, IMPOSSIBLE),
            )
            for n in range(1, LONGEST + 1)
        }
        before = np.full((longest + 1, count), IMPOSSIBLE)
        before[0] = 0
        after = np.zeros((longest + LONGEST, count))
        for t in range(1, longest + 1):
            places = np.minimum(stream.starts + t, size - 1)
            before[t] = np.max([before[t - n] + self.word[n][places - n] for n in self.word if n <= t], axis=0)
        for t in range(longest - 1, -1, -1):
            places = np.minimum(stream.starts + t, size - 1)
            onwards = np.max([self.word[n][places] + after[t + n] for n in self.word], axis=0)
            after[t] = np.where(t < stream.lengths, onwards, 0)
        text = stream.text_of
        place = np.arange(len(text)) - stream.starts[text]
        pad = np.zeros(size - len(text))
        self.before, self.after = np.append(before[place, text], pad), np.append(after[place, text], pad)
        self.best = np.append(after[0, text], pad)

    def change(self, start: np.ndarray, length: int, log_probability: np.ndarray) -> np.ndarray:
        """How the best log probability changes if a word of that length and log probability is put at `start`."""
        return self.before[start] + log_probability + self.after[start + length] - self.best[start]


@cache
def jieba_words() -> tuple[tuple[str, ...], np.ndarray]:
    """The words of jieba's dictionary up to LONGEST characters, and their frequencies.

    Read from the package's file: importing jieba warns about pkg_resources, and its own reader logs and leaves a cache
    file in the temporary directory.
    """
    path = Path(find_spec("jieba").submodule_search_locations[0], "dict.txt")
    # From the CJK radicals on: leaves out the few entries in Latin letters and digits.
    entry = re.compile(rf"^([\u2e80-\U0010ffff]{{1,{LONGEST}}}) (\d+) ", re.MULTILINE)
    frequency = {word: max(int(count), 1) for word, count in entry.findall(path.read_text(encoding="utf-8"))}
    return tuple(frequency), np.array(list(frequency.values()), float)


@cache
def confusables(size: int) -> dict[tuple[str, str], tuple[int, bool]]:
    """Ordered pair -> (index into ERROR_TYPES, similar shape), of the most frequent characters in jieba's words."""
    words, counts = jieba_words()
    letters = np.frombuffer("".join(words).encode("utf-32-le"), np.uint32)
    frequency = np.bincount(letters, np.repeat(counts, [len(word) for word in words]))
    found = np.flatnonzero(frequency)
    alphabet = [chr(letter) for letter in found[np.argsort(-frequency[found], kind="stable")[:size]].tolist()]
    pairs = {}
    for one, other, kind, is_similar in confusable_pairs(alphabet):
        pairs[one, other] = pairs[other, one] = ERROR_TYPES.index(kind), is_similar
    return pairs
