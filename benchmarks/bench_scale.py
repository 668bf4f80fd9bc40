"""What each step of a run takes on corpora of a hundredth, 1, 10 and 100 times the public sizes, and how that grows.

A corpus of a task is made (``python -m sinobench.samples``) and evaluated by a copy of the workflow with one core, two
files of predictions as its models, so that what is measured is what the workflow itself does. Printed are, of each step
and at each size, CPU seconds and the peak memory of one process, which each writes as it ends (``sitecustomize``); and
the exponent with which CPU time grows between the two largest sizes, less what the step takes on the smallest corpus,
its start. 1 is linear. All sizes but the largest are measured before it and after it, and the mean counts: a machine's
speed drifts by a tenth or two within such a measurement, which is more than what is to be told apart. Below, the bytes
of corpus, results and database. Each task's table is printed and replaces the one of the last measurement in
docs/scaling.md.

MERLIon's audio is silence that takes no room on the disk; its samples are read all the same, by the steps that look for
what is redacted. The copies that chunks and features are would take room: speech runs to the comparison of its models.
"""

import argparse
import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from sinobench.samples.sized.making import PUBLIC_SIZES

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs/scaling.md"
BEGIN, END = "<!-- {}: written by benchmarks/bench_scale.py -->\n", "<!-- end of {} -->\n"
WORKFLOW = ("Snakefile", "CITATION.cff", "config", "envs", "profiles", "report", "resources", "rules", "scripts")
UNITS = {"g2p": "characters", "csc": "pairs", "lid": "recordings", "ld": "recordings"}
TARGETS = {
    "lid": ["results/sized/lid/comparisons/sized.parquet"],
    "ld": [f"results/sized/{path}/sized.parquet" for path in ("ld/comparisons", "merlion/statistics")],
}
START = 0.01  # of the public size: what a step takes there is its start
FEWEST = 6  # recordings, of which folds can be made
HOOK = """
import atexit, json, os, resource, sys

def note():
    is_job = ".snakemake/scripts" in sys.argv[0]
    if not is_job and (os.getpid() != own or "snakemake" not in sys.orig_argv):
        return
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, *[resource.RUSAGE_CHILDREN] * is_job)]
    found = {
        "step": os.path.basename(sys.argv[0]).split(".")[1] if is_job else "snakemake",
        "process": [os.getpid(), os.getppid()],
        "cpu_s": sum(each.ru_utime + each.ru_stime for each in used),
        "kb": max(each.ru_maxrss for each in used),
    }
    with open(os.environ["SINOBENCH_MEASURED"], "a") as file:
        file.write(json.dumps(found) + "\\n")

def leave(status):
    note()
    exit_at_once(status)

own, exit_at_once = os.getpid(), os._exit
os._exit = leave  # jobs end without their exit handlers
atexit.register(note)
"""


@dataclass
class Measured:
    """Of a run: CPU seconds and the peak megabytes of a process by step, bytes by what they are of."""

    cpu_s: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    peak_mb: dict[str, float] = field(default_factory=lambda: defaultdict(float))
    n_bytes: dict[str, int] = field(default_factory=dict)


def measure(task: str, size: int, folder: Path, hook: Path) -> Measured:
    """Make a corpus, evaluate it, and remove both."""
    folder.mkdir(parents=True)
    for name in WORKFLOW:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        copy(ROOT / name, folder / name)
    measured, lines = Measured(), folder / "measured.jsonl"
    code = f"from sinobench.samples.sized.making import make; make({task!r}, {str(folder / 'corpus')!r}, {size})"
    environment = os.environ | {
        "PYTHONPATH": f"{hook}{os.pathsep}{folder / 'scripts'}",
        "SINOBENCH_MEASURED": str(lines),
        "OMP_NUM_THREADS": "1",
    }
    before = os.times()
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    after = os.times()
    measured.cpu_s["(corpus made)"] = sum(after[2:4]) - sum(before[2:4])
    command = [sys.executable, "-m", "snakemake", "--cores", "1", *TARGETS.get(task, ["all"]), "--configfile"]
    command.append("corpus/config.yaml")
    made = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if made.returncode:
        raise SystemExit(made.stderr[-4000:])
    rows = [json.loads(line) for line in lines.read_text(encoding="utf-8").splitlines()]
    jobs = {row["process"][0] for row in rows if row["step"] != "snakemake"}
    for row in rows:
        if row["process"][1] in jobs:  # is counted with the job that it is part of
            continue
        measured.cpu_s[row["step"]] += row["cpu_s"]
        measured.peak_mb[row["step"]] = max(measured.peak_mb[row["step"]], row["kb"] * 1024 / 1e6)
    measured.n_bytes = {name: on_disk(folder / name) for name in ("corpus", "results")}
    for database in folder.glob("results/**/sinobench.duckdb"):
        measured.n_bytes["database"] = database.stat().st_size
    shutil.rmtree(folder)
    return measured


