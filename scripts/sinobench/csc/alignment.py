"""Outputs of models that are not as long as their text: which of their edits can be told, and how many can't."""

from dataclasses import dataclass

import numpy as np

# The table of distances of one sentence holds at most the square of this, twice.
LONGEST_ALIGNED = 2_000


@dataclass(frozen=True)
class Laid:
    """An output laid on its text: ``prediction`` has the text's length, ``n_unaligned`` edits beyond it are wrong."""

    prediction: str
    n_unaligned: int


def misalignment(text: str, output: str) -> str | None:
    """Why an output can't stand beside its text in a line of ``input⇥output`` of equal lengths; None where it can."""
    if len(output) != len(text):
        return f"misaligned: {len(output)} characters for {len(text)}"
    # Few outputs hold any of them, and a search in all of it is faster than character by character.
    breaks = [mark for mark in "\t\r\n" if mark in output]
    if breaks and any(a != b and b in breaks for a, b in zip(text, output, strict=True)):
        return "misaligned: a tab or a line end in the output"
    return None


def lay(text: str, output: str) -> Laid:
    """Lay an output on the characters of its text.

    An aligned output is taken as it is. Of a misaligned one, a character counts as replaced where every shortest
    alignment of text and output (Levenshtein's: replace, insert, delete cost 1) replaces it by the same one; the other
    edits of that distance count as wrong, at most as many as the text has characters, at least one. Nothing counts as
    replaced where the distance reaches the length of the text, or the text is longer than ``LONGEST_ALIGNED``.
    """
    if misalignment(text, output) is None:
        return Laid(output, 0)
    n = len(text)
    # An upper bound of the table's size too: an output twice as long as its text is at least as far from it.
    if abs(len(output) - n) >= n or n > LONGEST_ALIGNED:
        return Laid(text, n)
    distance, replaced = _shortest(_codes(text), _codes(output))
    if distance >= n:
        return Laid(text, n)
    laid = "".join(
        chr(code) if code >= 0 and chr(code) not in "\t\r\n" else character
        for code, character in zip(replaced, text, strict=True)
    )
    return Laid(laid, distance - sum(a != b for a, b in zip(text, laid, strict=True)))


def _shortest(text: np.ndarray, output: np.ndarray) -> tuple[int, list[int]]:
    """The distance, and for each character what every shortest alignment puts in its place; -1 where they differ."""
    ahead = _distances(text, output)
    behind = _distances(text[::-1], output[::-1])[::-1, ::-1]
    distance = int(ahead[-1, -1])
    paired = ahead[:-1, :-1] + (text[:, None] != output) + behind[1:, 1:] == distance
    deleted = (ahead[:-1] + 1 + behind[1:] == distance).any(axis=1)
    least = np.where(paired, output, np.iinfo(np.int64).max).min(axis=1)
    most = np.where(paired, output, -1).max(axis=1)
    return distance, np.where(~deleted & (least == most), most, -1).tolist()


def _distances(text: np.ndarray, output: np.ndarray) -> np.ndarray:
    """Levenshtein distances of every beginning of the text to every beginning of the output, (n + 1, m + 1)."""
    steps = np.arange(len(output) + 1, dtype=np.int32)
    table = np.empty((len(text) + 1, len(output) + 1), np.int32)
    table[0] = steps
    for i, code in enumerate(text, start=1):
        row = table[i - 1] + 1
        np.minimum(row[1:], table[i - 1, :-1] + (output != code), out=row[1:])
        # An insertion costs 1 more than the cell on its left: the least so far, in units that grow with the column.
        table[i] = np.minimum.accumulate(row - steps) + steps
    return table


def _codes(text: str) -> np.ndarray:
    return np.fromiter(map(ord, text), np.int64, len(text))
