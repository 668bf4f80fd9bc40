"""Kill a run at random moments, take it up by the same command each time, and compare it with an undisturbed run.

Of the moments two in three kill the run with all its jobs, the others one job at work. Compared are the databases in
every column but times, and every Parquet file but those that hold times. Runs on a config that spans all four tasks.
Run: ``python benchmarks/simulate_kills.py [--moments 30] [--at-once 10] [--seed 0]``; by default some 10 minutes on two
cores.
"""

import argparse
import contextlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import psutil

ROOT = Path(__file__).parents[1]
CONFIG = """
run: small
g2p: {corpora: [sample-classical], models: [tojyutping]}
csc: {corpora: [sample-csc], models: [do-nothing]}
merlion:
  corpora: [sample-merlion]
  training: [sample-librispeech, sample-aishell]
  shards: 2
  partitions:
    - name: sample
      track: closed
      parts: [{corpus: sample-librispeech, hours: 0.045}, {corpus: sample-aishell, hours: 0.03, order: listed}]
lid: {models: [majority, gmm], training: sample}
ld: {models: [vad+gmm]}
statistics: {resamples: 100}
"""
COMMAND = ("database", "report", "--configfile", "small.yaml")
# Tables with times, and their columns of times and of what is measured with them.
TIMES = {
    "runs": {"load_s", "predict_s", "items_per_s", "times_real_time", "peak_memory_mb"},
    "fits": {"fit_s", "peak_memory_mb"},
    "speeds": {"predict_s"},
    "run_info": {"built_at"},
}
_TRIES = 3  # runs after the last kill, of which the last one has to end well


@dataclass(frozen=True)
class Moment:
    """When a run is killed, and how."""

    n_started: int  # jobs since it was taken up, or since a job of it was killed
    delay_s: float  # after that
    is_all: bool  # with all its jobs, or one job


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--moments", type=int, default=30)
    parser.add_argument("--at-once", type=int, default=10, help="moments of one run")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    draw, n_kills, n_different = random.Random(options.seed), 0, 0
    with tempfile.TemporaryDirectory(prefix="kills-") as folder:
        source = _copy(Path(folder, "source"))  # one for all, also where the checkout is edited meanwhile
        undisturbed = Path(shutil.copytree(source, Path(folder, "undisturbed")))
        n_jobs, _ = take_up(undisturbed, COMMAND)
        print(f"undisturbed: {n_jobs} jobs", flush=True)
        while n_kills < options.moments:
            killed = Path(shutil.copytree(source, Path(folder, "killed")))
            n = min(options.at_once, options.moments - n_kills)
            n_kills += take_up(killed, COMMAND, moments(draw, n_jobs, n), draw)[1]
            found = differences(undisturbed / "results", killed / "results", "small/sinobench.duckdb")
            n_different += bool(found)
            print(f"after {n_kills} kills: {', '.join(found) or 'equal'}", flush=True)
            shutil.rmtree(killed)
    sys.exit(n_different > 0)


def moments(draw: random.Random, n_jobs: int, n: int) -> list[Moment]:
    """So many moments that are spread over a run of so many jobs."""
    most = 2 * n_jobs // (n + 1)
    return [Moment(draw.randint(0, most), draw.uniform(0, 1.5), draw.random() < 2 / 3) for _ in range(n)]


def take_up(
    folder: Path, command: Sequence[str], kills: Sequence[Moment] = (), draw: random.Random | None = None
) -> tuple[int, int]:
    """Run the command until it has ended well, killed at these moments as far as it goes on till then.

    How many jobs the first run started, and how many kills there were. Raises RuntimeError where the command does not
    end well once nothing is killed.
    """
    pending, started, tries = list(kills), [], 0
    while tries < _TRIES:
        with _run(folder, command) as (process, said):
            tries += not pending
            n_before = 0
            while pending and _comes(pending[0], process, said, n_before):
                n_before, moment = len(_started(said)), pending.pop(0)
                print(f"  killed {_kill(process, draw, moment.is_all)} after {n_before} jobs", flush=True)
            status = process.wait()
        started.append(len(_started(said)))
        if not status:
            return started[0], len(kills) - len(pending)
    raise RuntimeError("".join(said))


def _comes(moment: Moment, process: subprocess.Popen, said: Sequence[str], n_before: int) -> bool:
    """Wait for the moment; whether it came before the run ended."""
    while process.poll() is None and len(_started(said)) < n_before + moment.n_started:
        time.sleep(0.01)
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(moment.delay_s)
    return process.poll() is None


def differences(one: Path, other: Path, database: str) -> list[str]:
    """What differs of two folders of results: tables of their databases, but for times, and Parquet files."""
    found = []
    with duckdb.connect() as connection:
        for name, results in (("one", one), ("other", other)):
            path = str(results / database).replace("'", "''")
            connection.execute(f"ATTACH '{path}' AS {name} (READ_ONLY)")
        query = "SELECT table_name FROM duckdb_tables() WHERE database_name = 'one' ORDER BY 1"
        for (table,) in connection.execute(query).fetchall():
            times = ", ".join(sorted(TIMES.get(table, ())))
            columns = f"* EXCLUDE ({times})" if times else "*"
            sides = [f"(SELECT {columns} FROM {side}.{table})" for side in ("one", "other")]
            n = [connection.execute(f"{a} EXCEPT ALL {b}").fetchall() for a, b in (sides, sides[::-1])]
            if any(n):
                found.append(f"table {table}: {len(n[0])} and {len(n[1])} rows")
    files = [set(_tables(results)) for results in (one, other)]
    found += [f"only once: {name}" for name in sorted(files[0] ^ files[1])]
    same = sorted(files[0] & files[1])
    return found + [f"bytes of {name}" for name in same if (one / name).read_bytes() != (other / name).read_bytes()]


def _tables(results: Path) -> Iterator[str]:
    for path in results.rglob("*.parquet"):
        parts = path.relative_to(results).parts
        if not set(parts) & {"runs", "fits", "speed"}:
            yield "/".join(parts)


def _copy(folder: Path) -> Path:
    """A checkout without results."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name)
    (folder / "small.yaml").write_text(CONFIG, encoding="utf-8")
    return folder


@contextlib.contextmanager
def _run(folder: Path, command: Sequence[str]) -> Iterator[tuple[subprocess.Popen, list[str]]]:
    """A run in a process group of its own, and the list of the lines that it writes."""
    said: list[str] = []
    with subprocess.Popen(
        [sys.executable, "-m", "snakemake", "--cores", "2", *command],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder / "scripts")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        reader = threading.Thread(target=lambda: said.extend(process.stderr), daemon=True)
        reader.start()
        yield process, said
        reader.join()


def _started(said: Sequence[str]) -> list[str]:
    return [line for line in list(said) if re.match(r" *\d+/\d+  ", line)]


def _kill(process: subprocess.Popen, draw: random.Random, is_all: bool) -> str:
    """Kill a run with all its jobs, or a process of a job as soon as there is one; what was killed."""
    with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):
        if is_all:
            os.killpg(process.pid, signal.SIGKILL)
            return "all"
        while process.poll() is None:
            if jobs := psutil.Process(process.pid).children(recursive=True):
                job = draw.choice(jobs)
                name = " ".join(job.cmdline())[:60]
                job.kill()
                return f"a job ({name})"
            time.sleep(0.01)
    return "nothing"


if __name__ == "__main__":
    main()
