"""The official evaluation of MERLIon CCS, Task 2, over again, as a plain script: a list of all ms of a recording.

English takes [start, end] with its end, Mandarin [start + 1, end - 1]; what shares a ms is one interval, of Mandarin
where any of it is. Of each language the ms are counted that only one side has. Arguments: folders of the reference
and of the predictions, with a text file a recording, lines of start, end (ms) and language; a CSV of regions.
"""

import csv
import sys
from collections import defaultdict
from pathlib import Path

LANGUAGES = ("English", "Mandarin")
NEITHER = 2


def intervals(path: Path) -> list[list[int]]:
    found = []
    with path.open(encoding="utf-8") as file:
        for line in file:
            start, end, language = line.split()
            if language in LANGUAGES:
                code = LANGUAGES.index(language)
                found.append((round(float(start)) + code, round(float(end)) - code, code))
    fused: list[list[int]] = []
    for start, end, code in sorted(found):
        if fused and start <= fused[-1][1]:
            fused[-1][1:] = max(fused[-1][1], end), max(fused[-1][2], code)
        else:
            fused.append([start, end, code])
    return fused


def milliseconds(fused: list[list[int]], n: int) -> list[int]:
    line = []
    for start, end, code in fused:
        line += [NEITHER] * (start - len(line))
        line += [code] * (end + 1 - len(line))
    return line + [NEITHER] * (n - len(line))


def main(reference: str, predictions: str, areas: str) -> None:
    regions = defaultdict(list)
    with open(areas, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            regions[row["file"].removesuffix(".wav")].append((int(row["start"]), int(row["end"])))
    errors, total = [0, 0], [0, 0]
    for name, evaluated in regions.items():
        sides = [intervals(Path(folder, f"{name}.txt")) for folder in (reference, predictions)]
        n = max(side[-1][1] for side in sides) + 1
        truth, found = (milliseconds(side, n) for side in sides)
        for code in range(len(LANGUAGES)):
            for start, end in evaluated:
                for wanted, given in zip(truth[start:end], found[start:end], strict=True):
                    if (wanted == code) != (given == code):
                        errors[code] += 1
                    if wanted == code:
                        total[code] += 1
    for code, language in enumerate(LANGUAGES):
        print(f"Total {language} LDER : {errors[code] / total[code]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
