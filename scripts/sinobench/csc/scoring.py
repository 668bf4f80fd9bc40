"""Chinese spelling check, scored from Python."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sinobench.errors import InputError

if TYPE_CHECKING:
    from sinobench.results.scored import Result


def score(
    inputs: Iterable[str],
    golds: Iterable[str | Sequence[str]],
    predictions: Iterable[str | None],
    *,
    ignoring: str = "",
    intervals: bool = True,
    resamples: int = 10_000,
    level: float = 0.95,
    seed: int = 2023,
) -> Result:
    """The figures of n corrected sentences, under both protocols, as a run of the workflow has them.

    inputs, golds, predictions: (n,) texts; of a sentence with several references a sequence of them; None for a
    sentence without a prediction, which counts as unchanged. ignoring: characters that a further subset leaves out.
    Raises InputError for another number of texts and an empty input or gold.
    """
    from sinobench.csc.breakdown import compare_outputs
    from sinobench.csc.gathered import scores
    from sinobench.results.scored import result

    texts, outputs = list(inputs), [p if isinstance(p, str) else None for p in predictions]
    references = [[gold] if isinstance(gold, str) else list(gold) for gold in golds]
    if not len(texts) == len(references) == len(outputs):
        raise InputError(
            f"{len(texts)} inputs, {len(references)} golds and {len(outputs)} predictions; give as many of each"
        )
    if not texts:
        raise InputError("there is no sentence to score")
    for place, (text, of) in enumerate(zip(texts, references, strict=True)):
        if not text or not of or any(len(gold) != len(text) for gold in of):
            raise InputError(f"sentence {place}: expected a text and golds of its length, found '{text}' and {of}")
    compared = compare_outputs([str(n) for n in range(len(texts))], texts, references, outputs)
    return result(scores(compared, ignoring), "csc", intervals, resamples, level, seed)
