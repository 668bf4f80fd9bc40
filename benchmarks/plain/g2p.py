"""Cantonese G2P in a plain script: each syllable is taken apart when it is met, item after item.

The parts are the letters as they are written, not the phonemes that some of them stand for.
"""

import re
import sys

SYLLABLE = re.compile(r"(ng|gw|kw|[bpmfdtnlgkhzcsj]|w)?(aa|oe|eo|yu|[aeiou])(ng|[iumnptk])?([1-6])|(m|ng)([1-6])")


def parts(syllable: str) -> tuple:
    match = SYLLABLE.fullmatch(syllable)
    return match.groups()[:4] if match[2] else (None, match[5], None, match[6])


with open(sys.argv[1], encoding="utf-8") as file:
    next(file)
    items = [line.rstrip("\n").split("\t") for line in file]
with open(sys.argv[2], encoding="utf-8") as file:
    predictions = [line.rstrip("\n") for line in file]
right = 0
errors = [0, 0, 0, 0]
for (_, _, label), prediction in zip(items, predictions, strict=True):
    differing = [a != b for a, b in zip(parts(label), parts(prediction), strict=True)]
    right += not any(differing)
    for place, differs in enumerate(differing):
        errors[place] += differs
print(right / len(items), sum(errors) / (4 * len(items)))
