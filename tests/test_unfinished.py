"""A database that lacks something is made again, however the run that left it so has ended."""

import signal
from pathlib import Path

import pytest

from tests.project import snakemake

WORKFLOW = """
import os, signal
from sinobench import unfinished

if workflow.is_main_process:
    unfinished.mark("database", lambda: os.path.exists("failed"))

rule database:
    input: "part"
    output: "all.txt"
    shell: "cat part > all.txt"

rule part:
    output: "part"
    shell: "test ! -e fails && echo whole > part"

onsuccess:
    # As at the end of a run with failures: what failed is removed, and then the run is killed.
    if os.path.exists("failed"):
        os.unlink("part")
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def project(tmp_path) -> Path:
    (tmp_path / "Snakefile").write_text(WORKFLOW, encoding="utf-8")
    (tmp_path / "scripts").symlink_to(Path(__file__).parents[1] / "scripts")
    return tmp_path


def run(project, *arguments):
    return snakemake(project, "database", "--rerun-incomplete", "--nolock", *arguments)


def test_after_a_failure(project):
    (project / "failed").touch()
    assert run(project).returncode == -signal.SIGKILL and not (project / "part").exists()
    (project / "failed").unlink()
    assert run(project).returncode == 0 and (project / "part").exists()
    assert "Nothing to be done" in run(project).stderr


def test_before_the_database_was_made(project):
    assert run(project).returncode == 0
    (project / "fails").touch()
    assert run(project, "--forcerun", "part").returncode == 1 and not (project / "part").exists()
    (project / "fails").unlink()
    assert run(project).returncode == 0 and (project / "part").exists()
