"""Whole runs of copies of the workflow."""

import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest


def snakemake(
    folder: Path, *arguments: str, prefix: Sequence[str] = (), **environment: str | None
) -> subprocess.CompletedProcess:
    """Run Snakemake in a copy of the workflow with that copy's package; an environment variable of None is removed."""
    variables = {**os.environ, "PYTHONPATH": str(folder / "scripts"), **environment}
    return subprocess.run(
        [*prefix, sys.executable, "-m", "snakemake", "--cores", "2", *arguments],
        cwd=folder,
        env={name: value for name, value in variables.items() if value is not None},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="session")
def finished_run(source, tmp_path_factory) -> Path:
    """One finished default run; read only, tests that change something take ``finished``."""
    folder = Path(shutil.copytree(source, tmp_path_factory.mktemp("finished") / "workflow"))
    result = snakemake(folder, "all", SINOBENCH_MIRROR=None)
    assert result.returncode == 0, result.stderr
    return folder


@pytest.fixture
def finished(finished_run, tmp_path) -> Path:
    """A copy of the finished default run."""
    return Path(shutil.copytree(finished_run, tmp_path / "workflow", symlinks=True))
