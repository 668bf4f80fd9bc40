"""Raw annotation as ELAN files in the BELA convention.

Source: plan, Segmentation; BELA conventions (blipntu.github.io/belacon), their ELAN template of version 3.
"""

import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from xml.parsers import expat

from sinobench.errors import InputError, private
from sinobench.guard import bounded_memory, regular
from sinobench.merlion.annotation.grains import RawRecording, known_language, ordered
from sinobench.merlion.annotation.tables import bounds, merge_redactions, recording_name, redaction_label
from sinobench.merlion.tables import Grain, Redaction

if TYPE_CHECKING:
    from pympi import Eaf

_TIER = re.compile(r"(?P<person>.*\S)\s*\((?P<tier>Utterance|Chunk|Language|Sensitive_Masking)\)")
# 1,500 utterances make a file of 1 MB; parsed, a hostile file takes twenty times its size.
MAX_EAF_BYTES = 16 * 2**20
_IDS = {"TIER": "TIER_ID", "TIME_SLOT": "TIME_SLOT_ID"}
_IDS |= {"ALIGNABLE_ANNOTATION": "ANNOTATION_ID", "REF_ANNOTATION": "ANNOTATION_ID"}


def read_eaf(path: str | Path) -> RawRecording:
    """One ELAN file, named as its recording, with tiers ``Person (Utterance|Chunk|Language|Sensitive_Masking)``.

    Other tiers are not read; an utterance's name is its annotation's id and a row is a line of the file. Masks of
    different persons may overlap and none has to lie in an utterance: whatever is marked is to be masked. Raises
    InputError for XML that is broken, declares entities or has two tiers or annotations of one id; for chunks that do
    not divide their utterance without gaps; for a chunk without exactly one known language; for wrong times.
    """
    path = Path(path)
    recording = recording_name(path.name.removesuffix(".eaf"), path, 1)
    eaf, lines = _parsed(path)
    tiers: dict[str, dict[str, str]] = defaultdict(dict)
    for name in eaf.tiers:
        match = _TIER.fullmatch(name.strip())
        if match and match["tier"] in tiers[match["person"]]:
            message = f"has two tiers '{private(match['person'])} ({match['tier']})'; join them in ELAN"
            raise InputError(message, path)
        if match:
            tiers[match["person"]][match["tier"]] = name
    if not any("Utterance" in of_person for of_person in tiers.values()):
        raise InputError(f"has no tier 'Person (Utterance)', only {private(', '.join(map(repr, eaf.tiers)))}", path)
    document = _Document(path, recording, eaf, lines)
    grains, redactions = [], []
    for person, of_person in sorted(tiers.items()):
        grains += document.grains(person, of_person)
        redactions += document.redactions(of_person)
    return RawRecording(recording, ordered(grains), sorted(redactions, key=lambda r: (r.start_ms, r.end_ms, r.row)))


@dataclass(frozen=True)
class _Document:
    """An ELAN file as pympi gives it, with the line of each annotation."""

    path: Path
    recording: str
    eaf: "Eaf"
    lines: dict[str, int]

    def grains(self, person: str, tiers: dict[str, str]) -> list[Grain]:
        utterances, chunks = (self._spans(tiers.get(name)) for name in ("Utterance", "Chunk"))
        languages = self._languages(tiers.get("Language"), {chunk for chunk, *_ in chunks})
        grains, rest = [], chunks[::-1]
        for utterance, start_ms, end_ms, _ in utterances:
            reached = start_ms
            while rest and rest[-1][1] < end_ms:
                chunk, chunk_start, chunk_end, text = rest.pop()
                line = self.lines[chunk]
                if chunk_start != reached or chunk_end > end_ms:
                    raise InputError(
                        f"chunk {private(chunk_start, chunk_end)} of tier '{private(tiers['Chunk'])}' does not follow "
                        f"on {private(reached)} in utterance {private(start_ms, end_ms)}; chunks leave no gaps",
                        self.path,
                        line,
                    )
                language = known_language(languages.get(chunk, ""), self.path, line)
                grains.append(Grain(self.recording, person, utterance, chunk_start, chunk_end, language, text, line))
                reached = chunk_end
            if reached != end_ms:
                raise InputError(
                    f"utterance {private(start_ms, end_ms)} of tier '{private(tiers['Utterance'])}' has no chunk from "
                    f"{private(reached)} on; chunks must divide it without gaps",
                    self.path,
                    self.lines[utterance],
                )
        for chunk, start_ms, end_ms, _ in rest:
            message = (
                f"chunk {private(start_ms, end_ms)} of tier '{private(tiers['Chunk'])}' lies in no utterance of "
                "its person"
            )
            raise InputError(message, self.path, self.lines[chunk])
        return grains

    def redactions(self, tiers: dict[str, str]) -> list[Redaction]:
        redactions = []
        for annotation, start_ms, end_ms, value in self._spans(tiers.get("Sensitive_Masking")):
            line = self.lines[annotation]
            label = redaction_label(value, self.path, line)
            redactions.append(Redaction(self.recording, start_ms, end_ms, label, line))
        return merge_redactions(redactions, self.path)

    def _spans(self, tier: str | None) -> list[tuple[str, int, int, str]]:
        """(id, start, end, value) of the annotations of a tier with times of its own, by start."""
        spans = []
        for annotation, (first, last, value, _) in (self.eaf.tiers[tier][0] if tier else {}).items():
            times = self.eaf.timeslots.get(first), self.eaf.timeslots.get(last)
            if None in times:
                message = (
                    f"annotation {private(annotation)} of tier '{private(tier)}' has a border without a time; place it "
                    "in ELAN"
                )
                raise InputError(message, self.path, self.lines[annotation])
            spans.append((annotation, *bounds(*map(str, times), self.path, self.lines[annotation]), value.strip()))
        return sorted(spans, key=lambda span: (span[1], span[2]))

    def _languages(self, tier: str | None, chunks: set[str]) -> dict[str, str]:
        languages: dict[str, str] = {}
        timed, references = self.eaf.tiers[tier][:2] if tier else ({}, {})
        for annotation in timed:
            raise self._language_error(tier, annotation, "has times of its own")
        for annotation, (chunk, value, _, _) in references.items():
            if chunk not in chunks:
                raise self._language_error(
                    tier, annotation, f"refers to '{private(chunk)}', which is no chunk of this person"
                )
            if chunk in languages:
                raise self._language_error(tier, annotation, f"is the second language of chunk {private(chunk)}")
            languages[chunk] = value
        return languages

    def _language_error(self, tier: str, annotation: str, problem: str) -> InputError:
        message = (
            f"annotation {private(annotation)} of tier '{private(tier)}' {problem}; each chunk has one language that "
            "refers to it"
        )
        return InputError(message, self.path, self.lines[annotation])


