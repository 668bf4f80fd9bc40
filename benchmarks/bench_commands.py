"""``sinobench score`` of all four tasks, from its start to its end, against plain scripts that read the same files.

150,000 spelling pairs, 100,000 G2P items, and segments and turns of a development set of MERLIon CCS, of the shapes of
the public corpora. The plain scripts compute two to six figures; the command computes all, under both protocols, and
looks at every field of every row. What both compute must agree. Both are timed in one run, without intervals.

The official script of the spelling check takes the place of the plain one where ``--csc-evaluation`` names it. The
other tasks' official programs score packages that they install themselves, or ask for the challenge's own folders.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from bench_scoring import g2p_items
from timing import best_of, compared

from sinobench.samples.sized.making import PUBLIC_SIZES, make

PLAIN = Path(__file__).parent / "plain"
N_PAIRS, REPEATS = 150_000, 3


def printed(command: list[str]) -> str:
    """What a command prints."""
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout


def against(
    what: str, options: list[str], peer: list[str], name: str, figures: Callable[[dict], list[float]] | None
) -> None:
    """Time a command of ours and a script, whose printed figures must be ours, where they are given."""
    score = [sys.executable, "-m", "sinobench", "score", *options, "--no-intervals", "--format", "json"]
    ours_s, answer = best_of(REPEATS, printed, score)
    peer_s, other = best_of(REPEATS, printed, [sys.executable, *peer])
    if figures:
        found, expected = figures(json.loads(answer)), list(map(float, other.split()))
        if any(abs(a - b) > 1e-9 for a, b in zip(found, expected, strict=False)):
            raise SystemExit(f"{what}: the figures differ, {found} and {expected}")
    compared(what, ours_s, name, peer_s)


def of_csc(answer: dict) -> list[float]:
    """The counts of the plain script."""
    counts = {name: of for name, of in answer["official_print"].items() if name.endswith("_counts")}
    detected, found = counts["char_detect_precision_counts"]
    corrected = counts["char_correct_precision_counts"][0]
    altered, correct = counts["sentence_FPR_counts"]
    return [counts["char_detect_recall_counts"][1], found, detected, corrected, correct, altered]


def write_g2p(items: Path, syllables: Path) -> None:
    """A table of items of one label, and a syllable a line, an item's own or another's."""
    labels, predictions = g2p_items()
    chance = random.Random(3)
    with items.open("w", encoding="utf-8") as table, syllables.open("w", encoding="utf-8") as file:
        table.write("text\tposition\tlabel\n")
        for (label, *_), prediction in zip(labels, predictions, strict=True):
            text = "".join(chr(chance.randrange(0x4E00, 0x6000)) for _ in range(20))
            table.write(f"{text}\t{chance.randrange(20)}\t{label}\n")
            file.write(f"{prediction or label}\n")


def main(csc_evaluation: str | None) -> None:
    """Print one line a task."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        make("csc", folder / "csc", N_PAIRS, 0)
        gold, predictions = folder / "csc/sized/pairs.tsv", folder / "csc/sized/sized-a.txt"
        peer, name, figures = [PLAIN / "csc.py", gold, predictions], "plain script", of_csc
        if csc_evaluation:
            peer = [csc_evaluation, f"--gold_file={gold}", f"--modelout_file={predictions}"]
            name, figures = "csc_evaluation.py", None
        options = ["csc", "--gold", gold, "--predictions", predictions]
        against(f"score csc, {N_PAIRS:,} pairs", options, peer, name, figures)

        items, syllables = folder / "items.tsv", folder / "syllables.txt"
        write_g2p(items, syllables)
        against(
            "score g2p, 100,000 items",
            ["g2p", "--items", items, "--predictions", syllables],
            [PLAIN / "g2p.py", items, syllables],
            "plain script",
            lambda answer: [answer["strict"]["accuracy"]],
        )

        n = PUBLIC_SIZES["lid"]
        make("lid", folder / "merlion", n, 0)
        sized = folder / "merlion/sized"
        labels, regions = sized / "labels.csv", sized / "regions.csv"
        against(
            f"score lid, {n} recordings",
            ["lid", "--reference", labels, "--predictions", sized / "sized-a.txt"],
            [PLAIN / "lid.py", labels, sized / "sized-a.txt"],
            "plain script",
            lambda answer: [answer["strict"]["balanced_accuracy"]],
        )
        against(
            f"score ld, {n} recordings",
            ["ld", "--reference", labels, "--regions", regions, "--predictions", sized / "sized-a.rttm"],
            [PLAIN / "ld.py", labels, regions, sized / "sized-a.rttm"],
            "plain script, NumPy",
            lambda answer: [answer["strict"]["lder"]],
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--csc-evaluation", metavar="FILE", help="csc_evaluation.py of NLPCC 2023 Task 8")
    main(parser.parse_args().csc_evaluation)
