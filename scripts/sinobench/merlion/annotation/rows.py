"""Rows of the MERLIon tables from what was read and recoded."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sinobench.merlion.annotation.corpus import Corpus
from sinobench.merlion.annotation.recode import recode
from sinobench.merlion.pairs import pair_of
from sinobench.merlion.tables import (
    GRAINS,
    RAW_GRAINS,
    RECORDINGS,
    REDACTION_LABELS,
    REDACTIONS,
    REGIONS,
    SEGMENTS,
    Grain,
    Recording,
    Redaction,
    Segment,
)
from sinobench.results import tables


@dataclass(frozen=True)
class RecodedRows:
    """Of a whole corpus the segments that have a language, and rows of three tables."""

    labels: list[Segment]
    segments: list[dict]
    grains: list[dict]
    redaction_labels: list[dict]


def corpus_rows(name: str, corpus: Corpus, folder: str) -> dict[str, tuple[tables.Table, list[dict]]]:
    """The tables of what was read of the corpus of this name, each with its rows; folder: of its audio."""
    recordings = [
        Recording(
            recording=recording,
            pair=pair_of(recording),
            form=corpus.form[recording],
            path=os.path.relpath(audio.path, folder),
            sample_rate_hz=audio.sample_rate_hz,
            n_samples=audio.n_samples,
            duration_ms=audio.duration_ms,
        )
        for recording, audio in corpus.audio.items()
    ]
    return {
        "recordings": (RECORDINGS, tables.rows_of(RECORDINGS, recordings, corpus=name)),
        "raw_grains": (RAW_GRAINS, tables.rows_of(RAW_GRAINS, corpus.grains, corpus=name)),
        "segments": (SEGMENTS, tables.rows_of(SEGMENTS, corpus.segments, corpus=name)),
        "redactions": (REDACTIONS, tables.rows_of(REDACTIONS, corpus.redactions, corpus=name)),
        "regions": (REGIONS, tables.rows_of(REGIONS, corpus.regions, corpus=name, protocol="official")),
        "set_aside": (tables.SET_ASIDE, [row | {"task": "merlion", "corpus": name} for row in corpus.set_aside]),
    }


def recoded_rows(
    corpus: str,
    grains: Sequence[Grain],
    segments: Sequence[Segment],
    redactions: Sequence[Redaction],
    *,
    status: str,
    lenient: bool,
) -> RecodedRows:
    """The raw recordings of a corpus recoded, together with the segments that were read in released form.

    status: the set's name in released labels.
    """
    raw = {grain.recording for grain in grains}
    masks = [redaction for redaction in redactions if redaction.recording in raw]
    recoded = recode(grains, masks, lenient=lenient, file_level_fallback=lenient)
    together = sorted(
        [*segments, *(replace(segment, status=status) for segment in recoded.segments)],
        key=lambda segment: (segment.recording, segment.start_ms, segment.end_ms, segment.row),
    )
    grain_rows = [
        vars(each.grain) | {"corpus": corpus, "raw_language": each.grain.language} | vars(each)
        for each in recoded.grains
    ]
    label_rows = [vars(each.redaction) | {"corpus": corpus} | vars(each) for each in recoded.redaction_labels]
    return RecodedRows(
        labels=[segment for segment in together if segment.language is not None],
        segments=tables.rows_of(SEGMENTS, together, corpus=corpus),
        grains=tables.part(GRAINS, grain_rows),
        redaction_labels=tables.part(REDACTION_LABELS, label_rows),
    )
