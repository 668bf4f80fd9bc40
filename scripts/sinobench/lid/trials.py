"""The segments of a MERLIon corpus that are trials of language identification."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import compress
from typing import TYPE_CHECKING

from sinobench.errors import InputError, private
from sinobench.merlion.annotation.labels import segment_ids
from sinobench.merlion.languages import is_trial
from sinobench.merlion.pairs import pair_of
from sinobench.results.tables import ROWS_AT_ONCE

if TYPE_CHECKING:
    import pyarrow as pa


def trial_parts(corpus: str, segments: pa.Table) -> Iterator[dict]:
    """Columns of ``lid_segments`` from ``merlion_segments`` of a corpus, in its order, some rows at a time.

    With languages, the English and Mandarin segments that no other language overlaps; without any, as in an evaluation
    set, all. Raises InputError for a corpus that has languages in a part of its segments, and for one without trials.
    Source: plan, "Evaluation metrics", Task 1.
    """
    n_unlabelled, n_trials = segments["language"].null_count, 0
    if 0 < n_unlabelled < segments.num_rows:
        first = segments.slice(segments["language"].is_null().index(True).as_py(), 1).to_pylist()[0]
        raise InputError(
            f"{n_unlabelled} of {segments.num_rows} segments have no language, the first is "
            f"'{private(first['utt_id'])}' of '{first['recording']}'; give labels for all recordings, or "
            "timestamps for all"
        )
    for start in range(0, segments.num_rows, ROWS_AT_ONCE):
        columns = segments.slice(start, ROWS_AT_ONCE).to_pydict()
        if not n_unlabelled:
            kept = list(map(is_trial, columns["language"], columns["overlap_diff_lang"]))
            columns = {name: list(compress(values, kept)) for name, values in columns.items()}
        n_trials += len(columns["recording"])
        yield {
            "corpus": corpus,
            "segment_id": segment_ids(columns),
            "recording": columns["recording"],
            "pair": list(map(pair_of, columns["recording"])),
            **{name: columns[name] for name in ("start_ms", "end_ms", "language")},
        }
    if not n_trials:
        raise InputError(
            f"none of {segments.num_rows} segments is English or Mandarin with overlap_diff_lang False; "
            "language identification has nothing to score"
        )
