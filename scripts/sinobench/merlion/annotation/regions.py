"""What is left of the evaluated regions."""

from collections.abc import Mapping, Sequence

import numpy as np

from sinobench.merlion.intervals import Intervals, difference, intersection
from sinobench.merlion.tables import LABELLED

REDACTION, NON_EVALUATED = "redaction", "non-evaluated speech"


def strict_regions(
    regions: Intervals, redactions: Intervals, non_evaluated: Intervals
) -> tuple[np.ndarray, list[tuple[int, int, str]]]:
    """Evaluated regions less redactions and non-evaluated speech, and each piece that was taken, with its reason.

    Kept intervals and pieces are disjoint and together cover the regions; what is redacted and non-evaluated at once
    counts as redacted. Pieces are (start_ms, end_ms, reason), sorted. Source: plan, "Scoring" and "Personal
    Identifying Information".
    """
    redacted = intersection(regions, redactions)
    other = difference(intersection(regions, non_evaluated), redactions)
    kept = difference(regions, np.concatenate([redacted, other]))
    pieces = [
        (*map(int, pair), reason) for pairs, reason in ((redacted, REDACTION), (other, NON_EVALUATED)) for pair in pairs
    ]
    return kept, sorted(pieces)


def region_rows(
    recordings: Sequence[Mapping],
    regions: Mapping[str, Sequence[tuple[int, int]]],
    redactions: Mapping[str, Sequence[tuple[int, int]]],
    non_evaluated: Mapping[str, Sequence[tuple[int, int]]],
) -> tuple[list[dict], list[dict]]:
    """Rows of ``merlion_regions`` under both protocols, and of ``merlion_subtractions``.

    recordings: rows of ``merlion_recordings``; the others: (start_ms, end_ms) by recording. A corpus without regions is
    evaluated in full, as is each unlabelled recording that has none.
    """
    kept_rows, taken_rows = [], []
    for row in recordings:
        name = row["recording"]
        official = regions.get(name, [])
        if not official and (not regions or row["form"] not in LABELLED):
            official = [(0, row["duration_ms"])]
        strict, pieces = strict_regions(official, redactions.get(name, []), non_evaluated.get(name, []))
        key = {"corpus": row["corpus"], "recording": name}
        for protocol, intervals in (("official", official), ("strict", strict)):
            kept_rows += [
                key | {"protocol": protocol, "start_ms": int(start), "end_ms": int(end)} for start, end in intervals
            ]
        taken_rows += [key | {"start_ms": start, "end_ms": end, "reason": reason} for start, end, reason in pieces]
    return kept_rows, taken_rows
