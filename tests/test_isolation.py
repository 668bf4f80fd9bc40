"""Models of others, in a sandbox and within limits: honest ones give their figures, hostile ones fail alone."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest

from sinobench import isolation
from sinobench.errors import InputError
from sinobench.failures import parted

JOB = """
import json, os, signal, socket, subprocess, sys, threading, time
from pathlib import Path
from types import SimpleNamespace
from snakemake.iocontainers import InputFiles, OutputFiles, Params, Wildcards
from sinobench import children, failures

name, wanted, minutes, megabytes = sys.argv[1:]
entry = {"kind": "python", "class": "models/mine.py:Mine"}
paths = {"predictions": f"made/{name}.parquet", "fitted": f"made/{name}", "identities": f"made/{name}.identity"}
asked = {"runtime": children.BASE_MIN + float(minutes), "mem_mb": children.BASE_MB + float(megabytes)}
asked["tries_left"] = int(name.startswith("tried-again"))
snakemake = SimpleNamespace(
    input=InputFiles(["inputs.txt"]),
    output=OutputFiles(fromdict=paths),
    params=Params(fromdict={"entry": entry}),
    wildcards=Wildcards(fromdict={"model": name}),
    resources=Params(fromdict=asked),
    log=[f"logs/{name}.log"],
    config={"isolation": wanted},
    rule="predict_csc",
)

def witness():
    yield
    Path(snakemake.output.identities).write_text(entry["class"])

witnessed = {"witness": witness(), "witnessed": ["identities"]}
with failures.job(snakemake, guarded=True, folders=["fitted"], **witnessed):
    output, folder = Path(snakemake.output.predictions), Path(snakemake.output.fitted)
    output.write_bytes(b"PAR1figures\\0\\0\\0\\0PAR1")
    folder.mkdir()
    globals().update(json.loads(Path("constants.json").read_text()))
    exec(Path(f"models/{name}.txt").read_text())
"""
LEAVE = """
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execvp("sleep", ["sleep", SECONDS])
    os._exit(0)
