"""Language diarization in a plain script: arrays with an element for each millisecond of a recording."""

import csv
import sys
from collections import defaultdict

import numpy as np

LANGUAGES = ("English", "Mandarin")
Turn = tuple[int, int, int]  # place of its language, start and end in ms


def errors_of(truth: list[Turn], found: list[Turn], evaluated: list[tuple[int, int]]) -> tuple[int, int]:
    """The ms in error and the ms of reference in a recording."""
    errors = total = 0
    length = max(end for _, _, end in [*truth, *found, (0, *evaluated[-1])])
    cover = np.zeros((4, length), np.int8)
    for side, turns in enumerate((truth, found)):
        for language, start, end in turns:
            cover[2 * side + language, start:end] = 1
    for start, end in evaluated:
        english, mandarin, predicted_english, predicted_mandarin = cover[:, start:end]
        r, h = english + mandarin, predicted_english + predicted_mandarin
        right = (english & predicted_english) + (mandarin & predicted_mandarin)
        errors += int((np.maximum(r, h) - right).sum())
        total += int(r.sum())
    return errors, total


def main(labels: str, areas: str, predictions: str) -> None:
    sides: list[dict[str, list[Turn]]] = [defaultdict(list), defaultdict(list)]
    with open(labels, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if row["language_tag"] in LANGUAGES:
                turn = (LANGUAGES.index(row["language_tag"]), int(row["start"]), int(row["end"]))
                sides[0][row["audio_name"].removesuffix(".wav")].append(turn)
    regions = defaultdict(list)
    with open(areas, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            regions[row["file"].removesuffix(".wav")].append((int(row["start"]), int(row["end"])))
    with open(predictions, encoding="utf-8") as file:
        for line in file:
            _, name, _, onset, duration, _, _, language, *_ = line.split()
            start = round(1000 * float(onset))
            end = round(1000 * (float(onset) + float(duration)))
            if language in LANGUAGES:
                sides[1][name].append((LANGUAGES.index(language), start, end))
    counts = [errors_of(*(turns[name] for turns in sides), evaluated) for name, evaluated in regions.items()]
    print(sum(errors for errors, _ in counts) / sum(total for _, total in counts))


if __name__ == "__main__":
    main(*sys.argv[1:])
