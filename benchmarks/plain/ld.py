"""Language diarization in a plain script: arrays with an element for each millisecond of a recording."""

import csv
import sys
from collections import defaultdict

import numpy as np

LANGUAGES = ("English", "Mandarin")
sides: list[dict[str, list]] = [defaultdict(list), defaultdict(list)]
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    for row in csv.DictReader(file):
        if row["language_tag"] in LANGUAGES:
            turn = (LANGUAGES.index(row["language_tag"]), int(row["start"]), int(row["end"]))
            sides[0][row["audio_name"].removesuffix(".wav")].append(turn)
regions = defaultdict(list)
with open(sys.argv[2], encoding="utf-8", newline="") as file:
    for row in csv.DictReader(file):
        regions[row["file"].removesuffix(".wav")].append((int(row["start"]), int(row["end"])))
with open(sys.argv[3], encoding="utf-8") as file:
    for line in file:
        _, name, _, onset, duration, _, _, language, *_ = line.split()
        start = round(1000 * float(onset))
        end = round(1000 * (float(onset) + float(duration)))
        if language in LANGUAGES:
            sides[1][name].append((LANGUAGES.index(language), start, end))
errors = total = 0
for name, evaluated in regions.items():
    length = max(end for _, _, end in [*sides[0][name], *sides[1][name], (0, *evaluated[-1])])
    cover = np.zeros((4, length), np.int8)
    for side, turns in enumerate(sides):
        for language, start, end in turns[name]:
            cover[2 * side + language, start:end] = 1
    for start, end in evaluated:
        english, mandarin, predicted_english, predicted_mandarin = cover[:, start:end]
        r, h = english + mandarin, predicted_english + predicted_mandarin
        right = (english & predicted_english) + (mandarin & predicted_mandarin)
        errors += int((np.maximum(r, h) - right).sum())
        total += int(r.sum())
print(errors / total)
