"""Accuracy and phoneme error rate (PER) of Cantonese G2P, under both protocols, item by item and summed.

``strict``: every item counts; an output that is absent, no Jyutping or not aligned with its text is wrong in all four
components. ``official``: the published script, which drops an item whose output list does not reach the target.
Source: "Metrics" of the benchmark's README; its calculate_accuracy and calculate_per.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from sinobench.coded import Coded
from sinobench.errors import short
from sinobench.g2p.syllables import COMPONENTS, SYLLABLE_SHAPE, decompose
from sinobench.score import ratio

NULL_COMPONENT = "∅"
PROTOCOLS = ("strict", "official")
COUNTS = ("n", "right", *COMPONENTS)  # columns of ``count``


@dataclass(frozen=True)
class Outcomes:
    """The outcome of each of n items; every array has n rows.

    ``wrong`` (n, 4, bool) says which component differs from the nearest label, the first of those with the fewest
    differing components; ``usable`` is False where strict counts all four as errors.
    """

    wrong: np.ndarray
    official_wrong: np.ndarray
    nearest_label: np.ndarray  # index into the item's labels
    usable: np.ndarray
    dropped: np.ndarray


def score(
    labels: Sequence[Sequence[str]],
    predictions: Sequence[str | None],
    positions: Sequence[int] | None = None,
    text_lengths: Sequence[int] | None = None,
    output_lengths: Sequence[int] | None = None,
) -> Outcomes:
    """Compare n predicted syllables with the labels of their n targets.

    labels: one or more valid syllables an item. predictions: a syllable, or None. positions (0-based), text_lengths
    and output_lengths: in code points and list entries. Without output_lengths every output is taken as aligned;
    without text_lengths (the scorer's TSV, where a length only says how far the output reached) as aligned where it
    reaches the target.
    """
    labels, predictions = (_by_value(column) for column in (labels, predictions))
    n = len(predictions)
    flat = list(chain.from_iterable(labels.values))
    of_value = np.fromiter(map(len, labels.values), np.int64, len(labels.values))
    counts = of_value[labels.place]
    starts = np.cumsum(counts) - counts
    rank = np.arange(counts.sum()) - np.repeat(starts, counts)
    label = np.repeat((np.cumsum(of_value) - of_value)[labels.place], counts) + rank
    syllables = list({*flat, *predictions.values})
    code_of = {syllable: code for code, syllable in enumerate(syllables)}
    components = _component_codes(syllables)
    label_codes, prediction_codes = (
        np.fromiter(map(code_of.__getitem__, each), np.int64, len(each)) for each in (flat, predictions.values)
    )

    predicted = components[prediction_codes[predictions.place]]
    differs = components[label_codes[label]] != np.repeat(predicted, counts, axis=0)
    stride = int(counts.max(initial=1))
    best = np.minimum.reduceat(differs.sum(axis=1) * stride + rank, starts) if n else np.zeros(0, np.int64)
    nearest = best % stride
    official_wrong = differs[starts + nearest] if n else np.zeros((0, 4), bool)
    parsed = predicted[:, 3] >= 0

    dropped = np.zeros(n, bool)
    usable = parsed
    if output_lengths is not None:
        lengths = np.asarray(output_lengths)
        dropped = lengths <= np.asarray(positions)
        usable = parsed & (~dropped if text_lengths is None else lengths == np.asarray(text_lengths))
    return Outcomes(official_wrong | ~usable[:, None], official_wrong | ~parsed[:, None], nearest, usable, dropped)


def _by_value(column: Sequence) -> Coded:
    return column if isinstance(column, Coded) else Coded(column, np.arange(len(column)))


def problem(prediction: str | None, text_length: int, output_length: int | None) -> str | None:
    """Why an output is not usable under strict, or None where it is."""
    if output_length is not None and output_length != text_length:
        return f"output has {output_length} entries for {text_length} characters"
    if prediction is None:
        return "no prediction"
    if decompose(prediction):
        return None
    lacks_tone = decompose(f"{prediction}1") is not None
    return f"'{short(prediction)}' {'has no tone' if lacks_tone else 'is no Jyutping syllable'}"


def clean(prediction: str | None) -> str | None:
    """Upstream's cleaning: what is not letters and one tone digit counts as no prediction."""
    return prediction if prediction is not None and SYLLABLE_SHAPE.fullmatch(prediction) else None


def count(outcomes: Outcomes) -> dict[str, np.ndarray]:
    """By protocol (n, len(COUNTS)) uint8: whether an item counts, is right, and is wrong in each component.

    An item that official drops is a row of zeros there.
    """
    kept = ~outcomes.dropped
    return {
        protocol: np.column_stack([counted, counted & ~wrong.any(axis=1), counted[:, None] & wrong]).astype(np.uint8)
        for protocol, counted, wrong in zip(
            PROTOCOLS, (np.ones_like(kept), kept), (outcomes.wrong, outcomes.official_wrong), strict=True
        )
    }


def rates(counts: np.ndarray) -> dict[str, np.ndarray]:
    """The metrics of ``COUNTS`` (6, ...) summed over items; NaN over none."""
    n, _, *errors = counts
    each = zip(COMPONENTS, errors, strict=True)
    return main_rates(counts) | {f"{component}_error_rate": ratio(wrong, n) for component, wrong in each}


def main_rates(counts: np.ndarray) -> dict[str, np.ndarray]:
    """Accuracy and PER alone."""
    n, right, *errors = counts
    return {"accuracy": ratio(right, n), "per": ratio(sum(errors), 4 * n)}


def confusions(
    labels: Sequence[Sequence[str]], predictions: Sequence[str | None], outcomes: Outcomes
) -> Iterable[tuple[str, str, str | None, int]]:
    """(component, expected, predicted, count) against each item's nearest label, the right ones included.

    A component that a syllable lacks is ``∅``; predicted is None where the output is not usable under strict.
    """
    return confusion_table(Counter(met(labels, predictions, outcomes)))


def met(
    labels: Sequence[Sequence[str]], predictions: Sequence[str | None], outcomes: Outcomes
) -> Iterator[tuple[str, str | None]]:
    """The nearest label of each item and the prediction that met it, None where that is not usable under strict."""
    for item, nearest, prediction, usable in zip(
        labels, outcomes.nearest_label, predictions, outcomes.usable, strict=True
    ):
        yield item[nearest], prediction if usable else None


def confusion_table(pairs: Mapping[tuple[str, str | None], int]) -> list[tuple[str, str, str | None, int]]:
    """The rows of ``confusions`` of how often each pair of ``met`` stands."""
    table: Counter = Counter()
    for (label, prediction), count in pairs.items():
        expected = decompose(label)
        predicted = decompose(prediction) if prediction is not None else None
        for i, component in enumerate(COMPONENTS):
            found = None if predicted is None else predicted[i] or NULL_COMPONENT
            table[component, expected[i] or NULL_COMPONENT, found] += count
    return [(*key, count) for key, count in sorted(table.items(), key=lambda item: tuple(map(str, item[0])))]


def _component_codes(syllables: Sequence[str | None]) -> np.ndarray:
    """(len(syllables), 4) codes, equal exactly where the components are; -1 throughout for what is no syllable."""
    codes: dict = {}
    rows = np.full((len(syllables), 4), -1, np.int16)
    for row, syllable in enumerate(syllables):
        parts = decompose(syllable) if syllable is not None else None
        if parts is not None:
            rows[row] = [codes.setdefault((i, part), len(codes)) for i, part in enumerate(parts)]
    return rows
