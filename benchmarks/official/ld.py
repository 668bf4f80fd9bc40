"""scoring_diar.py of MERLIon CCS's baseline over folders, as its commented-out main does it.

Arguments: scoring_diar.py, folders of the reference and of the predictions, a CSV of regions.
"""

import csv
import importlib.util
import sys
from collections import defaultdict
from pathlib import Path


def main(script: str, reference: str, predictions: str, areas: str) -> None:
    spec = importlib.util.spec_from_file_location("scoring_diar", script)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    regions = defaultdict(list)
    with open(areas, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            regions[row["file"].replace(".wav", ".txt")].append((int(row["start"]), int(row["end"])))
    sums = [0, 0, 0, 0]
    for name in regions:
        paths = (Path(folder, name) for folder in (predictions, reference))
        rate = module.language_diarization_error_rate(*paths, None, regions, name)
        sums = [a + b for a, b in zip(sums, rate.save_result(), strict=True)]
    print(f"Total English LDER : {sums[0] / sums[1]}")
    print(f"Total Mandarin LDER : {sums[2] / sums[3]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
