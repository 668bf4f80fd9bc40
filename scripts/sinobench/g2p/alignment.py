"""From the words of a package to one prediction a character."""

import re
from collections.abc import Callable, Iterable

from sinobench.g2p.corpus import HAN

_HAN_RUN = re.compile(f"(?:{HAN.pattern})+")

Words = Iterable[tuple[str, str | None]]


def predict_runs(text: str, convert: Callable[[str], Words]) -> list[str | None]:
    """One syllable or None for each character of a text, of which ``convert`` gets the runs of Han characters alone.

    convert: (word, "syllable syllable …") pairs that make up a run.
    """
    output: list[str | None] = [None] * len(text)
    for run in _HAN_RUN.finditer(text):
        output[run.start() : run.end()] = align(run[0], convert(run[0]))
    return output


def align(run: str, words: Words) -> list[str | None]:
    """One syllable or None a character, from (word, "syllable syllable …") pairs that make up the run.

    A word without reading, or with more or fewer syllables than characters, has None for each of its characters.
    Raises ValueError where the words are not the run's characters in their order.
    """
    words = list(words)
    if "".join(word for word, _ in words) != run:
        raise ValueError(f"the words {words} are not the characters of '{run}'")
    output: list[str | None] = []
    for word, jyutping in words:
        syllables = re.findall(r"[a-z]+[1-6]", jyutping or "")
        output += syllables if len(syllables) == len(word) else [None] * len(word)
    return output
