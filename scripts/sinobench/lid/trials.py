"""The segments of a MERLIon corpus that are trials of language identification."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sinobench.errors import InputError, private
from sinobench.merlion.languages import TARGETS
from sinobench.merlion.pairs import pair_of
from sinobench.results import arrow
from sinobench.results.tables import ROWS_AT_ONCE

if TYPE_CHECKING:
    import pyarrow as pa

COLUMNS = ("recording", "utt_id", "start_ms", "end_ms", "language", "overlap_diff_lang")


def trial_parts(corpus: str, segments: pa.Table) -> Iterator[dict]:
    """Columns of ``lid_segments`` from those of ``merlion_segments``, in its order, some rows at a time.

    segments: ``COLUMNS`` of a corpus. With languages, the English and Mandarin segments that no other language
    overlaps; without any, as in an evaluation set, all. Raises InputError for a corpus that has languages in a part of
    its segments, and for one without trials. Source: plan, "Evaluation metrics", Task 1.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    n_unlabelled, n_trials = segments["language"].null_count, 0
    if 0 < n_unlabelled < segments.num_rows:
        first = segments.slice(segments["language"].is_null().index(True).as_py(), 1).to_pylist()[0]
        raise InputError(
            f"{n_unlabelled} of {segments.num_rows} segments have no language, the first is "
            f"'{private(first['utt_id'])}' of '{first['recording']}'; give labels for all recordings, or "
            "timestamps for all"
        )
    for start in range(0, segments.num_rows, ROWS_AT_ONCE):
        part = segments.slice(start, ROWS_AT_ONCE)
        if not n_unlabelled:
            is_overlapped = pc.fill_null(part["overlap_diff_lang"], False)
            is_target = pc.is_in(part["language"].cast(pa.string()), pa.array(TARGETS))
            part = part.filter(pc.and_(is_target, pc.invert(is_overlapped)))
        n_trials += part.num_rows
        names, place = arrow.codes(part["recording"])
        pairs = pa.array(list(map(pair_of, names)), pa.string())
        parts_of_id = (part[name].cast(pa.string()) for name in ("recording", "utt_id", "start_ms", "end_ms"))
        yield {
            "corpus": corpus,
            "segment_id": pc.binary_join_element_wise(*parts_of_id, "_"),
            "recording": part["recording"],
            "pair": pairs.take(pa.array(place)),
            **{name: part[name] for name in ("start_ms", "end_ms", "language")},
        }
    if not n_trials:
        raise InputError(
            f"none of {segments.num_rows} segments is English or Mandarin with overlap_diff_lang False; "
            "language identification has nothing to score"
        )
