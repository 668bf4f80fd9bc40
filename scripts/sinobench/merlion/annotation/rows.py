"""Rows of the MERLIon tables from what was read and recoded."""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa

from sinobench.merlion.annotation.corpus import Corpus
from sinobench.merlion.annotation.labels import RELEASED_FIELDS
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
)
from sinobench.results import arrow, tables

ORDER = ("recording", "start_ms", "end_ms", "row")  # of segments
REPEATED = ("corpus", "recording", "language", "status")  # their columns that say the same in many rows


def corpus_rows(name: str, corpus: Corpus, folder: str) -> dict[str, tuple[tables.Table, list[dict] | dict]]:
    """The tables of what was read of the corpus of this name, each with its rows or columns; folder: of its audio."""
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
        "segments": (SEGMENTS, corpus.segments | {"corpus": name}),
        "redactions": (REDACTIONS, tables.rows_of(REDACTIONS, corpus.redactions, corpus=name)),
        "regions": (REGIONS, tables.rows_of(REGIONS, corpus.regions, corpus=name, protocol="official")),
        "set_aside": (tables.SET_ASIDE, [row | {"task": "merlion", "corpus": name} for row in corpus.set_aside]),
    }


def recoded_segments(
    corpus: str,
    raw_grains: pa.Table,
    released: pa.Table,
    redactions: Sequence[Redaction],
    grains: list[dict],
    redaction_labels: list[dict],
    *,
    status: str,
    lenient: bool,
) -> pa.Table:
    """The table ``merlion_segments``, to be put in the order ``ORDER``: released recordings and raw ones, recoded.

    Rows of ``merlion_grains`` and ``merlion_redaction_labels`` are appended to the lists.
    raw_grains, released: tables of the corpus; status: the set's name in released labels.
    """
    masks = defaultdict(list)
    for redaction in redactions:
        masks[redaction.recording].append(redaction)
    parts = [arrow.encoded(released, *REPEATED)]
    segments = tables.Growing(lambda rows: parts.append(_of_rows(rows)))
    for name, own in _by_recording(raw_grains):
        recoded = recode(own, masks[name], lenient=lenient, file_level_fallback=lenient)
        for each in recoded.grains:
            row = vars(each.grain) | {"corpus": corpus, "raw_language": each.grain.language} | vars(each)
            grains.append({column: row[column] for column in GRAINS.columns})
        for each in recoded.redaction_labels:
            row = vars(each.redaction) | {"corpus": corpus} | vars(each)
            redaction_labels.append({column: row[column] for column in REDACTION_LABELS.columns})
        for segment in recoded.segments:
            segments.append(vars(segment) | {"corpus": corpus, "status": status})
    segments.finish()
    return pa.concat_tables(parts).unify_dictionaries()


def labelled(segments: pa.Table) -> Iterator[tuple]:
    """Those of the rows that have a language, for ``write_rows``."""
    language = RELEASED_FIELDS.index("language")
    columns = arrow.lists(segments, *REPEATED)
    rows = zip(*(columns[name] for name in RELEASED_FIELDS), strict=True)
    return (row for row in rows if row[language] is not None)


def _of_rows(rows: Sequence[Mapping]) -> pa.Table:
    columns = {name: [row[name] for row in rows] for name in SEGMENTS.columns}
    return arrow.encoded(tables.to_arrow(SEGMENTS, columns), *REPEATED)


def _by_recording(raw_grains: pa.Table) -> Iterator[tuple[str, list[Grain]]]:
    """The grains of each recording, by its name."""
    names, place = arrow.codes(raw_grains["recording"])
    order = np.argsort(place, kind="stable")
    bounds = np.searchsorted(place[order], np.arange(len(names) + 1))
    of_grain = raw_grains.select(list(Grain.__dataclass_fields__))
    for number in sorted(range(len(names)), key=names.__getitem__):
        own = of_grain.take(order[bounds[number] : bounds[number + 1]])
        yield names[number], [Grain(**row) for row in own.to_pylist()]
