"""Language identification, scored from Python."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from sinobench.errors import InputError

if TYPE_CHECKING:
    from sinobench.results.scored import Result


def score(
    languages: Iterable[str],
    scores: Iterable[float],
    *,
    recordings: Iterable[str] | None = None,
    intervals: bool = True,
    resamples: int = 10_000,
    level: float = 0.95,
    seed: int = 2023,
) -> Result:
    """The figures of n segments, under both protocols.

    languages: (n,) ``English`` or ``Mandarin``. scores: (n,) log-likelihood ratios, above 0 for English. recordings:
    (n,) what is independent, the recording of each, or the parent–child pair; None: each segment for itself.
    Raises InputError for another number of scores or recordings, another language, and a score that is no number.
    """
    import numpy as np

    from sinobench.lid.breakdown import whole_scores
    from sinobench.results.scored import result

    truth, ratios = list(languages), np.asarray(list(scores), np.float64)
    of = [str(place) for place in range(len(truth))] if recordings is None else list(map(str, recordings))
    if ratios.ndim != 1 or not len(truth) == len(ratios) == len(of):
        raise InputError(f"{len(truth)} languages, {len(ratios)} scores and {len(of)} recordings; give as many of each")
    if not truth:
        raise InputError("there is no segment to score")
    for place, (language, ratio) in enumerate(zip(truth, ratios, strict=True)):
        if language not in ("English", "Mandarin") or not np.isfinite(ratio):
            raise InputError(
                f"segment {place}: expected English or Mandarin and a number, found '{language}' and {ratio}"
            )
    is_english = np.array([language == "English" for language in truth])
    segments = np.column_stack([ratios / 2, -ratios / 2, is_english])
    return result(whole_scores(segments, of), "lid", intervals, resamples, level, seed)
