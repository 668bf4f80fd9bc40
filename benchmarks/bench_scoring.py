"""Scoring speed against a plain per-character Python scorer on the same data in the same run.

150,000 spelling pairs and 100,000 G2P items are drawn from the bundled samples with a fixed seed. Both scorers must
give the same counts. The core is what both do from lists of strings to counts; reading files is not in it.
"""

import random
from pathlib import Path

from timing import best_of, compared

from sinobench.csc.corpus import read_pairs_table
from sinobench.csc.metrics import Counts, compare, count
from sinobench.g2p import syllables
from sinobench.g2p.corpus import read_anchored
from sinobench.g2p.metrics import count as count_items
from sinobench.g2p.metrics import rates, score

SAMPLES = Path(__file__).parents[1] / "resources" / "samples"
N_PAIRS, N_ITEMS, REPEATS = 150_000, 100_000, 3


def spelling_pairs() -> tuple[list[str], list[str], list[str]]:
    """Inputs, golds and predictions; a prediction corrects a third of the errors and spoils a sentence in twenty."""
    chance = random.Random(1)
    items = read_pairs_table(SAMPLES / "csc" / "sample.tsv", ["input", "gold"]).items
    inputs, golds, predictions = [], [], []
    for _ in range(N_PAIRS):
        item = chance.choice(items)
        source, gold = item["input"], item["golds"][0]
        prediction = [g if s != g and chance.random() < 1 / 3 else s for s, g in zip(source, gold, strict=True)]
        if chance.random() < 0.05:
            prediction[chance.randrange(len(prediction))] = "的"
        inputs.append(source)
        golds.append(gold)
        predictions.append("".join(prediction))
    return inputs, golds, predictions


def plain_csc(inputs: list[str], golds: list[str], predictions: list[str]) -> tuple[int, ...]:
    """Counts as the official script takes them: every character of every sentence in a Python loop."""
    true = found = detected = corrected = altered = 0
    for s, g, p in zip(inputs, golds, predictions, strict=True):
        altered += s == g and s != p
        for i in range(len(s)):
            true += s[i] != g[i]
            found += s[i] != p[i]
            detected += s[i] != g[i] and s[i] != p[i]
            corrected += s[i] != g[i] and g[i] == p[i]
    return true, found, detected, corrected, altered


def fast_csc(inputs: list[str], golds: list[str], predictions: list[str]) -> tuple[int, ...]:
    """The same counts by the package."""
    c = Counts(*count(compare(inputs, golds, predictions)).sum(axis=0).tolist())
    return c.true, c.found, c.detected, c.corrected, c.sentences_correct_altered


def g2p_items(n_items: int = N_ITEMS) -> tuple[list[list[str]], list[str | None]]:
    """Labels and predictions; a fifth of the predictions is another item's reading, a few are absent."""
    chance = random.Random(2)
    folder = SAMPLES / "g2p"
    items = [
        item["labels"]
        for name in ("words", "colloquial", "classical")
        for item in read_anchored(folder / f"sample-{name}.sent", folder / f"sample-{name}.lb", None, name).items
    ]
    labels = [chance.choice(items) for _ in range(n_items)]
    predictions = [chance.choice(items)[0] if chance.random() < 0.2 else options[0] for options in labels]
    return labels, [None if chance.random() < 0.01 else prediction for prediction in predictions]


def plain_g2p(labels: list[list[str]], predictions: list[str | None]) -> tuple[float, float]:
    """Accuracy and PER, item by item; each syllable is taken apart when it is met, by the package's own expression."""
    decompose = syllables.decompose.__wrapped__
    right = errors = 0
    for options, prediction in zip(labels, predictions, strict=True):
        predicted = decompose(prediction) if prediction is not None else None
        fewest = 4
        if predicted is not None:
            for option in options:
                differing = 0
                for a, b in zip(decompose(option), predicted, strict=True):
                    if a != b:
                        differing += 1
                fewest = min(fewest, differing)
        right += fewest == 0
        errors += fewest
    return right / len(labels), errors / (4 * len(labels))


def fast_g2p(labels: list[list[str]], predictions: list[str | None]) -> tuple[float, float]:
    """The same figures by the package."""
    accuracy, per, *_ = rates(count_items(score(labels, predictions))["strict"].sum(axis=0)).values()
    return float(accuracy), float(per)


def main() -> None:
    """Print one line a scorer and the ratio."""
    for name, data, plain, fast in (
        (f"csc, {N_PAIRS:,} pairs", spelling_pairs(), plain_csc, fast_csc),
        (f"g2p, {N_ITEMS:,} items", g2p_items(), plain_g2p, fast_g2p),
    ):
        plain_s, expected = best_of(REPEATS, plain, *data)
        fast_s, found = best_of(REPEATS, fast, *data)
        if found != expected:
            raise SystemExit(f"{name}: the scorers differ, {found} and {expected}")
        compared(f"count {name}", fast_s, "plain Python", plain_s)


if __name__ == "__main__":
    main()
