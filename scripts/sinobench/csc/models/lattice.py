"""All segmentations of texts into the words of a language model, and what each change of a character gains by it."""

import numpy as np

from sinobench.csc.models.language_model import NOTHING, UNKNOWN_WORD, LanguageModel
from sinobench.csc.models.lexicon import IMPOSSIBLE, LONGEST, UNKNOWN, Stream, join, windows

_NO_WORD = -1
_ROUNDING = 1e-6
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
        self._rest = self._rest_of_all(ends)
        self._best = np.zeros(len(inside))
        self._best[positions] = self._ahead[ends].max(axis=(1, 2), initial=IMPOSSIBLE)[owner]

    def gains(self, position: np.ndarray, replacement: np.ndarray, least: float) -> np.ndarray:
        """How the best log probability changes where the character at a position, in a segment, is replaced by another.

        replacement: ids of the alphabet. least: what comes out for whatever gains no more than that, which is not
        searched for.
        """
        before = self._best[position]
        best = before + least
        # Words first, of the characters alone few do better.
        for length in range(LONGEST, 0, -1):
            for k in range(length):
                start = position - k
                fits = np.flatnonzero((start >= self._first[position]) & (start + length <= self._end[position]))
                start = start[fits]
                ids = [replacement[fits] if i == k else self._ids[start + i] for i in range(length)]
                word = self._model.words_at(join(ids))
                if length == 1:
                    word[word == NOTHING] = UNKNOWN_WORD
                known = word != NOTHING
                fits, start = fits[known], start[known]
                best[fits] = self._through(start, start + length, word[known], best[fits])
        return np.maximum(best - before, least)

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

    def _through(self, start: np.ndarray, end: np.ndarray, word: np.ndarray, best: np.ndarray) -> np.ndarray:
        """The best log probability with a word from start to end, which need not be in the text; at least `best`.

        No probability is above 1, so that a path which is no better than `best` before its last words are counted is
        left.
        """
        enough = best - _ROUNDING
        last, before = self._context(start)
        paths = self._ahead[start]
        i, m, l = np.nonzero(paths + self._rest[end].max(axis=1)[:, None, None] > enough[:, None, None])  # noqa: E741
        upto = np.full(paths.shape, IMPOSSIBLE)
        upto[i, m, l] = paths[i, m, l] + self._model.log_probabilities(before[i, m, l], last[i, m], word[i])
        upto = upto.max(axis=2, initial=IMPOSSIBLE)
        best = np.where(end == self._end[start], np.maximum(best, upto.max(axis=1, initial=IMPOSSIBLE)), best)

        after, rest = self._following(end), self._rest[end]
        open_end = (end < self._end[start])[:, None, None]
        i, m, n = np.nonzero(open_end & (upto[:, :, None] + rest[:, None] > enough[:, None, None]))
        over = np.full((len(start), LONGEST + 1, LONGEST + 1), IMPOSSIBLE)
        over[i, m, n] = upto[i, m] + self._model.log_probabilities(last[i, m], word[i], after[i, n])
        over = over.max(axis=1, initial=IMPOSSIBLE)

        i, n = np.nonzero(over + rest > enough[:, None])
        to, over = end[i] + n, over[i, n]
        at_end = to == self._end[to]
        np.maximum.at(best, i[at_end], over[at_end])
        onwards = self._onwards(to, n)
        j, k = np.nonzero(over[:, None] + onwards > enough[i, None])
        further = self._ending[to[j] + k, k]
        log_probability = self._model.log_probabilities(word[i[j]], after[i, n][j], further)
        np.maximum.at(best, i[j], over[j] + (log_probability + onwards[j, k]))
        return best

    def _rest_of_all(self, ends: np.ndarray) -> np.ndarray:
        """[p, n]: what is added at most by what follows p, if a word of n characters comes first; 0 at an end."""
        after = self._following(np.arange(len(self._ending)))
        position, length = np.nonzero(after != _NO_WORD)
        to = position + length
        rest = np.full(after.shape, IMPOSSIBLE)
        rest[position, length] = np.where(to == self._end[to], 0.0, self._onwards(to, length).max(axis=1))
        rest[ends, 0] = 0
        return rest

    def _onwards(self, position: np.ndarray, length: np.ndarray) -> np.ndarray:
        """By the length of the word that begins at each position: the best from its end, one of `length` before it."""
        to = np.minimum(position[:, None] + _LENGTHS, len(self._behind) - 1)
        there = self._following(position) != _NO_WORD
        return np.where(there, self._behind[to, _LENGTHS, length[:, None]], IMPOSSIBLE)

    def _following(self, position: np.ndarray) -> np.ndarray:
        """The words that begin at each position, by their length."""
        to = position[:, None] + _LENGTHS
        fits = (_LENGTHS > 0) & (to <= self._end[position][:, None])
        return np.where(fits, self._ending[np.where(fits, to, 0), _LENGTHS], _NO_WORD)
