"""Jobs that are copies of one process: what they are told and tell, and what goes wrong with them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import psutil
import pytest
from snakemake.script import PythonScript

from sinobench import starting
from tests import project as projects
from tests.conftest import ROOT

# On a loaded machine Snakemake comes late to look at the process of a job.
WORKFLOW = """
import time
from snakemake import benchmark
from sinobench import starting

starting.install()

def late(*arguments, usual=benchmark.benchmarked):
    time.sleep(0.3)
    return usual(*arguments)

benchmark.benchmarked = late

rule all:
    input: "one.json", "two.json", "threads.json", "draws.json", "draws_too.json", "fits.json", "predicts.json"

rule one:
    output: "one.json"
    benchmark: "one.jsonl"
    script: "job.py"

rule two:
    input: rules.one.output
    output: "two.json"
    script: "job.py"

rule draws:
    output: "draws.json"
    script: "draw_csc.py"

rule draws_too:
    input: rules.draws.output
    output: "draws_too.json"
    script: "draw_csc.py"

MODEL = {"kind": "python", "class": "sinobench.lid.models.conformer:Conformer", "packages": ["torch"]}

rule fits:
    output: "fits.json"
    params: entry=MODEL
    script: "job.py"

rule predicts:
    output: "predicts.json"
    params: entry=MODEL
    script: "predict_lid.py"

rule threads:
    output: "threads.json"
    threads: 2
    script: "job.py"

rule fails:
    output: "fails.json"
    benchmark: "fails.jsonl"
    script: "fails.py"

rule raises:
    output: "raises.json"
    log: "raises.log"
    script: "raises.py"

rule ends_all:
    output: "ends_all.json"
    script: "ends_all.py"
"""
JOB = """
import json, os, sys, time
loaded = "numpy" in sys.modules
import psutil
room = b"1" * 200_000_000
time.sleep(1)  # Snakemake measures twice a second
said = dict(loaded=loaded, altair="altair" in sys.modules, torch="torch" in sys.modules,
    pandas="pandas" in sys.modules, origin=psutil.Process(os.getppid()).ppid(),
    argv=sys.argv, place=sys.path[0], name=__name__, file=__file__, parent=os.getppid(),
    temporary=os.environ["TMPDIR"], omp=os.environ["OMP_NUM_THREADS"], python=sys.executable,
    descriptors=sorted(os.readlink(f"/proc/self/fd/{n}").split(":")[0] for n in os.listdir("/proc/self/fd")[:-1]))
with open(snakemake.output[0], "w") as stream:
    json.dump(said, stream)
