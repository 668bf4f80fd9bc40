"""Texts told apart by their digests of 128 bits: 16 bytes for each, whatever its length."""

from collections.abc import Iterable
from hashlib import blake2b

import numpy as np

_BYTES = 16
_AT_ONCE = 2**14  # sought: their places take as much room as they do


def digest(text: str) -> bytes:
    """Of one text."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_BYTES).digest()


def digests(texts: Iterable[str]) -> np.ndarray:
    """(n,) byte strings, which equal texts have in common."""
    found = bytearray()
    for text in texts:
        found += digest(text)
    return of_bytes(found)


def of_bytes(joined: bytes | bytearray) -> np.ndarray:
    """(n,) of digests that stand one after the other."""
    return np.frombuffer(joined, f"S{_BYTES}")


def places(sought: np.ndarray, ordered: np.ndarray) -> np.ndarray:
    """(n,) where each of n digests first stands among ordered ones, -1 where it does not."""
    if not len(ordered):
        return np.full(len(sought), -1)
    found = np.empty(len(sought), np.int64)
    for start in range(0, len(sought), _AT_ONCE):
        some = sought[start : start + _AT_ONCE]
        place = np.minimum(np.searchsorted(ordered, some), len(ordered) - 1)
        found[start : start + _AT_ONCE] = np.where(ordered[place] == some, place, -1)
    return found
