"""What is left of the evaluated regions."""

import numpy as np

from sinobench.merlion.intervals import Intervals, difference, intersection

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
