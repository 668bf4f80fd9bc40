"""What the status script of the profile cluster-generic makes of what squeue and sacct say."""

import subprocess
from pathlib import Path

import pytest

STATUS = Path(__file__).parents[2] / "profiles" / "cluster-generic" / "status.sh"


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
