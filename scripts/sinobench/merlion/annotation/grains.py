"""Grains, the smallest annotated stretches: chunks of an utterance with one language. Times are whole milliseconds.

Source: plan, Segmentation; BELA conventions (blipntu.github.io/belacon).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from sinobench.errors import InputError, nearest, private
from sinobench.merlion.annotation.labels import fold
from sinobench.merlion.tables import Grain, Redaction

# Kinds of grains. The language of a grain of kind LANGUAGE is its tag; the names are BELA's and the released ones.
LANGUAGE, NEUTRAL, SOUND, UNDECIDED = "language", "neutral", "sound", "undecided"
_NEUTRALS = ("Red Dot", "Languageless")
_SOUNDS = ("Vocal Sounds", "Non Vocal Sounds", "Inaudible", "##", "###", "NON_SPEECH")
_LANGUAGES = (
    *("English", "Mandarin", "Malay", "Tamil", "Arabic", "Cantonese", "Hainanese", "Hakka", "Hokkien", "Teochew"),
    *("Other Bahasa", "Javanese", "Hindi", "Malayalam", "Punjabi", "Telugu", "NON_EVALUATED", "Non-Evaluated-Speech"),
)
_KINDS = {
    fold(tag): kind for kind, tags in ((NEUTRAL, _NEUTRALS), (SOUND, _SOUNDS), (LANGUAGE, _LANGUAGES)) for tag in tags
}
_SOUND_TOKEN = re.compile(r":[vs]:\S*|#{2,3}")


@dataclass(frozen=True)
class RawRecording:
    """The annotation of one recording: grains by start, end and speaker."""

    recording: str
    grains: list[Grain]
    redactions: list[Redaction] = field(default_factory=list)


def kind(language: str, text: str = "") -> str | None:
    """What a grain is: LANGUAGE, NEUTRAL, SOUND, or UNDECIDED (``#!#…``); None for an unknown tag.

    A grain whose text is nothing but ``:v:…``, ``:s:…``, ``##`` and ``###`` is a SOUND whatever its tag.
    """
    if language.strip().startswith("#!#"):
        return UNDECIDED
    tokens = text.split()
    if (tokens and all(map(_SOUND_TOKEN.fullmatch, tokens))) or _SOUND_TOKEN.fullmatch(language.strip()):
        return SOUND
    return _KINDS.get(fold(language))


def known_language(tag: str, file: Path, row: int) -> str:
    """The tag without blanks around it; InputError for one that is blank or unknown."""
    tag = tag.strip()
    if not tag:
        raise InputError("grain without a language; give it exactly one", file, row)
    if kind(tag) is None:
        hint = nearest(tag, (*_NEUTRALS, *_SOUNDS, *_LANGUAGES))
        raise InputError(f"language '{private(tag)}' is unknown; {hint}", file, row)
    return tag


def ordered(grains: Iterable[Grain]) -> list[Grain]:
    """Grains by start, end and speaker."""
    return sorted(grains, key=lambda g: (g.start_ms, g.end_ms, g.speaker or "", g.row))
