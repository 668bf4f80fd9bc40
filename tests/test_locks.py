"""Runs that are killed, and the next one, in a workflow of two jobs."""

import os
import signal
import socket
import time
from pathlib import Path

import psutil
import pytest

from sinobench import locks
from sinobench.errors import InputError
from tests.project import snakemake, start

WORKFLOW = """
import atexit, os, sys
from sinobench import ending, job_lines, locks, troubles
from snakemake.logging import logger
if workflow.is_main_process:
    if locks.enter():
        print("released", file=sys.stderr)
    lines = job_lines.shorten(logger, workflow)
    logger.addHandler(trouble := troubles.Trouble(workflow))
    words = lambda: ending.last_words(lines, None, None, [], [], trouble.words())
    atexit.register(lambda: print(*words(), sep="\\n", file=sys.stderr))

rule two:
    input: "one"
    output: touch("two")

rule one:
    output: "one"
    log: "one.log"
    script: "one.py"

rule three:
    output: touch("three")

rule four:
    output: "four"
    shell: "echo half > four; while [ -e wait-again ]; do sleep 0.05; done; echo whole > four"
"""
JOB = """
import os, time
from pathlib import Path
from sinobench.log import job_log
with job_log(snakemake.log[0]):
    Path("pid").write_text(str(os.getpid()))
    while Path("wait").exists():
        time.sleep(0.05)
    Path("one").touch()
"""


@pytest.fixture
def project(tmp_path) -> Path:
    (tmp_path / "Snakefile").write_text(WORKFLOW, encoding="utf-8")
    (tmp_path / "one.py").write_text(JOB, encoding="utf-8")
    (tmp_path / "scripts").symlink_to(Path(__file__).parents[1] / "scripts")
    (tmp_path / "wait").touch()
    return tmp_path


@pytest.fixture
def run(project):
    """A run whose first job works."""
    process = start(project, "two")
    wait_for(lambda: (project / "pid").exists() and (project / "pid").read_text(encoding="utf-8"))
    yield process
    process.kill()
    process.wait()


def wait_for(condition, timeout_s=60):
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_after_a_kill_the_same_command_works_and_no_job_of_the_dead_run_goes_on(project, run):
    job = psutil.Process(int((project / "pid").read_text(encoding="utf-8")))
    run.send_signal(signal.SIGKILL)
    run.wait()
    wait_for(lambda: not job.is_running())
    (project / "wait").unlink()
    result = snakemake(project, "two")
    assert result.returncode == 0 and "released" in result.stderr, result.stderr
    assert list((project / ".snakemake/runs").iterdir()) == []


def test_the_lock_of_a_live_run_stays(project, run):
    result = snakemake(project, "two")
    assert result.returncode == 1 and "released" not in result.stderr and run.poll() is None
    assert f"process {run.pid} on {socket.gethostname()}, since 20" in result.stderr, result.stderr
    # A run that makes other files takes no lock of the others away, and a dead one's is known for its own beside them.
    assert snakemake(project, "three").returncode == 0
    (project / "wait-again").touch()
    killed = start(project, "four")
    wait_for(lambda: (project / "four").exists())
    killed.kill()
    killed.wait()
    (project / "wait-again").unlink()
    assert snakemake(project, "four", "--rerun-incomplete").returncode == 0
    assert "makes the same files" in snakemake(project, "two").stderr
    (project / "wait").unlink()
    assert run.wait(60) == 0 and (project / "two").exists()


def test_the_lock_of_a_run_of_another_machine_stays(project, run):
    run.send_signal(signal.SIGKILL)
    run.wait()
    [announced] = (project / ".snakemake/runs").iterdir()
    announced.rename(announced.with_name(announced.name.replace(socket.gethostname(), "elsewhere")))
    said = snakemake(project, "two").stderr
    assert f"process {run.pid} on elsewhere, since 20" in said and "--unlock" in said


def test_a_folder_of_another_user_is_named_with_its_owner(tmp_path, monkeypatch):
    monkeypatch.setenv("SINOBENCH_RUN", "")  # restored at the end
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # what the system tells another user than root
    (tmp_path / "metadata").mkdir()
    (tmp_path / "metadata/of-a-file").touch()
    owner = (tmp_path / "metadata/of-a-file").owner()
    with pytest.raises(InputError, match=rf"of-a-file: belongs to {owner}, and you may not"):
        locks.enter(tmp_path)
    monkeypatch.setattr(Path, "mkdir", denied)
    with pytest.raises(InputError, match=r"belongs to .* Run in a clone of your own"):
        locks.enter(tmp_path / "absent")


def denied(path, **_):
    raise PermissionError(13, "Permission denied", path)


def test_a_lock_that_no_known_run_took_stays(project, run):
    run.send_signal(signal.SIGKILL)
    run.wait()
    [announced] = (project / ".snakemake/runs").iterdir()
    announced.unlink()
    assert "locks of an unknown run" in snakemake(project, "two").stderr
    assert snakemake(project, "--unlock").returncode == 0 and not (project / ".snakemake/locks").exists()
