"""Jyutping syllables and their four components.

Source: the benchmark's definition of PER (onset, nucleus, coda, tone); the equivalences are those of its official
decomposition, which compares sounds, not letters.
"""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sinobench.errors import InputError

COMPONENTS = ("onset", "nucleus", "coda", "tone")

# What upstream's cleaning keeps; a model's output that does not look like this counts as no prediction.
SYLLABLE_SHAPE = re.compile(r"[a-z]+[1-6]")

_SYLLABLE = re.compile(
    r"(?P<onset>ng|gw|kw|[bpmfdtnlgkhwzcsj])?"
    r"(?P<nucleus>aa|a|eo|e|i|oe|o|yu|u)"
    r"(?P<coda>ng|[ptkmniu])?"
    r"(?P<tone>[1-6])"
)
_SYLLABIC_NASAL = re.compile(r"(?P<onset>h)?(?P<coda>ng|m)(?P<tone>[1-6])")


class Syllable(NamedTuple):
    """The components of one syllable; None is a component that the syllable does not have."""

    onset: str | None
    nucleus: str | None
    coda: str | None
    tone: str


@cache
def decompose(syllable: str) -> Syllable | None:
    """The components of a Jyutping syllable such as ``gwong2``, or None where it is none.

    Two syllables share a component exactly where they share the sound: ``gu`` begins with gw (``gung`` and ``guk`` do
    not), the nucleus of ``ei`` is that of ``ing``, the nucleus of ``ou`` that of ``ung``.
    """
    if nasal := _SYLLABIC_NASAL.fullmatch(syllable):
        return Syllable(nasal["onset"], None, nasal["coda"], nasal["tone"])
    match = _SYLLABLE.fullmatch(syllable)
    if match is None:
        return None
    onset, nucleus, coda, tone = match.groups()
    if (nucleus, coda) in (("e", "i"), ("i", "ng"), ("i", "k")):
        nucleus = "e~i"
    elif (nucleus, coda) in (("o", "u"), ("u", "ng"), ("u", "k")):
        nucleus = "o~u"
    if nucleus == "u" and onset in ("g", "k"):
        onset += "w"
    return Syllable(onset, nucleus, coda, tone)


def parse_labels(readings: str, file: str | Path, line: int) -> list[str]:
    """The readings of ``ni1/nei1`` in their order; InputError where one is no Jyutping syllable."""
    labels = readings.split("/")
    for label in labels:
        if decompose(label) is None:
            raise InputError(
                f"reading '{label}' is no Jyutping syllable; expected letters and a tone 1-6, as in 'gwong2'",
                file,
                line,
            )
    return list(dict.fromkeys(labels))
