"""Whom the profiles ask for the state of a job, and what cluster-generic's script makes of the answers."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

STATUS = Path(__file__).parents[2] / "profiles" / "cluster-generic" / "status.sh"
ASKED = """
from types import SimpleNamespace
import snakemake_executor_plugin_slurm as plugin
from sinobench import slurm

slurm.endure()
settings = SimpleNamespace(status_command="sacct")
print(plugin.Executor.get_status_command(SimpleNamespace(workflow=SimpleNamespace(executor_settings=settings))))
"""


@pytest.mark.parametrize(
    ("squeue", "sacct", "expected"),
    [
        ("echo COMPLETED", None, "success"),
        ("echo PENDING", None, "running"),
        ("echo COMPLETING", None, "running"),
        ("echo FAILED", None, "failed"),
        ("echo TIMEOUT", None, "failed"),
        ("echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1", None, "failed"),
        ("echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1", "echo COMPLETED", "success"),
        ("echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1", "echo 'CANCELLED by 0'", "failed"),
        ("echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1", "exit 1", "failed"),
        ("echo 'Unable to contact slurm controller (connect failure)' >&2; exit 1", None, "running"),
        ("echo 'Unable to contact slurm controller (connect failure)' >&2; echo COMPLETED", None, "success"),
        ("echo 'Unable to contact slurm controller (connect failure)' >&2", None, "running"),
    ],
)
def test_status_of_a_job(squeue, sacct, expected, tmp_path):
    for name, body in (("squeue", squeue), ("sacct", sacct)):
        if body:
            (tmp_path / name).write_text(f"#!/bin/sh\n{body}\n")
            (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        ["/bin/sh", STATUS, "7"], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{expected}\n"


@pytest.mark.parametrize(
    ("sacct", "asked"),
    [
        (None, "squeue"),
        ("echo 'Slurm accounting storage is disabled' >&2; exit 1", "squeue"),
        ("echo 'sacct: error: slurm_persist_conn_open: failed' >&2; exit 1", "sacct"),
        ("echo 7", "sacct"),
    ],
)
def test_the_plugin_asks_sacct_where_there_is_accounting(sacct, asked, tmp_path):
    pytest.importorskip("snakemake_executor_plugin_slurm")
    (tmp_path / "which").symlink_to(shutil.which("which"))
    if sacct:
        (tmp_path / "sacct").write_text(f"#!/bin/sh\n{sacct}\n")
        (tmp_path / "sacct").chmod(0o755)
    done = subprocess.run(
        [sys.executable, "-c", ASKED], env={"PATH": str(tmp_path)}, capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{asked}\n"
