"""Cantonese G2P, scored from Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sinobench.errors import InputError

if TYPE_CHECKING:
    from sinobench.results.scored import Result


def score(
    labels: Iterable[str | Sequence[str]],
    predictions: Iterable[str | None],
    *,
    units: Iterable[str] | None = None,
    intervals: bool = True,
    resamples: int = 10_000,
    level: float = 0.95,
    seed: int = 2023,
) -> Result:
    """The figures of n syllables, under both protocols.

    labels: (n,) Jyutping syllables such as ``gwong2``, a sequence of them where several are right. predictions: (n,),
    None where there is none. units: (n,) what is independent, as the sentence or poem of each; None: each item for
    itself.
    Raises InputError for another number of predictions or units, and a label that is no Jyutping.
    """
    from sinobench.g2p.breakdown import whole_scores
    from sinobench.g2p.metrics import score as outcomes_of
    from sinobench.g2p.syllables import decompose
    from sinobench.results.scored import result

    right = [[label] if isinstance(label, str) else list(label) for label in labels]
    outputs = [p if isinstance(p, str) else None for p in predictions]
    of = [str(place) for place in range(len(right))] if units is None else list(map(str, units))
    if not len(right) == len(outputs) == len(of):
        raise InputError(f"{len(right)} labels, {len(outputs)} predictions and {len(of)} units; give as many of each")
    if not right:
        raise InputError("there is no item to score")
    for place, label in ((place, label) for place, each in enumerate(right) for label in each or [""]):
        if decompose(label) is None:
            raise InputError(f"item {place}: the label '{label}' is no Jyutping syllable such as gwong2")
    outcomes = outcomes_of(right, outputs)
    return result(whole_scores(outcomes, [""] * len(of), of), "g2p", intervals, resamples, level, seed)
