"""A word trigram model of general text, read by KenLM: log probabilities of many words in their contexts at once."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from sinobench.csc.models.lexicon import Alphabet, Table
from sinobench.errors import InputError

# Indices of words. What no word is in the file, and a character that is none, is no context for what follows.
NOTHING, UNKNOWN_WORD, _FIRST = 0, 1, 2
_BITS = 20  # an index has; three of them stand in one key
_LN_10 = float(np.log(10))
_HOW_TO_GET_ONE = (
    "Debian's package libime-data-language-model has one; else name a KenLM file of Chinese words, binary or ARPA, by "
    "`language_model` in the model's options"
)


class LanguageModel:
    """The words of a list that a KenLM file knows, by an index of its own.

    Marks of a sentence's beginning and end are not used: a file need not know any.
    """

    def __init__(self, path: str | Path, alphabet: Alphabet, words: Sequence[str]):
        """words: of characters of the alphabet. Raises InputError where kenlm or the file is missing, or no such file.

        A binary file is mapped into memory, so that what is not asked for is not read.
        """
        self._model = _read(path)
        self._words = [word for word in words if word in self._model]
        if not self._words:
            raise InputError(f"KenLM reads it, but it has no word of jieba's dictionary; {_HOW_TO_GET_ONE}", path)
        self._indices = Table(alphabet.word_keys(self._words), np.arange(len(self._words)) + _FIRST)
        self._log_unknown = self._model.score("<unk>", bos=False, eos=False) * _LN_10

    def words_at(self, keys: np.ndarray) -> np.ndarray:
        """The index of the word of each key; NOTHING where there is none."""
        return self._indices.get(keys, NOTHING)

    def log_probabilities(self, before: np.ndarray, last: np.ndarray, word: np.ndarray) -> np.ndarray:
        """Natural logarithm of the probability of each word, by index, after the words `before` and `last`."""
        before = np.where(last < _FIRST, NOTHING, before)
        keys, places = np.unique((before << 2 * _BITS) | (last << _BITS) | word, return_inverse=True)
        return self._of_different(keys)[places]

    def _of_different(self, keys: np.ndarray) -> np.ndarray:
        """The same of different keys in their order, in which each context comes once."""
        from kenlm import State

        score, words, mask = self._model.BaseScore, self._words, 2**_BITS - 1
        nothing, one_word, context, unused = State(), State(), State(), State()
        self._model.NullContextWrite(nothing)
        known, state, logs = None, nothing, np.empty(len(keys))
        for i, key in enumerate(keys.tolist()):
            if (word := key & mask) < _FIRST:
                logs[i] = self._log_unknown
                continue
            if key >> _BITS != known:
                known, state = key >> _BITS, nothing
                for index, after in ((known >> _BITS, one_word), (known & mask, context)):
                    if index >= _FIRST:
                        score(state, words[index - _FIRST], after)
                        state = after
            logs[i] = score(state, words[word - _FIRST], unused) * _LN_10
        return logs


def _read(path: str | Path):
    if not Path(path).is_file():
        raise InputError(f"no such language model; {_HOW_TO_GET_ONE}", path)
    try:
        import kenlm
    except ModuleNotFoundError:
        raise InputError("kenlm is not installed, which reads language models; `make lm` installs it") from None
    config = kenlm.Config()
    config.show_progress = False
    config.arpa_complain = kenlm.ARPALoadComplain.NONE
    try:
        return kenlm.Model(str(path), config)
    except (OSError, RuntimeError) as error:
        raise InputError(
            f"KenLM can't read it as a language model ({_in_short(error)}); {_HOW_TO_GET_ONE}", path
        ) from None


def _in_short(error: Exception) -> str:
    return " ".join(str(error).split())[-200:]
