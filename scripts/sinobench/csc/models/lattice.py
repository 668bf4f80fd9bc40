"""All segmentations of texts into the words of a language model, and what each change of a character gains by it."""

import numpy as np

from sinobench.csc.models.language_model import NOTHING, UNKNOWN_WORD, LanguageModel
from sinobench.csc.models.lexicon import IMPOSSIBLE, LONGEST, UNKNOWN, Stream, join, windows

_NO_WORD = -1
_LENGTHS = np.arange(LONGEST + 1)  # 0: what stands before a segment's first word


class Lattice:
    """The best segmentations of the texts of a stream: log probability is the sum over the words, a trigram model's.

    A segment is a run of characters of the alphabet, and its first word has no context. A path's state at a position is
    the lengths of its last two words. Shared by all changes of a character: `_ahead[p, n, m]` is the best log
    probability from the segment's start to p with a last word of n characters and one of m before it, `_behind` the
    best from there to its end.
    """

    def __init__(self, stream: Stream, model: LanguageModel):
        self._ids, self._model = stream.ids, model
        inside = np.append(stream.ids != UNKNOWN, False)
        edges = np.flatnonzero(np.diff(inside, prepend=False))
        starts, ends = edges[::2], edges[1::2]
        # By position, a segment's end included.
        self._first, self._end = np.zeros((2, len(inside)), int)
        owner = np.repeat(np.arange(len(starts)), ends - starts + 1)
        positions = np.arange(len(owner)) + np.repeat(
            starts - np.cumsum(ends - starts + 1) + ends - starts + 1, ends - starts + 1
        )
        self._first[positions], self._end[positions] = starts[owner], ends[owner]
        self._ending = self._words(inside)
        self._ending[starts, 0] = NOTHING
        self._steps = self._all_steps()
        self._search(starts, ends)
        self._best = np.zeros(len(inside))
        self._best[positions] = self._ahead[ends].max(axis=(1, 2), initial=IMPOSSIBLE)[owner]

    def gains(self, position: np.ndarray, replacement: np.ndarray) -> np.ndarray:
        """How the best log probability changes where the character at a position, in a segment, is replaced by another.

        replacement: ids of the alphabet.
        """
        best = np.full(len(position), IMPOSSIBLE)
        for length in range(1, LONGEST + 1):
            for k in range(length):
                start = position - k
                fits = np.flatnonzero((start >= self._first[position]) & (start + length <= self._end[position]))
                start = start[fits]
                ids = [replacement[fits] if i == k else self._ids[start + i] for i in range(length)]
                word = self._model.words_at(join(ids))
                if length == 1:
                    word[word == NOTHING] = UNKNOWN_WORD
                known = word != NOTHING
                fits = fits[known]
                best[fits] = np.maximum(best[fits], self._through(start[known], start[known] + length, word[known]))
        return best - self._best[position]

    def _words(self, inside: np.ndarray) -> np.ndarray:
        """By position and length: the index of the word that ends there, _NO_WORD where there is none."""
        ending = np.full((len(inside), LONGEST + 1), _NO_WORD)
        for length in range(1, LONGEST + 1):
            words = self._model.words_at(windows(self._ids, length))
            if length == 1:
                words[words == NOTHING] = UNKNOWN_WORD
            start = np.flatnonzero(inside[: len(words)] & (words != NOTHING))
            # Words have no character outside the alphabet, so they end in their segment.
            ending[start + length, length] = words[start]
        return ending

    def _context(self, position: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Of n positions: the last word by its length, n x 5, and the one before it by both lengths, n x 5 x 5."""
        last = self._ending[position]
        before = self._ending[np.maximum(position[:, None] - _LENGTHS, 0)].copy()
        before[:, 0] = np.where(_LENGTHS == 0, NOTHING, _NO_WORD)
        before[last == _NO_WORD] = _NO_WORD
        return last, before

    def _all_steps(self) -> np.ndarray:
        """[p, n, m, l]: log probability of the word of n characters that ends at p, after those of m and l before."""
        steps = np.full((len(self._ending), *[LONGEST + 1] * 3), IMPOSSIBLE)
        position, length = np.nonzero(self._ending[:, 1:] != _NO_WORD)
        length += 1
        last, before = self._context(position - length)
        i, m, l = np.nonzero(before != _NO_WORD)  # noqa: E741
        word = self._ending[position, length]
        steps[position[i], length[i], m, l] = self._model.log_probabilities(before[i, m, l], last[i, m], word[i])
        return steps

    def _search(self, starts: np.ndarray, ends: np.ndarray) -> None:
        shape = (len(self._ending), LONGEST + 1, LONGEST + 1)
        self._ahead, self._behind = np.full(shape, IMPOSSIBLE), np.full(shape, IMPOSSIBLE)
        self._ahead[starts, 0, 0] = 0
        self._behind[ends] = 0
        lengths = ends - starts
        for t in range(1, int(lengths.max(initial=0)) + 1):
            at = starts[lengths >= t] + t
            for n in range(1, min(t, LONGEST) + 1):
                self._ahead[at, n] = np.max(self._ahead[at - n] + self._steps[at, n], axis=2)
            at = ends[lengths >= t] - t
            for n in range(1, min(t, LONGEST) + 1):
                onwards = self._steps[at + n, n] + self._behind[at + n, n, :, None]
                self._behind[at] = np.maximum(self._behind[at], onwards)

    def _through(self, start: np.ndarray, end: np.ndarray, word: np.ndarray) -> np.ndarray:
        """The best log probability with a word from start to end, which need not be in the text."""
        last, before = self._context(start)
        i, m, l = np.nonzero(before != _NO_WORD)  # noqa: E741
        upto = np.full(before.shape, IMPOSSIBLE)
        upto[i, m, l] = self._ahead[start[i], m, l] + self._model.log_probabilities(
            before[i, m, l], last[i, m], word[i]
        )
        upto = upto.max(axis=2, initial=IMPOSSIBLE)

        after = self._following(end)
        i, m, n = np.nonzero((last != _NO_WORD)[:, :, None] & (after != _NO_WORD)[:, None])
        over = np.full((len(start), LONGEST + 1, LONGEST + 1), IMPOSSIBLE)
        over[i, m, n] = upto[i, m] + self._model.log_probabilities(last[i, m], word[i], after[i, n])
        over = over.max(axis=1, initial=IMPOSSIBLE)

        i, n = np.nonzero(after != _NO_WORD)
        to = end[i] + n
        further = self._following(to)
        j, k = np.nonzero(further != _NO_WORD)
        onwards = np.full(further.shape, IMPOSSIBLE)
        onwards[j, k] = self._model.log_probabilities(word[i[j]], after[i, n][j], further[j, k])
        onwards[j, k] += self._behind[to[j] + k, k, n[j]]
        rest = np.full(after.shape, IMPOSSIBLE)
        rest[i, n] = np.where(to == self._end[to], 0.0, onwards.max(axis=1, initial=IMPOSSIBLE))
        whole = np.max(over + rest, axis=1, initial=IMPOSSIBLE)
        return np.where(end == self._end[start], upto.max(axis=1, initial=IMPOSSIBLE), whole)

    def _following(self, position: np.ndarray) -> np.ndarray:
        """The words that begin at each position, by their length."""
        to = position[:, None] + _LENGTHS
        fits = (_LENGTHS > 0) & (to <= self._end[position][:, None])
        return np.where(fits, self._ending[np.where(fits, to, 0), _LENGTHS], _NO_WORD)
