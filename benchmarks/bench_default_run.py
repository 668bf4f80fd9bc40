"""Wall time of the default workflow on two cores, from nothing and again with nothing to do.

The peer of the first is the same jobs' own processor time: what two cores could at best do in half of it.
"""

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]


def ignored(folder: str, names: list[str]) -> list[str]:
    """What a fresh copy does not have; a folder of the package is named results, too."""
    generated = {".git", ".venv", ".snakemake", "results"} if Path(folder) == ROOT else {"__pycache__"}
    return [name for name in names if name in generated]


def timed(command: list[str], folder: Path) -> tuple[float, float]:
    """Wall and processor seconds of a command that must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall_s = time.perf_counter() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall_s, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Run the default target twice in a fresh copy."""
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "all"]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(shutil.copytree(ROOT, Path(temporary) / "sinobench", ignore=ignored))
        first_s, processor_s = timed(command, folder)
        again_s, _ = timed(command, folder)
    print(f"default run on 2 cores: {first_s:.1f} s, {first_s / (processor_s / 2):.2f} of half its processor time")
    print(f"again, nothing to do: {again_s:.1f} s, {first_s / again_s:.0f} times faster")


if __name__ == "__main__":
    main()
