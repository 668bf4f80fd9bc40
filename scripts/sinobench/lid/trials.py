"""The segments of a MERLIon corpus that are trials of language identification."""

from collections.abc import Sequence

from sinobench.errors import InputError, private
from sinobench.merlion.annotation.labels import segment_id
from sinobench.merlion.languages import is_trial
from sinobench.merlion.pairs import pair_of
from sinobench.merlion.tables import Segment


def trial_rows(corpus: str, segments: Sequence[Segment]) -> list[dict]:
    """Rows of ``lid_segments`` from the segments of a corpus, in their order.

    With languages, the English and Mandarin segments that no other language overlaps; without any, as in an evaluation
    set, all. Raises InputError for a corpus that has languages in a part of its segments, and for one without trials.
    Source: plan, "Evaluation metrics", Task 1.
    """
    unlabelled = [segment for segment in segments if segment.language is None]
    if unlabelled and len(unlabelled) < len(segments):
        first = unlabelled[0]
        raise InputError(
            f"{len(unlabelled)} of {len(segments)} segments have no language, the first is "
            f"'{private(first.utt_id)}' of '{first.recording}'; give labels for all recordings, or "
            "timestamps for all"
        )
    kept = unlabelled or [each for each in segments if is_trial(each.language, each.overlap_diff_lang)]
    if not kept:
        raise InputError(
            f"none of {len(segments)} segments is English or Mandarin with overlap_diff_lang False; "
            "language identification has nothing to score"
        )
    return [
        {
            "corpus": corpus,
            "segment_id": segment_id(segment),
            "recording": segment.recording,
            "pair": pair_of(segment.recording),
            "start_ms": segment.start_ms,
            "end_ms": segment.end_ms,
            "language": segment.language,
        }
        for segment in kept
    ]
