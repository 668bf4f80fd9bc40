"""What failed jobs leave, hand on and list, in a workflow of three kinds of jobs."""

import fcntl
import json
import re
import signal
import socket
import time
from pathlib import Path

import psutil
import pytest

from sinobench import failures
from tests.project import snakemake, start

MODELS = ("good", "raises", "wrong", "exits", "leaves", "killed", "unfit")
WORKFLOW = """
from sinobench import failures

def end():
    if listed := failures.settle("logs"):
        print(listed, file=sys.stderr)
        sys.exit(1)

rule collect:
    input: scores=expand("scores/one/{{model}}", model={models}), fitted=expand("fitted/{{model}}", model={models})
    output: "all.txt"
    log: "logs/collect.log"
    script: "collect.py"

rule fit_csc:
    output: fitted=directory("fitted/{{model}}")
    log: "logs/fit_csc/{{model}}.log"
    script: "fit.py"

rule predict_csc:
    input: rules.fit_csc.output
    output: "predictions/{{corpus}}/{{model}}"
    log: "logs/predict_csc/{{corpus}}/{{model}}.log"
    script: "predict.py"

rule score_csc:
    input: rules.predict_csc.output
    output: "scores/{{corpus}}/{{model}}"
    log: "logs/score_csc/{{corpus}}/{{model}}.log"
    script: "score.py"

onsuccess:
    end()

onerror:
    end()
"""
SCRIPTS = {
    "fit": """
with job(snakemake, guarded=True, folders=["fitted"]):
    Path(snakemake.output.fitted).mkdir()
    Path(snakemake.output.fitted, "half").touch()
    if snakemake.wildcards.model == "unfit":
        raise MemoryError("no room")
""",
    "predict": """
with job(snakemake, guarded=True):
    Path(snakemake.output[0]).write_text(str(os.getpid()))
    match snakemake.wildcards.model:
        case "raises":
            raise ZeroDivisionError("by zero")
        case "wrong":
            raise InputError("expected a string")
        case "exits":
            os._exit(3)
        case "leaves":
            sys.exit(0)
        case "killed":
            os.kill(os.getpid(), 9)
        case "sleeps":
            time.sleep(100)
""",
    "score": """
with job(snakemake):
    Path(snakemake.output[0]).write_text("scored")
""",
    "collect": """
with job(snakemake, despite=["scores", "fitted"]):
    made, notes = parted(snakemake.input)
    lines = made + [f"{note.task} {note.corpus} {note.model}: {note.rule}: {note.reason}" for note in notes]
    Path(snakemake.output[0]).write_text("\\n".join(lines))
""",
}
HEAD = """
import os, sys, time
from pathlib import Path
from sinobench.errors import InputError
from sinobench.failures import job, parted
"""


@pytest.fixture
def project(tmp_path) -> Path:
    (tmp_path / "Snakefile").write_text(WORKFLOW.format(models=list(MODELS)), encoding="utf-8")
    for name, body in SCRIPTS.items():
        (tmp_path / f"{name}.py").write_text(HEAD + body, encoding="utf-8")
    (tmp_path / "scripts").symlink_to(Path(__file__).parents[1] / "scripts")
    return tmp_path


def test_failed_jobs_are_collected_listed_and_tried_again(project):
    result = snakemake(project, "--quiet", "all")
    assert result.returncode == 1
    collected, listed = (
        re.sub(r" in \S+, line \d+", " in PLACE", text)
        for text in ((project / "all.txt").read_text(encoding="utf-8"), result.stderr)
    )
    collected = collected.splitlines()
    reasons = {
        "raises": "predict_csc: ZeroDivisionError in PLACE",  # its own message may quote data
        "wrong": "predict_csc: expected a string",
        "exits": "predict_csc: ended its process with status 3",
        "leaves": "predict_csc: ended its process with status 0",
        "killed": "predict_csc: was killed by SIGKILL, as happens when memory runs out",
        "unfit": "fit_csc: MemoryError in PLACE: no room",
    }
    assert {f"csc one {model}: {reason}" for model, reason in reasons.items()} < set(collected)
    assert "scores/one/good" in collected and "fitted/good" in collected
    for model, reason in reasons.items():
        rule, _, said = reason.partition(": ")
        of = f"model {model}" if model == "unfit" else f"corpus one, model {model}"
        log = f"logs/{rule}/{model}.log" if model == "unfit" else f"logs/{rule}/one/{model}.log"
        assert listed.count(f"  {rule}, {of}: {said} (log: {log})") == 1
    kept = {path.name for folder in ("predictions/one", "scores/one") for path in (project / folder).iterdir()}
    assert kept == {"good"} and not list(project.rglob("*.failed")) and not (project / "fitted/unfit").exists()

    predict = (project / "predict.py").read_text(encoding="utf-8")
    (project / "predict.py").write_text(predict.replace("os._exit(3)", "pass"), encoding="utf-8")
    assert snakemake(project, "--quiet", "all", "--", "scores/one/exits", "scores/one/good").returncode == 0
    assert (project / "scores/one/exits").read_text(encoding="utf-8") == "scored"


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM])
def test_a_model_ends_with_its_job_and_a_stopped_job_is_no_failure(project, sent):
    run = start(project, "scores/one/sleeps")
    prediction = project / "predictions/one/sleeps"
    model = psutil.Process(_when(lambda: prediction.exists() and int(prediction.read_text(encoding="utf-8") or 0)))
    model.parent().send_signal(sent)
    assert run.wait(60) == 1
    assert _when(lambda: not model.is_running())
    assert not list(project.rglob("*.failed")) and not prediction.exists()


def _when(found, timeout_s=60):
    """What ``found`` returns, as soon as it is something."""
    end = time.monotonic() + timeout_s
    while not (value := found()) and time.monotonic() < end:
        time.sleep(0.05)
    return value


def test_notes_of_a_live_run_are_left_to_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    failure = {"task": "csc", "corpus": None, "model": "m", "rule": "fit_csc", "reason": "no", "log": "logs/m.log"}
    Path("logs").mkdir()
    with Path("other@" + socket.gethostname()).open("w") as run:
        fcntl.flock(run, fcntl.LOCK_EX)
        known = {"failure": failure, "files": [], "run": str(tmp_path / run.name)}
        Path("logs/m.log.failed").write_text(json.dumps(known), encoding="utf-8")
        assert failures.settle("logs") == ""
    assert "fit_csc, model m: no" in failures.settle("logs") and not list(Path("logs").iterdir())