"""
RAISES = """
import atexit, threading, time
atexit.register(print, "said at the end")
threading.Thread(target=lambda: (time.sleep(0.5), print("said late"))).start()
raise ValueError("what went wrong")
"""
ENDS_ALL = """
import os, signal, time
os.kill(os.getppid(), signal.SIGKILL)
time.sleep(60)
"""


def snakemake(folder, *arguments):
    """Start an interpreter for the run, which starts one for its jobs: what is tested here is how they start."""
    return projects.snakemake(folder, *arguments, prefix=["env"])


@pytest.fixture
def project(tmp_path) -> Path:
    (tmp_path / "Snakefile").write_text(WORKFLOW, encoding="utf-8")
    bodies = dict.fromkeys(("job", "draw_csc", "predict_lid"), JOB)
    bodies |= {"fails": "import sys\nsys.exit(3)\n", "raises": RAISES, "ends_all": ENDS_ALL}
    for name, body in bodies.items():
        (tmp_path / f"{name}.py").write_text(body, encoding="utf-8")
    return tmp_path


def test_jobs_of_one_thread_are_copies_of_one_process_and_measured_themselves(project):
    result = snakemake(project, "--default-resources", "tmpdir='here'", "--", "all")
    assert result.returncode == 0, result.stderr
    one, two, threads = (json.loads((project / f"{name}.json").read_text()) for name in ("one", "two", "threads"))
    assert one["loaded"] and two["loaded"] and not threads["loaded"]
    names = ("draws", "draws_too", "fits", "predicts")
    draws, again, fits, predicts = (json.loads((project / f"{name}.json").read_text()) for name in names)
    assert draws["altair"] and not one["altair"] and not two["altair"] and draws["parent"] != one["parent"]
    assert draws["parent"] == again["parent"] and not draws["torch"]
    assert fits["torch"] and not fits["altair"] and not psutil.pid_exists(fits["parent"])
    # What both need is loaded once.
    assert predicts["torch"] and predicts["pandas"] and not fits["pandas"] and predicts["origin"] == fits["parent"]
    assert one["parent"] == two["parent"] != threads["parent"] and not psutil.pid_exists(one["parent"])
    assert (one["omp"], threads["omp"]) == ("1", "2")
    for said in (one, two, threads):
        assert said["name"] == "__main__" and said["temporary"] == "here" and said["python"] == one["python"]
        assert [Path(said["argv"][0]).parent, Path(said["place"])] == [project / ".snakemake/scripts"] * 2
        assert said["file"].endswith("/job.py")
    # What the process holds for its other jobs is no job's: a job that kept it would outlive a killed run unnoticed.
    assert all(said["descriptors"].count("socket") == 0 for said in (one, two, draws, again, fits, predicts))
    measured = json.loads((project / "one.jsonl").read_text())
    assert measured["max_rss"] > 200 and measured["s"] > 0


def test_the_status_of_a_job_is_told(project):
    result = snakemake(project, "--keep-going", "--", "fails.json", "raises.json")
    assert result.returncode == 1
    for said in ("exit status 3", "exit status 1", "raises.py", "ValueError: what went wrong"):
        assert said in result.stderr
    assert "ValueError: what went wrong" in (project / "raises.log").read_text(encoding="utf-8")
    assert "said late\nsaid at the end\n" in result.stdout


def test_a_job_whose_process_lost_its_origin_fails_and_the_next_one_gets_another(project):
    result = snakemake(project, "--keep-going", "--cores", "1", "--", "ends_all.json", "two.json")
    assert result.returncode == 1 and (project / "two.json").exists() and not (project / "ends_all.json").exists()


def test_what_is_loaded_beforehand_has_no_threads():
    # jemalloc, Arrow's allocator, sees to its own in a copy.
    modules = {*starting.LOADED, *(module for others in starting.LOADED_FOR.values() for module in others), "torch"}
    code = f"""
import importlib, pathlib
for module in {sorted(modules)}:
    importlib.import_module(module)
names = [path.read_text().strip() for path in pathlib.Path("/proc/self/task").glob("*/comm")]
print(len(names) - names.count("jemalloc_bg_thd"))
"""
    one = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    assert subprocess.check_output([sys.executable, "-c", code], text=True, env=os.environ | one) == "1\n"


def test_scripts_that_want_more_loaded_are_there():
    assert all((ROOT / f"scripts/{name}.py").is_file() for name in starting.LOADED_FOR)


def test_what_starts_as_usual_first_is_counted(monkeypatch):
    started = []
    monkeypatch.setattr(PythonScript, "execute_script", lambda self, name, edit=False: started.append(f"{name} usual"))
    monkeypatch.setattr(starting.Starter, "run", lambda self, name, *_: started.append(f"{name} copied") or 0)
    starting.install(as_usual=1)
    none = dict.fromkeys(("conda_env", "container_img", "env_modules", "shadow_dir"))
    job = Mock(**none, params={}, threads=1, resources={})
    for name in ("draw_csc.py", "draw_g2p.py", "draw_ld.py"):
        PythonScript.execute_script(job, name)
    assert started == ["draw_csc.py usual", "draw_g2p.py copied", "draw_ld.py copied"]


def test_a_system_that_can_not_tell_of_the_end_starts_jobs_as_usual(monkeypatch):
    def lacking(pid):
        raise OSError(38, "Function not implemented")

    usual = PythonScript.execute_script
    for change in (lambda: monkeypatch.setattr("os.pidfd_open", lacking), lambda: monkeypatch.delattr("os.pidfd_open")):
        change()
        starting.install()
        assert PythonScript.execute_script is usual