time.sleep(0.3)
"""
CONNECT = """
for family, kind, address in [
    (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", PORT)),
    (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", PORT)),
    (socket.AF_UNIX, socket.SOCK_STREAM, HOME + "/socket"),
    (socket.AF_UNIX, socket.SOCK_STREAM, chr(0) + "sinobench-test-" + str(PORT)),
]:
    with socket.socket(family, kind) as connection:
        try:
            connection.connect(address)
            connection.send(b"secret")
        except OSError as error:
            print(error)
raise RuntimeError
"""
WRITE = """
for place in [
    "canary", "made/canary", "models/honest.txt", "/proc/sys/kernel/printk_ratelimit", HOME + "/canary",
    "inputs.txt", "/var/tmp/" + CANARY, "/tmp/" + CANARY, "/dev/shm/" + CANARY
]:
    try:
        Path(place).write_text("written")
    except OSError as error:
        print(error)
raise RuntimeError
"""
READ = """
found = [os.environ.get("SINOBENCH_TEST_KEY")]
for place in [HOME + "/.ssh/id", "/proc/1/environ", f"/proc/{os.getppid()}/environ"]:
    try:
        found.append(Path(place).read_bytes())
    except OSError as error:
        print(error)
print(found)
raise RuntimeError
"""
RESUME = """
state = Path(f"{folder}.unfinished", "state")
if not state.exists():
    state.parent.mkdir()
    state.write_text("step 1")
    os._exit(3)
print("goes on from", state.read_text())
"""
# What a model does, and how the reason of its failure begins; None where it gives its figures.
MODELS = {
    "honest": ("print(Path('inputs.txt').read_text())", None),
    "forges": ("Path(snakemake.output.identities).write_text('another')", None),
    "temporary": ("Path('/tmp/a').write_text('x'); Path('/dev/shm/a').write_text('x')", None),
    "connects": (CONNECT, "RuntimeError"),
    "writes": (WRITE, "RuntimeError"),
    "reads": (READ, "RuntimeError"),
    "sleeps": ("time.sleep(600)", "ran longer than its limit of 0.05 min (`limits.time_min` of its catalog entry)"),
    "eats": ("x = []\nwhile True: x.append(os.urandom(10**7))", "took "),
    "leaves": (LEAVE, "left processes behind, which were ended"),
    "daemon": (LEAVE + "os._exit(0)", "left processes behind, which were ended"),
    "exits": ("os._exit(0)", "ended its process with status 0"),
    "exits-1": ("os._exit(1)", "ended its process with status 1"),
    "killed": ("os.kill(os.getpid(), signal.SIGKILL)", "was killed by SIGKILL"),
    "stops": ("os.kill(os.getpid(), signal.SIGTERM)", "was killed by SIGTERM"),
    "parent": ("os.kill(os.getppid(), signal.SIGKILL); time.sleep(1)", None),
    "floods": ("while True: os.write(1, b'x' * 10**6)", "printed more than 100 MB"),
    "link": ("output.unlink(); output.symlink_to('/etc/hostname')", "wrote link.parquet as a link, not as a file"),
    "folder": ("output.unlink(); output.mkdir()", "wrote folder.parquet as a folder, not as a file"),
    "linked": ("(folder / 'a').symlink_to('/etc')", "wrote a link into linked"),
    "truncates": ("os.truncate(output, 9)", "wrote truncates.parquet as something else than a whole Parquet file"),
    "tried-again": ("os.kill(os.getpid(), signal.SIGKILL)", "was killed by SIGKILL"),
    "tried-again-sleeping": ("time.sleep(600)", "ran longer than its limit"),
    "nothing": ("output.unlink()", "did not write nothing.parquet"),
}
# What these do without a sandbox can't be undone.
SANDBOXED = {"connects", "writes", "reads", "parent", "temporary"}
LIMITS = {"sleeps": ("0.05", "1000"), "tried-again-sleeping": ("0.05", "1000"), "eats": ("1", "400")}
sandbox = pytest.mark.skipif(bool(isolation.unavailable()), reason=f"needs bubblewrap: {isolation.unavailable()}")


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """ran(isolation): a folder in which all models ran, with what reached the listeners."""
    known = {}

    def ran(wanted):
        if wanted not in known:
            known[wanted] = _run(tmp_path_factory.mktemp("ran"), wanted)
        return known[wanted]

    return ran


def _run(project: Path, wanted: str) -> SimpleNamespace:
    home = project / "home"
    for folder in ("models", "made", "logs", "home/.ssh"):
        (project / folder).mkdir(parents=True)
    (home / ".ssh/id").write_text("planted", encoding="utf-8")
    (home / "data").mkdir()
    (home / "data/inputs.txt").write_text("inputs", encoding="utf-8")
    (home / "hop").symlink_to("data/inputs.txt")
    (project / "inputs.txt").symlink_to(home / "hop")
    (project / "job.py").write_text(JOB, encoding="utf-8")
    for name, (body, _) in MODELS.items():
        (project / f"models/{name}.txt").write_text(body, encoding="utf-8")
    variables = os.environ | {"HOME": str(home), "SINOBENCH_TEST_KEY": "planted"}

    ended = {}

    def start(name: str) -> None:
        command = [sys.executable, "job.py", name, wanted, *LIMITS.get(name, ("5", "1000"))]
        done = subprocess.run(command, cwd=project, env=variables, capture_output=True, timeout=120, check=False)
        ended[name] = done.returncode, done.stderr.decode()

    with _listening(home / "socket") as (port, came):
        constants = {"PORT": port, "HOME": str(home), "SECONDS": f"{10**6 + port}", "CANARY": f"canary-{port}"}
        (project / "constants.json").write_text(json.dumps(constants), encoding="utf-8")
        names = [name for name in MODELS if wanted != "off" or name not in SANDBOXED]
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(start, names))
    left = [p.pid for p in psutil.process_iter(["cmdline"]) if constants["SECONDS"] in (p.info["cmdline"] or [])]
    return SimpleNamespace(folder=project, names=names, came=came, left=left, ended=ended, canary=constants["CANARY"])


@contextlib.contextmanager
def _listening(path: Path) -> Iterator[tuple[int, list[str]]]:
    """A port of loopback and a socket at the path, and what came there; an abstract one has the port in its name."""
    came: list[str] = []
    with contextlib.ExitStack() as stack:
        stream, datagrams = (socket.socket(socket.AF_INET, kind) for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM))
        stream.bind(("127.0.0.1", 0))
        port = stream.getsockname()[1]
        datagrams.bind(("127.0.0.1", port))
        named, abstract = (socket.socket(socket.AF_UNIX) for _ in range(2))
        # A path of a socket is short.
        here = os.getcwd()
        os.chdir(path.parent)
        named.bind(path.name)
        os.chdir(here)
        abstract.bind(f"\0sinobench-test-{port}")
        for each in (stream, named, abstract):
            each.listen()
        for each in (stream, datagrams, named, abstract):
            stack.enter_context(each)
            each.settimeout(0)
        yield port, came
        for each in (stream, named, abstract):
            with contextlib.suppress(BlockingIOError):
                came.append(str(each.accept()))
        with contextlib.suppress(BlockingIOError):
            came.append(str(datagrams.recv(100)))


@sandbox
@pytest.mark.parametrize("name", MODELS)
def test_a_hostile_model_fails_alone_with_its_reason_in_the_sandbox(ran, name):
    _check(ran("required"), name)


@pytest.mark.parametrize("name", [name for name in MODELS if name not in SANDBOXED])
def test_limits_hold_without_a_sandbox(ran, name):
    _check(ran("off"), name)


def _check(run: SimpleNamespace, name: str) -> None:
    predictions, log = run.folder / f"made/{name}.parquet", run.folder / f"logs/{name}.log"
    failures = parted([str(predictions)])[1]
    reason = MODELS[name][1]
    if name.startswith("tried-again"):
        # A failed job is Snakemake's to try again; a note would say that it is over.
        assert run.ended[name][0] == 1 and not failures and reason in log.read_text(encoding="utf-8")
        return
    assert run.ended[name][0] == 0, run.ended[name][1]
    if reason is None:
        assert not failures and predictions.read_bytes().startswith(b"PAR1figures")
        assert predictions.stat().st_mode & 0o777 == (run.folder / "job.py").stat().st_mode & 0o777
        assert (run.folder / f"made/{name}").is_dir()
        assert (run.folder / f"made/{name}.identity").read_text(encoding="utf-8") == "models/mine.py:Mine"
    else:
        assert [failure.reason[: len(reason)] for failure in failures] == [reason]
        assert reason in log.read_text(encoding="utf-8")
    assert log.stat().st_size < 11e6


def test_nothing_is_left_behind(ran):
    for run in map(ran, ["off", *(["required"] if not isolation.unavailable() else [])]):
        assert run.left == [] and not list(run.folder.glob("made/.*.isolated"))
    made = {path.name for path in run.folder.glob("made/*")}
    assert {"honest", "honest.parquet"} < made


@sandbox
def test_nothing_came_out_and_nothing_was_read(ran):
    run = ran("required")
    assert run.came == []
    for name in ("connects", "writes", "reads"):
        assert "planted" not in (run.folder / f"logs/{name}.log").read_text(encoding="utf-8")
    places = [run.folder, run.folder / "made", run.folder / "home", Path("/tmp"), Path("/var/tmp"), Path("/dev/shm")]
    assert not [place for place in places if {"canary", run.canary} & set(os.listdir(place))]
    assert (run.folder / "inputs.txt").read_text(encoding="utf-8") == "inputs"


@sandbox
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM])
def test_a_sandbox_ends_with_its_job(ran, sent):
    project = ran("required").folder
    command = [sys.executable, "job.py", "sleeps", "required", "5", "1000"]
    folder = project / "made/.sleeps.parquet.isolated"
    shutil.rmtree(folder, ignore_errors=True)
    job = subprocess.Popen(command, cwd=project, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while not (folder / "1/sleeps").is_dir() and time.monotonic() < end:
        time.sleep(0.05)
    family = psutil.Process(job.pid).children(recursive=True)
    assert len(family) >= 3
    job.send_signal(sent)
    assert job.wait(60) != 0
    assert psutil.wait_procs(family, timeout=30)[1] == []


@sandbox
def test_a_fit_that_was_interrupted_goes_on_in_the_sandbox(ran):
    project = ran("required").folder
    (project / "models/resumes.txt").write_text(RESUME, encoding="utf-8")
    command = [sys.executable, "job.py", "resumes", "required", "5", "1000"]
    for reasons in (["ended its process with status 3"], []):
        subprocess.run(command, cwd=project, check=True, capture_output=True, timeout=120)
        assert [failure.reason for failure in parted([str(project / "made/resumes.parquet")])[1]] == reasons
    assert "goes on from step 1" in (project / "logs/resumes.log").read_text(encoding="utf-8")
    assert not list(project.glob("made/.resumes*.isolated"))


def test_a_required_sandbox_that_is_absent_fails_the_model_before_it_runs(ran, tmp_path):
    project = ran("off").folder
    (project / "models/waits.txt").write_text("print('it runs')", encoding="utf-8")
    command = [sys.executable, "job.py", "waits", "required", "5", "1000"]
    done = subprocess.run(
        command, cwd=project, env=os.environ | {"PATH": str(tmp_path)}, capture_output=True, text=True, timeout=120
    )
    said = "the config has `isolation: required`, and there is no sandbox: bubblewrap (`bwrap`) is not installed"
    assert done.returncode == 0 and said in done.stderr
    assert (project / "logs/waits.log").read_text(encoding="utf-8").startswith(f"error: {said}")
    assert "it runs" not in (project / "logs/waits.log").read_text(encoding="utf-8")
    assert [failure.reason[: len(said)] for failure in parted([str(project / "made/waits.parquet")])[1]] == [said]


@sandbox
def test_figures_do_not_depend_on_the_sandbox(ran):
    one, other = (ran(wanted).folder / "made/honest.parquet" for wanted in ("off", "required"))
    assert one.read_bytes() == other.read_bytes()


@sandbox
def test_the_log_says_what_holds(ran):
    said = [(ran(wanted).folder / "logs/honest.log").read_text(encoding="utf-8") for wanted in ("required", "off")]
    assert said[0].startswith("The model runs in a sandbox of bubblewrap: no network") and "inputs" in said[0]
    assert said[1].startswith("The model runs without a sandbox: the config has `isolation: off`.")
    flood = (ran("required").folder / "logs/floods.log").read_text(encoding="utf-8")
    assert "[cut: the log keeps 10 MB of what the job printed]" in flood


@pytest.mark.parametrize(
    ("entry", "foreign"),
    [
        ({"kind": "python", "class": "sinobench.csc.models.dictionary:Dictionary"}, False),
        ({"kind": "python", "class": "mine.py:Mine"}, True),
        ({"kind": "python", "class": "their_package.models:Theirs"}, True),
        ({"kind": "hub", "class": "sinobench.csc.models.masked_lm:MaskedLm"}, True),
        ({"kind": "predictions", "files": {}}, False),
    ],
)
def test_what_is_foreign(entry, foreign):
    assert isolation.is_foreign(entry) == foreign


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (None, "bubblewrap (`bwrap`) is not installed"),
        ("echo 'bwrap: setting up uid map: Permission denied' >&2; exit 1", "setting up uid map: Permission denied"),
    ],
)
def test_a_sandbox_that_does_not_work_is_none(tmp_path, monkeypatch, script, reason):
    if script:
        (tmp_path / "bwrap").write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    isolation.unavailable.cache_clear()
    foreign = [{"kind": "python", "class": "mine.py:Mine"}]
    try:
        with pytest.raises(InputError, match="isolation: required") as raised:
            isolation.chosen(foreign, "required")
        isolated, said = isolation.chosen(foreign, "when available")
        assert reason in str(raised.value) and reason in said and not isolated
        assert isolation.chosen([{"kind": "python", "class": "sinobench.a:B"}], "required") == (False, "")
    finally:
        isolation.unavailable.cache_clear()
