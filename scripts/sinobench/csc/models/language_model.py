"""A word trigram model of general text, read by KenLM: log probabilities of many words in their contexts at once."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from sinobench.csc.models.lexicon import Alphabet, Table
from sinobench.errors import InputError

# Indices of words. What no word is in the file, and a character that is none, is no context for what follows.
NOTHING, UNKNOWN_WORD, _FIRST = 0, 1, 2
_BITS = 20  # an index has; two of them, or a state's number and one, stand in one key
_MASK = 2**_BITS - 1
_MOST_KEPT = 1_000_000  # about 100 MB
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
        self._forget()
        self._unused = type(self._states[0])()

    def words_at(self, keys: np.ndarray) -> np.ndarray:
        """The index of the word of each key; NOTHING where there is none."""
        return self._indices.get(keys, NOTHING)

    def log_probabilities(self, before: np.ndarray, last: np.ndarray, word: np.ndarray) -> np.ndarray:
        """Natural logarithm of the probability of each word, by index, after the words `before` and `last`."""
        if len(self._logs) > _MOST_KEPT or len(self._contexts) > _MOST_KEPT:
            self._forget()
        contexts, places = np.unique(np.where(last < _FIRST, last, (before << _BITS) | last), return_inverse=True)
        numbers = np.fromiter(map(self._contexts.__getitem__, contexts.tolist()), np.int64, len(contexts))
        keys, places = np.unique((numbers[places] << _BITS) | word, return_inverse=True)
        return np.fromiter(map(self._logs.__getitem__, keys.tolist()), np.float64, len(keys))[places]

    def _forget(self) -> None:
        from kenlm import State

        nothing = State()
        self._model.NullContextWrite(nothing)
        self._states, self._numbers = [nothing], {nothing: 0}
        self._contexts, self._logs = _Kept(self._number_of), _Kept(self._log_of)

    def _number_of(self, context: int) -> int:
        """Of KenLM's state after two words: it is shared by all contexts that make no difference."""
        before, last = context >> _BITS, context & _MASK
        if last < _FIRST:
            return 0
        state = type(self._states[0])()
        self._model.BaseScore(self._states[self._contexts[before]], self._words[last - _FIRST], state)
        number = self._numbers.setdefault(state, len(self._states))
        if number == len(self._states):
            self._states.append(state)
        return number

    def _log_of(self, key: int) -> float:
        word = key & _MASK
        if word < _FIRST:
            return self._log_unknown
        return self._model.BaseScore(self._states[key >> _BITS], self._words[word - _FIRST], self._unused) * _LN_10


class _Kept(dict):
    """What a function gave for each key."""

    def __init__(self, function: Callable):
        self._function = function

    def __missing__(self, key):
        value = self[key] = self._function(key)
        return value


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
