"""``sinobench score`` of all four tasks, from its start to its end, against scripts that score the same items.

150,000 spelling pairs, 100,000 G2P items, and the segments and turns of 151 recordings, as many as MERLIon CCS's
development set has; ten times as many items and segments, too. The peers are the official scripts where ``--official``
names a folder with checkouts of their repositories, and beside them plain ones (``benchmarks/plain``), which do over
again what the official ones do. Peers print the figures of one protocol; the command computes those of both, and looks
at every field of every row. What both compute must agree. All are timed in one run, without intervals.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path

from bench_scoring import g2p_items
from timing import best_of, compared

from sinobench.ld.turns import read_turns
from sinobench.lid.predictions import read_predictions, read_reference
from sinobench.merlion.languages import LANGUAGES, TARGETS
from sinobench.samples.sized.making import PUBLIC_SIZES, make

HERE = Path(__file__).parent
PLAIN, OFFICIAL = HERE / "plain", HERE / "official"
N_PAIRS, N_ITEMS, REPEATS = 150_000, 100_000, 3
TIMES = (1, 10)
ANCHOR = "▁"
# Of the official scripts, by task; of files with a common name a folder that lies beside them.
SCRIPTS = {
    "csc": ("csc_evaluation.py", "."),
    "lid": ("compute_eer_bac.py", "."),
    "ld": ("scoring_diar.py", "."),
    "g2p": ("data.py", "models/G2PModel.py"),
}
NEEDS = {"csc": (), "lid": ("scipy", "sklearn"), "ld": ("pandas",), "g2p": ("Levenshtein",)}
FIGURE = re.compile(r"^([A-Za-z_][\w ()-]*?) ?[:：] ?([-+.e\d]+)(?:\((\d+)/(\d+)\))?$", re.MULTILINE)
NAMES = {"Accuracy": "accuracy", "Phoneme Error Rate (PER)": "per"}

Peers = Mapping[str, list]


def printed(command: list[str]) -> str:
    """What a command prints; files that it leaves behind are lost."""
    with tempfile.TemporaryDirectory() as folder:
        paths = os.environ | {"PYTHONPATH": str(OFFICIAL)}
        kept = {"check": True, "capture_output": True, "encoding": "utf-8"}
        return subprocess.run(command, **kept, env=paths, cwd=folder).stdout


def against(what: str, options: list, peers: Peers, figures: Callable[[dict], dict[str, float]]) -> None:
    """Time a command of ours and scripts, by name, of whose figures each that is ours too must be ours."""
    score = [sys.executable, "-m", "sinobench", "score", *options, "--no-intervals", "--format", "json"]
    ours_s, answer = best_of(REPEATS, printed, score)
    ours = figures(json.loads(answer))
    for name, script in peers.items():
        peer_s, text = best_of(REPEATS, printed, [sys.executable, *script])
        theirs = {}
        for figure, value, *counts in FIGURE.findall(text):
            theirs[figure] = float(value)
            theirs |= {f"{figure} {place}": float(count) for place, count in enumerate(counts) if count}
        shared = theirs.keys() & ours.keys()
        differing = {figure: (ours[figure], theirs[figure]) for figure in shared}
        differing = {figure: both for figure, both in differing.items() if abs(both[0] - both[1]) > 1e-9}
        if differing or not shared:
            raise SystemExit(f"{what}: {name} has other figures, {differing or text}")
        print(f"{what}: {len(shared)} of the figures of {name} are the same")
        compared(what, ours_s, name, peer_s)


def of_csc(answer: dict) -> dict[str, float]:
    """What the official script prints, with the counts behind each ratio."""
    found = {}
    for name, value in answer["official_print"].items():
        if name.endswith("_counts"):
            found |= {f"{name.removesuffix('_counts')} {place}": count for place, count in enumerate(value)}
        else:
            found[name] = value
    return found


def of_g2p(answer: dict) -> dict[str, float]:
    """Accuracy and PER with all digits."""
    return {name: answer["official"][ours] for name, ours in NAMES.items()}


def printed_officially(answer: dict) -> dict[str, float]:
    """What the official script prints."""
    return answer["official_print"]


def found_in(folder: str | None) -> dict[str, Path]:
    """The official scripts in a folder, by task; says which it lacks."""
    found = {}
    for task, (name, beside) in SCRIPTS.items() if folder else ():
        paths = sorted(path for path in Path(folder).rglob(name) if (path.parent / beside).exists())
        missing = [package for package in NEEDS[task] if find_spec(package) is None]
        if paths and missing:
            print(f"{paths[0]} needs {', '.join(missing)}: {task} is compared with a plain script alone")
        elif paths:
            found[task] = paths[0]
        else:
            print(f"{folder} has no {name}: {task} is compared with a plain script alone")
    return found


def write_g2p(folder: Path, n_items: int) -> None:
    """Items of one label and a syllable a line, an item's own or another's; and both as the benchmark has them."""
    labels, predictions = g2p_items(n_items)
    chance = random.Random(3)
    rows = defaultdict(list)
    for (label, *_), prediction in zip(labels, predictions, strict=True):
        text = "".join(chr(chance.randrange(0x4E00, 0x6000)) for _ in range(20))
        place, given = chance.randrange(20), prediction or label
        rows["items.tsv"].append(f"{text}\t{place}\t{label}")
        rows["syllables.txt"].append(given)
        rows["test.sent"].append(f"{text[:place]}{ANCHOR}{text[place:]}")
        rows["test.lb"].append(label)
        rows["sentences.txt"].append(" ".join([given if at == place else "jat1" for at in range(20)]))
    rows["items.tsv"].insert(0, "text\tposition\tlabel")
    for name, lines in rows.items():
        (folder / name).write_text("\n".join([*lines, ""]), encoding="utf-8")


def write_lid(sized: Path) -> None:
    """The reference and format 1 of the predictions as lines, all of English first."""
    truth = read_reference(sized / "labels.csv")
    given = read_predictions(sized / "sized-a.txt", truth.ids)
    labels = [int(not is_english) for is_english in truth.is_english.tolist()]
    lines = [f"{name} {label}\n" for name, label in zip(truth.ids, labels, strict=True)]
    (sized / "reference.txt").write_text("".join(lines), encoding="utf-8")
    sides = (zip(truth.ids, scores.tolist(), strict=True) for scores in (given.english, given.mandarin))
    rows = [f"{name} {label} {score!r}\n" for label, side in enumerate(sides) for name, score in side]
    (sized / "scores.txt").write_text("".join(rows), encoding="utf-8")


def write_ld(sized: Path) -> None:
    """Folders of the reference and of the predictions, a file a recording."""
    for source, folder in (("labels.csv", "truth"), ("sized-a.rttm", "turns")):
        table = read_turns(sized / source)
        lines = defaultdict(list)
        columns = (column.tolist() for column in (table.recording, table.start_ms, table.end_ms, table.language))
        for recording, start_ms, end_ms, code in zip(*columns, strict=True):
            if LANGUAGES[code] in TARGETS:
                lines[recording].append(f"{start_ms} {end_ms} {LANGUAGES[code]}\n")
        (sized / folder).mkdir()
        for recording, name in enumerate(table.recordings):
            (sized / folder / f"{name}.txt").write_text("".join(lines[recording]), encoding="utf-8")


def main(official: str | None) -> None:
    """Print a line for each task and peer."""
    scripts = found_in(official)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)

        def peers(task: str, plain: list, arguments: list, driver: str | None = None) -> Peers:
            """The scripts of a task by name; driver: what calls the official one."""
            found = {f"plain script after {SCRIPTS[task][0]}": [PLAIN / f"{task}.py", *plain]}
            if script := scripts.get(task):
                found[script.name] = [*([OFFICIAL / driver] if driver else []), script, *arguments]
            return found

        make("csc", folder / "csc", N_PAIRS, 0)
        files = [folder / "csc/sized/pairs.tsv", folder / "csc/sized/sized-a.txt"]
        others = peers("csc", files, [f"--gold_file={files[0]}", f"--modelout_file={files[1]}"])
        options = ["csc", "--gold", files[0], "--predictions", files[1]]
        against(f"score csc, {N_PAIRS:,} pairs", options, others, of_csc)

        for times in TIMES:
            write_g2p(folder, times * N_ITEMS)
            files = [folder / "items.tsv", folder / "syllables.txt"]
            theirs = [folder / name for name in ("test.sent", "test.lb", "sentences.txt")]
            options = ["g2p", "--items", files[0], "--predictions", files[1]]
            what = f"score g2p, {times * N_ITEMS:,} items"
            against(what, options, peers("g2p", files, theirs, "g2p.py"), of_g2p)

        for times in TIMES:
            sized = folder / f"merlion{times}" / "sized"
            make("lid", sized.parent, times * PUBLIC_SIZES["lid"], 0)
            write_lid(sized)
            files = [sized / "reference.txt", sized / "scores.txt"]
            theirs = [f"--valid={files[0]}", f"--score={files[1]}", f"--trial={sized / 'trials.txt'}"]
            options = ["lid", "--reference", files[0], "--predictions", files[1]]
            what = f"score lid, {times * PUBLIC_SIZES['lid']:,} recordings"
            against(what, options, peers("lid", files, theirs), printed_officially)

        sized = folder / "merlion1/sized"
        write_ld(sized)
        files = [sized / "truth", sized / "turns", sized / "regions.csv"]
        options = ["ld", "--reference", files[0], "--predictions", files[1], "--regions", files[2]]
        others = peers("ld", files, files, "ld.py")
        against(f"score ld, {PUBLIC_SIZES['ld']} recordings", options, others, printed_officially)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--official", metavar="FOLDER", help="with checkouts of the official scripts' repositories")
    main(parser.parse_args().official)
