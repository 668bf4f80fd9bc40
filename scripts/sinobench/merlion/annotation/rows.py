"""Rows of the MERLIon tables from what was read and recoded, and back."""

import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from sinobench.merlion.annotation.corpus import Corpus
from sinobench.merlion.annotation.labels import Segment
from sinobench.merlion.annotation.raw import Grain
from sinobench.merlion.annotation.recode import recode
from sinobench.merlion.annotation.tables import Redaction
from sinobench.merlion.pairs import pair_of
from sinobench.merlion.tables import RAW_GRAINS, RECORDINGS, REDACTIONS, REGIONS, SEGMENTS
from sinobench.results import tables


@dataclass(frozen=True)
class RecodedRows:
    """Rows of ``merlion_segments``, ``merlion_grains`` and ``merlion_redaction_labels`` of a whole corpus."""

    segments: list[dict]
    grains: list[dict]
    redaction_labels: list[dict]

    def labels(self) -> list[Segment]:
        """The segments that have a language."""
        return [Segment(**_without_corpus(row)) for row in self.segments if row["language"] is not None]


def corpus_rows(name: str, corpus: Corpus, folder: str) -> dict[str, tuple[tables.Table, list[dict]]]:
    """The tables of what was read of the corpus of this name, each with its rows; folder: of its audio."""
    recordings = [
        {
            "recording": recording,
            "pair": pair_of(recording),
            "form": corpus.form[recording],
            "path": os.path.relpath(audio.path, folder),
            "sample_rate_hz": audio.sample_rate_hz,
            "n_samples": audio.n_samples,
            "duration_ms": audio.duration_ms,
        }
        for recording, audio in corpus.audio.items()
    ]
    parts = {
        "recordings": (RECORDINGS, recordings),
        "raw_grains": (RAW_GRAINS, map(asdict, corpus.grains)),
        "segments": (SEGMENTS, map(asdict, corpus.segments)),
        "redactions": (REDACTIONS, map(asdict, corpus.redactions)),
        "regions": (REGIONS, [asdict(region) | {"protocol": "official"} for region in corpus.regions]),
        "set_aside": (tables.SET_ASIDE, [row | {"task": "merlion"} for row in corpus.set_aside]),
    }
    return {
        part: (table, [row | {"corpus": name} for row in tables.part(table, list(rows))])
        for part, (table, rows) in parts.items()
    }


def recoded_rows(
    corpus: str,
    raw_grains: Iterable[Mapping],
    segments: Iterable[Mapping],
    redactions: Iterable[Mapping],
    *,
    status: str,
    lenient: bool,
) -> RecodedRows:
    """The raw recordings of a corpus recoded, together with the segments that were read in released form.

    Arguments are rows of ``merlion_raw_grains``, ``merlion_segments`` and ``merlion_redactions``; status: the set's
    name in released labels.
    """
    grains = [Grain(**_without_corpus(row)) for row in raw_grains]
    raw = {grain.recording for grain in grains}
    masks = [Redaction(**_without_corpus(row)) for row in redactions if row["recording"] in raw]
    recoded = recode(grains, masks, lenient=lenient, file_level_fallback=lenient)
    new = [vars(segment) | {"status": status, "corpus": corpus} for segment in recoded.segments]
    order = ("recording", "start_ms", "end_ms", "row")
    return RecodedRows(
        segments=sorted([*segments, *new], key=lambda row: [row[name] for name in order]),
        grains=[
            {
                "corpus": corpus,
                "recording": each.grain.recording,
                "speaker": each.grain.speaker,
                "utterance": each.grain.utterance,
                "start_ms": each.grain.start_ms,
                "end_ms": each.grain.end_ms,
                "raw_language": each.grain.language,
                "language": each.language,
                "rule": each.rule,
            }
            for each in recoded.grains
        ],
        redaction_labels=[
            {
                "corpus": corpus,
                "recording": each.redaction.recording,
                "speaker": each.speaker,
                "utterance": each.utterance,
                "start_ms": each.start_ms,
                "end_ms": each.end_ms,
                "label": each.redaction.label,
                "language": each.language,
            }
            for each in recoded.redaction_labels
        ],
    )


def _without_corpus(row: Mapping) -> dict:
    return {name: value for name, value in row.items() if name != "corpus"}
