"""Where the time of the default run goes, on two cores: from nothing, and again with nothing to do.

Each process of a run writes its CPU seconds as it ends (``sitecustomize``, as in bench_scale.py). What it takes to
start a job, the copy of a process with the script's own imports, is measured alone, once a script. Snakemake's part of
a run with nothing to do is that of a workflow of one rule. Snakemake finds no more packages than ``make all`` installs,
also where tests and the plug-ins for clusters are. Printed, and written into docs/performance.md.
"""

import json
import os
import platform
import resource
import runpy
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from bench_scale import HOOK

from sinobench import starting

ROOT = Path(__file__).parents[1]
DOCUMENT = ROOT / "docs/performance.md"
BEGIN, END = "<!-- default run: written by benchmarks/bench_default_run.py -->\n", "<!-- end of default run -->\n"
# Snakemake loads its plug-ins, and the client of object storage, where they are.
AS_SET_UP = (
    HOOK
    + """
import pkgutil
find = pkgutil.iter_modules
more = ("snakemake_executor_plugin_", "snakemake_storage_plugin_")
pkgutil.iter_modules = lambda *given: (found for found in find(*given) if not found.name.startswith(more))
sys.modules["boto3"] = None
"""
)
ONE_RULE = "rule all:\n    input:\n        'Snakefile',\n"
SHOWN_S = 0.5  # rules that took less stand together


@dataclass
class Run:
    """Wall and CPU seconds of a command, of its jobs by script, and how many there were."""

    wall_s: float
    cpu_s: float
    of_script_s: dict[str, float]
    n_jobs: Counter[str]

    @property
    def idle(self) -> float:
        """The share of two cores' time that went by unused."""
        return 1 - self.cpu_s / (2 * self.wall_s)


def ignored(folder: str, names: list[str]) -> list[str]:
    """What a fresh copy does not have; a folder of the package is named results, too."""
    generated = {".git", ".venv", ".snakemake", "results"} if Path(folder) == ROOT else {"__pycache__"}
    return [name for name in names if name in generated]


def measured(folder: Path, hook: Path) -> Run:
    """Run the default target in a folder."""
    noted = folder.parent / f"{time.monotonic_ns()}.jsonl"
    noted.touch()
    environment = os.environ | {"PYTHONPATH": str(hook), "SINOBENCH_MEASURED": str(noted)}
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "all"]
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    made = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    wall_s, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    if made.returncode:
        raise SystemExit(made.stderr[-4000:])
    rows = [json.loads(line) for line in noted.read_text(encoding="utf-8").splitlines()]
    jobs = {row["process"][0] for row in rows if row["step"] != "snakemake"}
    of_script_s, n_jobs = defaultdict(float), Counter()
    for row in rows:
        if row["process"][1] not in jobs:  # else it is counted with the job that it is part of
            of_script_s[row["step"]] += row["cpu_s"]
            n_jobs[row["step"]] += 1
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(wall_s, cpu_s, of_script_s, n_jobs)


def starts(scripts: list[str]) -> dict[str, float]:
    """CPU seconds of a copy of this process, with what jobs find loaded, that does no more than a script's imports."""
    for module in starting.LOADED:
        import_module(module)
    found = {}
    for script in scripts:
        if not (child := os.fork()):
            runpy.run_path(str(ROOT / "scripts" / f"{script}.py"), run_name="imported")
            os._exit(0)
        used = os.wait4(child, 0)[2]
        found[script] = used.ru_utime + used.ru_stime
    return found


def table(run: Run, start_s: dict[str, float]) -> list[str]:
    """What the scripts took, the longest first; what took little, and what no job is, in rows of their own."""
    rows = [
        (f"`{script}`", run.n_jobs[script], seconds, run.n_jobs[script] * start_s[script])
        for script, seconds in run.of_script_s.items()
        if script != "snakemake"
    ]
    rows.sort(key=lambda row: -row[2])
    small = [row for row in rows if row[2] < SHOWN_S]
    rows = [row for row in rows if row[2] >= SHOWN_S]
    if small:
        rows.append((f"{len(small)} scripts under {SHOWN_S} s", *(sum(row[i] for row in small) for i in (1, 2, 3))))
    own_s = run.of_script_s["snakemake"]
    others_s = run.cpu_s - sum(run.of_script_s.values())
    lines = ["| script | jobs | CPU s | of it to start |", "|---|--:|--:|--:|"]
    lines += [f"| {name} | {n} | {seconds:.1f} | {start:.1f} |" for name, n, seconds, start in rows]
    lines.append(f"| Snakemake: planning, scheduling, records | | {own_s:.1f} | |")
    lines.append(f"| the process that jobs are copies of, shells | | {others_s:.1f} | |")
    n, start = (sum(row[i] for row in rows) for i in (1, 3))
    return [*lines, f"| **all** | {n} | **{run.cpu_s:.1f}** | {start:.1f} |"]


def main() -> None:
    """Run the default target twice in a fresh copy, and a workflow of one rule beside it."""
    with tempfile.TemporaryDirectory() as temporary:
        hook, alone = Path(temporary, "hook"), Path(temporary, "alone")
        for folder, name, content in ((hook, "sitecustomize.py", AS_SET_UP), (alone, "Snakefile", ONE_RULE)):
            folder.mkdir()
            (folder / name).write_text(content, encoding="utf-8")
        folder = Path(shutil.copytree(ROOT, Path(temporary) / "sinobench", ignore=ignored))
        first, again, least = measured(folder, hook), measured(folder, hook), measured(alone, hook)
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    n_jobs = first.n_jobs.total() - first.n_jobs["snakemake"]
    lines = [
        f"From nothing: {first.wall_s:.1f} s for {n_jobs} jobs, {first.cpu_s:.1f} CPU seconds, {first.idle:.0%} of two "
        "cores' time idle.",
        f"Again, with nothing to do: {again.wall_s:.1f} s, {again.cpu_s:.1f} CPU seconds; of them Snakemake alone, for "
        f"a workflow of one rule, takes {least.cpu_s:.1f}.",
        "",
        *table(first, starts(sorted(set(first.of_script_s) - {"snakemake"}))),
        "",
        f"By `benchmarks/bench_default_run.py` on {machine}.",
    ]
    found = "\n".join(lines) + "\n"
    print(found)
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    DOCUMENT.write_text(f"{before}{BEGIN}{found}{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    main()
