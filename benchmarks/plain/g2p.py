"""The official evaluation of the Cantonese G2P benchmark over again, as a plain script: item after item.

Accuracy, mean distance of the letters, and PER over onset, nucleus, coda and tone; what these are is the one thing that
it takes from here. Arguments: a table of text, position and label with a header; a syllable a line.
"""

import sys

from sinobench.g2p.syllables import decompose


def distance(one: str, other: str) -> float:
    """Letters left out and put in, as a share of both."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, start=1):
        before, row[0] = row[0], i
        for j, b in enumerate(other, start=1):
            before, row[j] = row[j], before if a == b else 1 + min(row[j], row[j - 1])
    return row[-1] / (len(one) + len(other))


with open(sys.argv[1], encoding="utf-8") as file:
    next(file)
    items = [line.rstrip("\n").split("\t") for line in file]
with open(sys.argv[2], encoding="utf-8") as file:
    predictions = [line.rstrip("\n") for line in file]

right = apart = 0
for (_, _, label), prediction in zip(items, predictions, strict=True):
    apart += distance(label, prediction)
    if decompose(label) == decompose(prediction):
        right += 1
print(f"Accuracy: {right / len(items)}")
print(f"Levenshtein Distance: {apart / len(items)}")

errors = n_parts = 0
for (_, _, label), prediction in zip(items, predictions, strict=True):
    for wanted, given in zip(decompose(label), decompose(prediction), strict=True):
        n_parts += 1
        if wanted != given:
            errors += 1
print(f"Phoneme Error Rate (PER): {errors / n_parts}")
