"""The segments of a MERLIon corpus that are trials of language identification."""

from collections.abc import Iterable, Mapping

from sinobench.errors import InputError, private
from sinobench.merlion.annotation.labels import segment_id
from sinobench.merlion.languages import is_trial
from sinobench.merlion.pairs import pair_of
from sinobench.merlion.tables import Timestamp


def trial_rows(segments: Iterable[Mapping]) -> list[dict]:
    """Rows of ``lid_segments`` from rows of ``merlion_segments``, in their order.

    With languages, the English and Mandarin segments that no other language overlaps; without any, as in an evaluation
    set, all. Raises InputError for a corpus that has languages in a part of its segments, and for one without trials.
    Source: plan, "Evaluation metrics", Task 1.
    """
    segments = list(segments)
    unlabelled = [row for row in segments if row["language"] is None]
    if unlabelled and len(unlabelled) < len(segments):
        first = unlabelled[0]
        raise InputError(
            f"{len(unlabelled)} of {len(segments)} segments have no language, the first is "
            f"'{private(first['utt_id'])}' of '{first['recording']}'; give labels for all recordings, or "
            "timestamps for all"
        )
    kept = unlabelled or [row for row in segments if is_trial(row["language"], row["overlap_diff_lang"])]
    if not kept:
        raise InputError(
            f"none of {len(segments)} segments is English or Mandarin with overlap_diff_lang False; "
            "language identification has nothing to score"
        )
    return [
        {
            "corpus": row["corpus"],
            "segment_id": segment_id(Timestamp(*(row[name] for name in ("recording", "utt_id", "start_ms", "end_ms")))),
            "recording": row["recording"],
            "pair": pair_of(row["recording"]),
            "start_ms": row["start_ms"],
            "end_ms": row["end_ms"],
            "language": row["language"],
        }
        for row in kept
    ]
