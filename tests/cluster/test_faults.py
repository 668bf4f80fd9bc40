"""A run through each cluster profile, side by side, whose jobs meet what jobs meet on a cluster."""

import os
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from shutil import copytree

import pytest

from tests.cluster.test_cluster import PROFILES, database_differences, run_on_cluster
from tests.project import snakemake

# In its first job on the cluster each model meets what it is called by. `met/<model>` names its jobs, and their GPUs.
MODEL = """
import os, time
from pathlib import Path

class Faulty:
    def __init__(self, fault):
        self.fault = fault

    def predict(self, texts):
        if job := os.environ.get("SLURM_JOB_ID"):
            self.wait_for("met/go")
            met = Path("met", self.fault)
            with met.open("a") as stream:
                stream.write(f"{job} {os.environ.get('CUDA_VISIBLE_DEVICES')}\\n")
            if met.read_text().count("\\n") == 1:
                held = b"x" * (900_000_000 if self.fault == "hungry" else 0)
                self.wait_for("met/over")
        return texts

    def wait_for(self, file):
        while not Path(file).exists():
            time.sleep(0.1)
"""
MODELS = ("cancelled", "late", "hungry", "away")
ENTRY = """
{model}:
  task: csc
  title: Faulty
  kind: python
  class: faulty.py:Faulty
  options: {{fault: {model}}}
  limits: {{memory_mb: 600, time_min: 5}}
  gpus: {gpus}
"""
CONFIG = f"""
csc: {{corpora: [sample-csc], models: [{", ".join(MODELS)}]}}
catalogs: {{models: [config/models.yaml, faulty.yaml]}}
isolation: "off"
"""
TARGET = ["database", "--configfile", "faults.yaml"]
# It answers while the controller does not, as a database does: with what was last known.
SACCT = """#!/bin/sh
case "$*" in *--name*) ;; *) exit ;; esac
while [ "$1" != --name ]; do shift; done
squeue --noheader --states=all --name="$2" --format='%i|%T' > "$0.$2.new" 2>/dev/null && mv "$0.$2.new" "$0.$2"
cat "$0.$2"
"""
OPTIONS = {
    profile: ["sacct" if option == "squeue" else option for option in options] for profile, options in PROFILES.items()
}


@pytest.fixture
def folders(source, tmp_path) -> dict[str, Path]:
    """Copies of a workflow with these models, one a profile, and one for a local run."""
    made = {name: Path(copytree(source, tmp_path / name)) for name in (*PROFILES, "local")}
    for folder in made.values():
        (folder / "faulty.py").write_text(MODEL)
        entries = [ENTRY.format(model=model, gpus=int(model == "away")) for model in MODELS]
        (folder / "faulty.yaml").write_text("".join(entries))
        (folder / "faults.yaml").write_text(CONFIG)
        (folder / "met").mkdir()
    return made


def wait_for(condition, runs):
    """Wait until the condition holds, as long as all runs go on."""
    end = time.monotonic() + 300
    while not condition():
        for run in runs:
            assert not run.done(), run.result().stderr
        assert time.monotonic() < end, "the jobs did not come so far"
        time.sleep(0.2)


def told(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.split()


def running():
    """The profiles that have jobs at work: those of the plugin have a comment."""
    comments = told("squeue", "--noheader", "--states=running", "--format=%k")
    return {"cluster-generic" if comment == "(null)" else "slurm" for comment in comments}


def jobs_of(folder, model):
    """Number and GPUs of each of its jobs on the cluster."""
    met = folder / "met" / model
    return [line.split() for line in met.read_text().splitlines()] if met.exists() else []


@pytest.fixture
def accounting(tmp_path) -> str:
    """A PATH on which a stand-in of sacct comes first, for the accounting database that most sites have."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/sacct").write_text(SACCT)
    (tmp_path / "bin/sacct").chmod(0o755)
    return f"{tmp_path}/bin{os.pathsep}{os.environ['PATH']}"


def test_a_run_through_every_fault_has_the_database_of_a_local_one(slurm, folders, accounting):
    on_cluster = [folders[profile] for profile in PROFILES]
    with ThreadPoolExecutor() as pool:
        runs = [
            pool.submit(run_on_cluster, folders[profile], profile, *TARGET, options=options, PATH=accounting)
            for profile, options in OPTIONS.items()
        ]
        hit: set[str] = set()
        while len(hit) < len(runs):
            wait_for(lambda hit=hit: running() - hit, runs)
            hit |= running()
            slurm.fail_node()
        for folder in on_cluster:
            (folder / "met/go").touch()
        wait_for(lambda: all(jobs_of(folder, model) for folder in on_cluster for model in MODELS), runs)
        first = {model: [jobs_of(folder, model)[0] for folder in on_cluster] for model in MODELS}
        told("scancel", *(job for job, _ in first["cancelled"]))
        for job, _ in first["late"]:
            told("scontrol", "update", f"jobid={job}", "EndTime=now")
        again = [(folder, model) for folder in on_cluster for model in ("cancelled", "hungry")]
        wait_for(lambda: all(len(jobs_of(*each)) == 2 for each in again), runs)
        slurm.stop_controller()
        for folder in on_cluster:
            (folder / "met/over").touch()  # jobs end while nobody hears of it
        local = pool.submit(snakemake, folders["local"], *TARGET)
        time.sleep(20)
        slurm.start_controller()
    for run in (local, *runs):
        assert run.result().returncode == 0, run.result().stderr
    for folder in on_cluster:
        assert database_differences(folder, folders["local"], "faults") == []
        assert [len(jobs_of(folder, model)) for model in MODELS] == [2, 2, 2, 1]
    # Both at once, so each its own; those that ask for none are told of none.
    assert {gpu for _, gpu in first["away"]} == {"0", "1"}
    assert {gpu for model in MODELS[:3] for _, gpu in first[model]} == {"None"}