def _parsed(path: Path) -> tuple["Eaf", dict[str, int]]:
    with bounded_memory(path):
        lines = _scanned(path)
    from pympi import Eaf

    try:
        with bounded_memory(path):
            eaf = Eaf(str(path), suppress_version_warning=True)
    except InputError:
        raise
    except Exception as error:  # pympi fails with KeyError, IndexError or ValueError where something is missing
        problem = f"{type(error).__name__}: {private(error)}"
        raise InputError(f"is no complete ELAN file ({problem}); open it in ELAN and save it anew", path) from None
    unit = eaf.header.get("TIME_UNITS", "milliseconds")
    if unit != "milliseconds":
        raise InputError(f"has times in '{private(unit)}'; expected milliseconds", path)
    return eaf, lines


def _scanned(path: Path) -> dict[str, int]:
    """The line of each annotation, once it is sure that pympi can read the file safely and loses nothing of it.

    pympi lets a second tier or annotation of one id replace the first, and its parser would expand entities.
    """
    lines: dict[tuple[str, str], int] = {}
    parser = expat.ParserCreate()

    def start_element(name: str, attributes: dict[str, str]) -> None:
        line = parser.CurrentLineNumber
        if not lines and name != "ANNOTATION_DOCUMENT":
            raise InputError(f"begins with <{private(name)}>; expected an ELAN file, <ANNOTATION_DOCUMENT>", path, line)
        attribute = _IDS.get(name, "")
        # An element without an id is kept once too: only the very first is asked for its name.
        key = (attribute, attributes.get(attribute, ""))
        if attribute and key in lines:
            raise InputError(f"{attribute} '{private(key[1])}' stands twice, first on line {lines[key]}", path, line)
        lines.setdefault(key, line)

    def refuse_doctype(*_: object) -> None:
        raise InputError("declares a DOCTYPE, which no ELAN file has; remove it", path, parser.CurrentLineNumber)

    parser.StartElementHandler = start_element
    parser.StartDoctypeDeclHandler = refuse_doctype
    try:
        if regular(path).stat().st_size > MAX_EAF_BYTES:
            raise InputError(f"is larger than {MAX_EAF_BYTES // 2**20} MiB, too large for an annotation", path)
        parser.Parse(path.read_bytes(), True)
    except OSError as error:
        raise InputError(f"can't be read ({error.strerror}); give an existing, readable file", path) from None
    except InputError:
        raise
    except (LookupError, ValueError):  # an encoding that expat lacks: it takes UTF-8, UTF-16 and those of single bytes
        raise InputError(
            "declares an encoding that ELAN does not write; save it anew in ELAN, as UTF-8", path
        ) from None
    except expat.ExpatError as error:
        problem = expat.ErrorString(error.code)
        raise InputError(f"is broken XML ({problem}); save it anew in ELAN", path, error.lineno) from None
    return {name: line for (attribute, name), line in lines.items() if attribute == "ANNOTATION_ID"}
