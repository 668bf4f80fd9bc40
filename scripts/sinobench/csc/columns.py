"""A column of a file of texts, kept as one array of characters: a text becomes a string where one is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, reduce
from itertools import pairwise
from typing import overload

import numpy as np

_KEY_CHARACTERS = 5
_FACTOR = np.uint64(0x9E3779B97F4A7C15)


class Texts(Sequence[str]):
    """n texts, each a stretch of one text's characters, in their order and apart from each other.

    codes: of all characters, as ``code_points`` gives them; starts, lengths: (n,) in characters.
    """

    def __init__(self, codes: np.ndarray, starts: np.ndarray, lengths: np.ndarray) -> None:
        self.codes, self.starts, self.lengths = codes, starts, lengths

    def __len__(self) -> int:
        return len(self.starts)

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> Texts: ...

    def __getitem__(self, place: int | slice) -> str | Texts:
        if isinstance(place, slice):
            return Texts(self.codes, self.starts[place], self.lengths[place])
        start = self.starts[place]
        return _text(self.codes[start : start + self.lengths[place]])

    def __iter__(self) -> Iterator[str]:
        ends = np.cumsum(self.lengths)
        places = map(slice, (ends - self.lengths).tolist(), ends.tolist())
        text = _text(self.joined)
        return (text[place] for place in places)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if isinstance(other, Texts):
            if not np.array_equal(self.lengths, other.lengths):
                return False
            if np.array_equal(self.starts, other.starts):  # as of the same column of two files: no need to join it
                return not self._hold(np.flatnonzero(self.codes[: self._end] != other.codes[: self._end]))
            return np.array_equal(self.joined, other.joined)
        return list(self) == other

    __hash__ = None

    @cached_property
    def joined(self) -> np.ndarray:
        """The characters of all texts, one after the other."""
        stretches = np.empty(2 * len(self), np.int64)
        stretches[::2] = np.diff(self.starts, prepend=0)
        stretches[2::2] -= self.lengths[:-1]
        stretches[1::2] = self.lengths
        return self.codes[: self._end][np.repeat(np.resize([False, True], len(stretches)), stretches)]

    @property
    def _end(self) -> int:
        return int(self.starts[-1] + self.lengths[-1]) if len(self) else 0

    def _hold(self, places: np.ndarray) -> bool:
        """Whether any of the places of characters is of a text."""
        text = np.searchsorted(self.starts, places, side="right") - 1
        return bool(((text >= 0) & (places < (self.starts + self.lengths)[text])).any())


def are_distinct(texts: Sequence[str]) -> bool:
    """Whether none of the texts, which are not empty, stands twice."""
    if not isinstance(texts, Texts):
        return len(set(texts)) == len(texts)
    # Texts alike in length and in a few characters have the same sum; of the few that do all characters are compared.
    sums = texts.lengths.astype(np.uint64)
    for part in range(_KEY_CHARACTERS):
        sums = sums * _FACTOR + texts.codes[texts.starts + texts.lengths * part // _KEY_CHARACTERS]
    ranked = np.sort(sums)
    alike = ranked[1:][ranked[1:] == ranked[:-1]]
    if not len(alike):
        return True
    suspects = np.flatnonzero(alike[np.minimum(np.searchsorted(alike, sums), len(alike) - 1)] == sums).tolist()
    return len({texts[place] for place in suspects}) == len(suspects)


def differing(columns: Sequence[Sequence[str]]) -> tuple[np.ndarray, ...]:
    """Where texts of equal lengths, in several columns, don't have the character that they have in the first one.

    Arrays of a row for each such place: text, position in it, and the code of each column there.
    """
    if not all(isinstance(column, Texts) for column in columns):
        return _places(list(map(codes_of, columns)), lengths_of(columns[0]))
    lengths = columns[0].lengths
    order = np.argsort(lengths)
    ends = np.flatnonzero(np.diff(lengths[order], append=-1)) + 1
    found = [_places([column.codes[:0] for column in columns], lengths[:0])]
    # Texts of one length are copied at once, which takes a third of the time of picking their characters.
    for start, end in pairwise([0, *ends.tolist()]):
        rows = order[start:end]
        text, *others = _places([_stretches(column, rows) for column in columns], lengths[rows])
        found.append((rows[text], *others))
    each = [np.concatenate(parts) for parts in zip(*found, strict=True)]
    by_text = np.argsort(each[0], kind="stable")
    return tuple(part[by_text] for part in each)


def _places(codes: Sequence[np.ndarray], lengths: np.ndarray) -> tuple[np.ndarray, ...]:
    """``differing`` of columns whose texts stand one after the other, without gaps."""
    first, *others = codes
    places = np.flatnonzero(reduce(np.logical_or, [first != other for other in others]))
    ends = np.cumsum(lengths)
    text = np.searchsorted(ends, places, side="right")
    return text, places - (ends - lengths)[text], *(of[places] for of in codes)


def _stretches(texts: Texts, rows: np.ndarray) -> np.ndarray:
    """The characters of some texts, all of the length of the first, one text after the other."""
    codes, length = texts.codes, int(texts.lengths[rows[0]])
    if not length:
        return codes[:0]
    width = codes.itemsize
    each = np.ndarray(len(codes) - length + 1, f"V{width * length}", codes, strides=(width,))
    return each[texts.starts[rows]].view(codes.dtype)


def lengths_of(texts: Sequence[str]) -> np.ndarray:
    """(n,) int64, in characters."""
    return texts.lengths if isinstance(texts, Texts) else np.fromiter(map(len, texts), np.int64, len(texts))


def codes_of(texts: Sequence[str]) -> np.ndarray:
    """The characters of all texts, one after the other, as ``code_points``."""
    return texts.joined if isinstance(texts, Texts) else code_points("".join(texts))


def code_points(text: str) -> np.ndarray:
    """Unsigned integers, a character each: of 16 bits where they suffice, as for most texts, else of 32."""
    units = np.frombuffer(text.encode("utf-16-le", "surrogatepass"), np.uint16)
    if len(units) == len(text):
        return units
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _text(codes: np.ndarray) -> str:
    return codes.tobytes().decode(f"utf-{8 * codes.itemsize}-le", "surrogatepass")
