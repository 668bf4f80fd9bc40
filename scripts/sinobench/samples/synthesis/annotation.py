"""Writes what people would have annotated, raw and as released, byte for byte the same every time."""

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from sinobench.samples.synthesis.conversation import Recording, joined
from sinobench.samples.synthesis.script import LANGUAGES

# No annotation knows when it was made.
_DATE = "2024-01-01T00:00:00Z"
_GAP_MS = 200


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])


def grain_rows(recording: Recording) -> list[tuple]:
    """audio_name, speaker, utterance, grain, start, end, language, text; utterances are numbered within a speaker."""
    numbers: dict[str, int] = {}
    rows = []
    for utterance in recording.utterances:
        numbers[utterance.speaker] = numbers.get(utterance.speaker, 0) + 1
        rows += [
            (
                f"{recording.name}.wav",
                utterance.speaker,
                numbers[utterance.speaker],
                number,
                placed.start_ms,
                placed.end_ms,
                LANGUAGES[placed.grain.code],
                placed.grain.text,
            )
            for number, placed in enumerate(utterance.grains, start=1)
        ]
    return rows


def redaction_rows(recording: Recording) -> list[tuple]:
    """audio_name, start, end, label; a name said across two utterances is one row, with the pause."""
    redactions = [redaction for utterance in recording.utterances for redaction in utterance.redactions]
    return [(f"{recording.name}.wav", *redaction) for redaction in joined(redactions, _GAP_MS)]


def write_eaf(recording: Recording, path: Path) -> None:
    """An ELAN file in the BELA convention: tiers ``Person (Utterance)``, (Chunk), (Language), (Sensitive_Masking)."""
    from pympi import Eaf

    eaf = Eaf(author="sinobench")
    eaf.adocument["DATE"] = _DATE
    eaf.remove_tier("default")
    eaf.add_linked_file(f"./{recording.name}.wav", relpath=f"./{recording.name}.wav", mimetype="audio/x-wav")
    for kind, constraint in (("Chunk", "Time_Subdivision"), ("Language", "Symbolic_Association")):
        eaf.add_linguistic_type(kind, constraint, timealignable=constraint == "Time_Subdivision")
    eaf.add_linguistic_type("Sensitive_Masking", "Included_In")
    for speaker in sorted({utterance.speaker for utterance in recording.utterances}):
        _add_speaker(eaf, recording, speaker)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)  # pympi would keep the old file as .bak
    eaf.to_file(path)


def _add_speaker(eaf, recording: Recording, speaker: str) -> None:
    utterance_tier = f"{speaker} (Utterance)"
    eaf.add_tier(utterance_tier)
    for kind, parent in (("Chunk", utterance_tier), ("Language", f"{speaker} (Chunk)")):
        eaf.add_tier(f"{speaker} ({kind})", kind, parent)
    eaf.add_tier(f"{speaker} (Sensitive_Masking)", "Sensitive_Masking", utterance_tier)

    def annotate(tier: str, first: str, last: str, value: str) -> str:
        # pympi's own call gives every annotation two times of its own; ELAN wants a chunk to share its neighbours'.
        annotation = eaf.generate_annotation_id()
        eaf.annotations[annotation] = tier
        eaf.tiers[tier][0][annotation] = first, last, value, None
        return annotation

    for utterance in recording.utterances:
        if utterance.speaker != speaker:
            continue
        times = [utterance.start_ms, *(placed.end_ms for placed in utterance.grains)]
        slots = [eaf.generate_ts_id(time) for time in times]
        text = " ".join(placed.grain.text for placed in utterance.grains)
        annotate(utterance_tier, slots[0], slots[-1], text)
        for number, placed in enumerate(utterance.grains):
            chunk = annotate(f"{speaker} (Chunk)", slots[number], slots[number + 1], placed.grain.text)
            language = eaf.generate_annotation_id()
            eaf.annotations[language] = f"{speaker} (Language)"
            value = LANGUAGES[placed.grain.code]
            eaf.tiers[f"{speaker} (Language)"][1][language] = chunk, value, None, None
        for start, end, label in utterance.redactions:
            mask = f"{speaker} (Sensitive_Masking)"
            annotate(mask, eaf.generate_ts_id(start), eaf.generate_ts_id(end), label)


def write_xlsx(path: Path, rows: Iterable[Sequence]) -> None:
    """A sheet of rows as they are, without the times that a workbook and its archive would carry."""
    from openpyxl import Workbook

    workbook = Workbook()
    for row in rows:
        workbook.active.append(row)
    made = io.BytesIO()
    workbook.save(made)
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(made) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "docProps/core.xml":
                content = re.sub(rb"\d{4}-\d\d-\d\dT[\d:.]+Z", _DATE.encode(), content)
            new.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