def mean(runs: list[Measured]) -> Measured:
    """Of runs of one corpus: the mean CPU time and the highest peak of each step."""
    found = Measured(n_bytes=runs[0].n_bytes)
    for step in {step for run in runs for step in run.cpu_s}:
        found.cpu_s[step] = statistics.mean(run.cpu_s[step] for run in runs)
        found.peak_mb[step] = max(run.peak_mb[step] for run in runs)
    return found


def on_disk(folder: Path) -> int:
    """Bytes that the files of a folder take."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


def exponent(small_s: float, large_s: float, start_s: float, times: float) -> float | None:
    """With which power of the size the time beyond the start grows.

    None where there is less of it at first than of the start: of others, a measurement that is a twentieth off is 0.04
    of the exponent at the most.
    """
    small, large = small_s - start_s, large_s - start_s
    return math.log(large / small) / math.log(times) if large > small > start_s else None


def table(task: str, sizes: dict[float, int], found: dict[float, Measured]) -> str:
    """What the steps of a task took at each size."""
    factors = sorted(found)[1:]
    start = found[min(found)]
    heads = [f"{factor:g} × {unit}" for unit in ("CPU s", "MB") for factor in factors]
    of_sizes = ", ".join(f"{factor:g} × is {sizes[factor]:,}" for factor in factors)
    lines = [
        f"{of_sizes} {UNITS[task]}, on {os.cpu_count()} cores.",
        "",
        f"| step | {' | '.join(heads)} | exponent |",
        f"|---|{'--:|' * (len(heads) + 1)}",
    ]
    for step in sorted(found[factors[-1]].cpu_s, key=lambda step: -found[factors[-1]].cpu_s[step]):
        cpu, mb = ([getattr(found[f], name)[step] for f in factors] for name in ("cpu_s", "peak_mb"))
        power = exponent(cpu[-2], cpu[-1], start.cpu_s[step], factors[-1] / factors[-2]) if len(factors) > 1 else None
        cells = [f"{value:.1f}" for value in cpu] + [f"{value:.0f}" if value else "" for value in mb]
        lines.append(f"| {step} | {' | '.join(cells)} | {'' if power is None else f'{power:.2f}'} |")
    sizes_mb = {
        kind: ", ".join(f"{found[factor].n_bytes[kind] / 1e6:,.0f}" for factor in factors) for kind in start.n_bytes
    }
    lines += ["", f"On the disk, MB: {'; '.join(f'{kind} {each}' for kind, each in sizes_mb.items())}."]
    return "\n".join(lines) + "\n"


def write(task: str, content: str) -> None:
    """Put a task's table into the document, in the place of the last one."""
    begin, end = BEGIN.format(task), END.format(task)
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(begin)
    DOCUMENT.write_text(f"{before}{begin}{content}{end}{rest.partition(end)[2]}", encoding="utf-8")


def main(tasks: list[str], factors: list[float]) -> None:
    """Measure each task at each size, up to the largest and down again."""
    with tempfile.TemporaryDirectory() as temporary:
        hook = Path(temporary, "hook")
        hook.mkdir()
        (hook / "sitecustomize.py").write_text(HOOK, encoding="utf-8")
        for task in tasks:
            runs = defaultdict(list)
            *smaller, largest = [START, *sorted(factors)]
            sizes = {factor: max(FEWEST, round(PUBLIC_SIZES[task] * factor)) for factor in [*smaller, largest]}
            for factor in [*smaller, largest, *reversed(smaller)]:
                runs[factor].append(measure(task, sizes[factor], Path(temporary, f"{task}-{factor:g}"), hook))
            content = table(task, sizes, {factor: mean(of_size) for factor, of_size in runs.items()})
            print(f"\n{task}\n{content}", flush=True)
            write(task, content)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tasks", nargs="+", default=[*PUBLIC_SIZES], choices=PUBLIC_SIZES)
    parser.add_argument("--factors", nargs="+", type=float, default=[1, 10], help="of the public size (default: 1 10)")
    main(**vars(parser.parse_args()))
