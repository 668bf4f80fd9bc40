"""Run the workflow as a user does."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path


def shared(folder: Path, pattern: str) -> Path:
    """The one path of the pattern among what runs share, in whose place ``*`` stands for the key."""
    [path] = Path(folder, "results/shared").glob(pattern)
    return path


def start(folder: Path, *arguments: str) -> subprocess.Popen:
    """Start Snakemake on one core in a folder of a test's own rules, with the package that stands there."""
    return subprocess.Popen(
        [sys.executable, "-m", "snakemake", "--cores", "1", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder / "scripts")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def snakemake(
    folder: Path, *arguments: str, prefix: Sequence[str] = (), timeout_s: float = 900, **environment: str | None
) -> subprocess.CompletedProcess:
    """Run Snakemake in a copy of the workflow with that copy's package; an environment variable of None is removed."""
    variables = {**os.environ, "PYTHONPATH": str(folder / "scripts"), **environment}
    return subprocess.run(
        [*prefix, sys.executable, "-m", "snakemake", "--cores", "2", *arguments],
        cwd=folder,
        env={name: value for name, value in variables.items() if value is not None},
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )
