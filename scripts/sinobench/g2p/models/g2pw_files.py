"""The readings and the vocabulary of a g2pW model."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sinobench.errors import InputError, short
from sinobench.text import read_lines

if TYPE_CHECKING:
    import numpy as np

_SPECIAL = ("[CLS]", "[SEP]", "[UNK]")


@dataclass(frozen=True)
class Characters:
    """The characters of a model.

    readings: those that the graph chooses among, in its order; numbers: the graph's number of each character with
    several; candidates: the readings of each, as indices; single: the reading of each character with one.
    """

    readings: list[str]
    numbers: Mapping[str, int]
    candidates: list[list[int]]
    single: Mapping[str, str]

    @cached_property
    def masks(self) -> "np.ndarray":
        """Float32 (characters, readings): 1 for the readings of a character."""
        import numpy as np

        masks = np.zeros((len(self.candidates), len(self.readings)), np.float32)
        for row, candidates in zip(masks, self.candidates, strict=True):
            row[candidates] = 1
        return masks


def read_characters(folder: Path) -> Characters:
    """Of ``POLYPHONIC_CHARS.txt`` and ``MONOPHONIC_CHARS.txt``; InputError for a line that is no such pair."""
    pairs = _pairs(folder / "POLYPHONIC_CHARS.txt")
    readings = sorted({reading for _, reading in pairs})
    places = {reading: place for place, reading in enumerate(readings)}
    numbers = {character: number for number, character in enumerate(sorted({c for c, _ in pairs}))}
    candidates: list[list[int]] = [[] for _ in numbers]
    for character, reading in pairs:
        candidates[numbers[character]].append(places[reading])
    return Characters(readings, numbers, candidates, dict(_pairs(folder / "MONOPHONIC_CHARS.txt")))


def read_tokenizer(folder: Path) -> Any:
    """The tokenizer of a BERT from its ``vocab.txt`` and, where it is there, ``added_tokens.json`` {token: number}.

    Raises InputError where a special token is missing, and where an added token's number does not follow on.
    """
    from tokenizers import AddedToken, Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer

    path = _file(folder / "vocab.txt")
    vocabulary = {token: number for number, token in enumerate(read_lines(path))}
    if missing := [token for token in _SPECIAL if token not in vocabulary]:
        raise InputError(f"has no {', '.join(missing)}; expected the vocabulary of a BERT, a token a line", path)
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    for token, number in sorted(_added(folder / "added_tokens.json").items(), key=lambda item: item[1]):
        tokenizer.add_tokens([AddedToken(token, normalized=False)])
        if tokenizer.token_to_id(token) != number:
            raise InputError(
                f"token '{short(token)}' has the number {number}; after vocab.txt it has "
                f"{tokenizer.token_to_id(token)}; take both files from the same revision",
                folder / "added_tokens.json",
            )
    return tokenizer


def _pairs(path: Path) -> list[tuple[str, str]]:
    pairs = []
    for number, line in enumerate(read_lines(_file(path)), start=1):
        match line.split("\t"):
            case [character, reading] if character and reading:
                pairs.append((character, reading))
            case [""]:
                continue
            case _:
                raise InputError(f"'{short(line)}' is not a character, a tab and a reading", path, number)
    return pairs


def _added(path: Path) -> dict[str, int]:
    if not path.exists():
        return {}
    try:
        added = json.loads("\n".join(read_lines(path)))
    except json.JSONDecodeError as error:
        raise InputError(f"is no JSON: {error}", path) from None
    if not isinstance(added, dict) or not all(type(number) is int for number in added.values()):
        raise InputError('expected {"token": number, …}', path)
    return added


def _file(path: Path) -> Path:
    if not path.exists():
        raise InputError(f"the model's folder has no {path.name}; list it among the files of its entry", path.parent)
    return path
