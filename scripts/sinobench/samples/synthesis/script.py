"""Scenes as data: reads the notation of ``utterances.py``."""

import re
from dataclasses import dataclass

from sinobench.samples.synthesis import utterances

# The original label of a grain, as annotators write it.
LANGUAGES = {
    "E": "English",
    "M": "Mandarin",
    "R": "Red Dot",
    "L": "Languageless",
    "V": "Vocal Sounds",
    "S": "Non Vocal Sounds",
    "U": "Inaudible",
    "Y": "Malay",
    "H": "Hokkien",
}
# What a grain becomes when nothing is written; neutral grains always have it written.
_LABELS = {"E": "E", "M": "M", "V": "N", "S": "N", "U": "N", "Y": "X", "H": "X"}
_REDACTIONS = {"": "BABYNAME", "+": "ADULTNAME", "!": "CONFIDENTIAL", "?": ":PROTECTION-CHECK"}
_GRAIN = re.compile(r"(?P<code>[EMRLVSUYH]) (?P<text>.+?)(?: > (?P<label>[EMXN?])(?P<reason>[*=]?))?")
_PIECE = re.compile(r"\[(?P<kind>[+!?]?)(?P<redacted>[^\]]+)\]|(?P<open>[^\[]+)")


@dataclass(frozen=True)
class Piece:
    """What is synthesized in one go; ``redaction`` is its masking label or None."""

    text: str
    redaction: str | None


@dataclass(frozen=True)
class Grain:
    """A part of an utterance with one original label, ``code``.

    label: what recoding must give: E, M, X, N, or ``?`` for the speaker's main language. reason: ``*`` the longest
    language of the utterance, ``=`` the preceding of two equally long ones, or nothing.
    """

    code: str
    pieces: tuple[Piece, ...]
    label: str
    reason: str

    @property
    def text(self) -> str:
        return (" " if self.code in "EYH" else "").join(piece.text for piece in self.pieces)


@dataclass(frozen=True)
class Utterance:
    """Grains without a gap between them; ``timing`` is the separator before it: ``/``, ``//`` or ``/~``."""

    role: str
    grains: tuple[Grain, ...]
    timing: str

    @property
    def redacted(self) -> bool:
        return any(piece.redaction for grain in self.grains for piece in grain.pieces)


@dataclass(frozen=True)
class Scene:
    """Utterances that belong together, and the situations they show."""

    utterances: tuple[Utterance, ...]
    situations: tuple[str, ...]

    @property
    def plain(self) -> str | None:
        """The language code of a scene of one grain in a target language, else None."""
        grains = self.utterances[0].grains
        alone = len(self.utterances) == len(grains) == 1 and not self.situations
        return grains[0].code if alone else None


def scenes() -> list[Scene]:
    """All scenes between a parent and a child."""
    return _read(utterances.PLAIN + utterances.MIXED + utterances.REDACTED)


def visits() -> list[Scene]:
    """Scenes of a third person; a recording has at most one of them."""
    return _read(utterances.VISITS)


def _read(lines: str) -> list[Scene]:
    return [_scene(line) for line in lines.splitlines() if line]


def _scene(line: str) -> Scene:
    spoken, _, situations = line.partition(" # ")
    parts = ["/", *re.split(r" (//|/~|/) ", spoken)]
    return Scene(
        tuple(_utterance(part, timing) for timing, part in zip(parts[::2], parts[1::2], strict=True)),
        tuple(situations.split()),
    )


def _utterance(text: str, timing: str) -> Utterance:
    return Utterance(text[0], tuple(_grain(part.strip()) for part in text[2:].split(" | ")), timing)


def _grain(text: str) -> Grain:
    match = _GRAIN.fullmatch(text)
    if match is None or not (match["label"] or match["code"] in _LABELS):
        raise ValueError(f"grain '{text}' is not in the notation, or neutral without its label")
    pieces = tuple(
        Piece(piece["open"].strip(), None)
        if piece["open"]
        else Piece(piece["redacted"].strip(), _REDACTIONS[piece["kind"]])
        for piece in _PIECE.finditer(match["text"])
        if piece[0].strip()
    )
    return Grain(match["code"], pieces, match["label"] or _LABELS[match["code"]], match["reason"] or "")
