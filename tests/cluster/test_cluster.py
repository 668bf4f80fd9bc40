"""Runs on a real Slurm through each profile, side by side, whose jobs meet what jobs meet on a cluster."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from shutil import copytree

import duckdb
import pytest

from tests.project import snakemake

FILES = Path(__file__).with_name("files")
FAULTS = ("cancelled", "late", "hungry")
PROFILES = {
    "slurm": ["--default-resources", "slurm_partition=debug", "mem_mb=1000", "runtime=5"],
    "cluster-generic": ["--default-resources", "mem_mb=1000", "runtime=5", "gpu=0"],
}
# The plugin for Slurm starts a Snakemake for each job of a group, which is seconds of processor time.
CONFIGS = {"slurm": ["little.yaml"], "cluster-generic": ["little.yaml", "more.yaml"]}
RUNS = {"slurm": "little", "cluster-generic": "little+more"}
TARGETS = {"slurm": "database", "cluster-generic": "all"}
TASKS = {"slurm": ["csc", "g2p"], "cluster-generic": ["csc", "g2p", "ld", "lid"]}
# What meets no fault is a job of the queue by task.
RULES = {
    "spelling": ("ingest_csc", "ingest_csc_to_fit", "fit_csc", "overlap_csc"),
    "g2p": ("ingest_g2p", "predict_g2p", "score_g2p", "pool_g2p", "compare_g2p", "compare_pool_g2p"),
    "speech": (
        *("render_recordings", "expand_audio", "ingest_merlion", "recode_merlion", "redact_merlion"),
        *("verify_redaction", "subtract_regions", "chunk_merlion", "extract_features", "verify_features"),
        *("summarize_merlion", "fold_merlion", "ingest_training", "partition_training"),
        *("extract_training_features", "verify_training_features"),
        *("ingest_lid", "fit_lid", "predict_lid", "score_lid", "compare_lid"),
        *("ingest_ld", "fit_ld", "predict_ld", "score_ld", "compare_ld", "export_ld"),
    ),
}
GROUPS = [
    *("--groups", *(f"{rule}={group}" for group, rules in RULES.items() for rule in rules)),
    *("--group-components", *(f"{group}=60" for group in RULES)),
]
# The plugin for Slurm waits ten seconds more after each answer by which no job has ended.
SNAKEMAKE_THAT_ASKS_EACH_SECOND = """
import runpy
from snakemake_interface_executor_plugins.executors.remote import RemoteExecutor
RemoteExecutor.next_seconds_between_status_checks = property(lambda self: 1, lambda self, seconds: None)
runpy.run_module("snakemake", run_name="__main__", alter_sys=True)
"""
# Less than Python takes. A job ends a model before it takes more than was asked for; all else is ended by Slurm.
MEMORY = ["--set-resources", "compare_csc:mem_mb=60 if attempt == 1 else 2000"]
# Their rows hold times, memory and machines.
MEASURED = {"runs", "fits", "run_info", "speeds"}


def run_on_cluster(folder, profile, *arguments, **environment):
    command = [sys.executable, "-c", SNAKEMAKE_THAT_ASKS_EACH_SECOND, "--profile", f"profiles/{profile}", *arguments]
    command += ["--seconds-between-status-checks", "1", "--latency-wait", "10", *PROFILES[profile]]
    variables = {**os.environ, "PYTHONPATH": str(folder / "scripts"), **environment}
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True, timeout=600, check=False)


def run_here(folder):
    """The runs of both configs; figures and report are made here of any run."""
    return [
        snakemake(folder, "database", "submissions", "--configfile", *CONFIGS[profile])
        for profile in ("cluster-generic", "slurm")
    ]


def database_differences(one, other, run):
    """Tables, and rows of tables, that only one of two databases has, less what is measured."""
    with duckdb.connect() as connection:
        names = {}
        for alias, folder in (("one", one), ("other", other)):
            connection.execute(f"ATTACH '{folder}/results/{run}/sinobench.duckdb' AS {alias} (READ_ONLY)")
            rows = connection.execute("SELECT table_name FROM duckdb_tables() WHERE database_name = ?", [alias])
            names[alias] = {name for (name,) in rows.fetchall()}
        differences = [f"table {name}" for name in names["one"] ^ names["other"]]
        for name in sorted(names["one"] & names["other"] - MEASURED):
            for left, right in (("one", "other"), ("other", "one")):
                rows = connection.execute(f"FROM {left}.{name} EXCEPT ALL FROM {right}.{name}").fetchmany(3)
                differences += [f"{name}, only in {left}: {row}" for row in rows]
    return differences


def tasks(folder, run):
    with duckdb.connect(folder / f"results/{run}/sinobench.duckdb", read_only=True) as connection:
        return [task for (task,) in connection.execute("SELECT DISTINCT task FROM metrics ORDER BY 1").fetchall()]


def submissions(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.glob("results/*/submissions/**/*.zip")}


@pytest.fixture
def folders(source, tmp_path) -> dict[str, Path]:
    """Copies of a workflow with the models and configs of ``files``, one a profile, and one for the local runs."""
    made = {name: Path(copytree(source, tmp_path / name)) for name in (*PROFILES, "local")}
    for folder in made.values():
        copytree(FILES, folder, dirs_exist_ok=True)
        (folder / "met").mkdir()
    return made


def wait_for(condition, runs):
    """Wait until the condition holds, as long as all runs go on."""
    end = time.monotonic() + 300
    while not condition():
        for run in runs.values():
            assert not run.done(), run.result().stderr
        assert time.monotonic() < end, "the jobs did not come so far"
        time.sleep(0.2)


def told(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout.split()


def is_over_time(job):
    """Whether Slurm has moved the end of its time to now, as it is asked to: it may be at work on the job just then."""
    asked = ["scontrol", "update", f"jobid={job}", "EndTime=now"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=60)
    print(done.stderr)
    return done.returncode == 0


def running():
    """The profiles that have jobs at work: those of the plugin have a comment."""
    comments = told("squeue", "--noheader", "--states=running", "--format=%k")
    return {"cluster-generic" if comment == "(null)" else "slurm" for comment in comments}


def jobs_of(folder, model):
    """Number and GPUs of each of its jobs on the cluster."""
    met = folder / "met" / model
    return [line.split() for line in met.read_text().splitlines()] if met.exists() else []


def test_a_run_through_every_fault_has_the_database_and_submissions_of_a_local_one(slurm, folders):
    on_cluster = [folders[profile] for profile in PROFILES]
    with ThreadPoolExecutor() as pool:
        runs = {
            profile: pool.submit(
                run_on_cluster,
                folders[profile],
                profile,
                TARGETS[profile],
                "--configfile",
                *CONFIGS[profile],
                *GROUPS,
                *MEMORY,
            )
            for profile in PROFILES
        }
        wait_for(lambda: running() == {*PROFILES}, runs)
        slurm.fail_node()
        for folder in on_cluster:
            (folder / "met/go").touch()
        wait_for(lambda: all(jobs_of(folder, model) for folder in on_cluster for model in FAULTS), runs)
        first = {model: [jobs_of(folder, model)[0] for folder in on_cluster] for model in FAULTS}
        for job, _ in first["late"]:
            wait_for(partial(is_over_time, job), runs)
        told("scancel", *(job for job, _ in first["cancelled"]))
        wait_for(lambda: all(len(jobs_of(folder, model)) == 2 for folder in on_cluster for model in FAULTS), runs)
        slurm.stop_controller()
        for folder in on_cluster:
            (folder / "met/over").touch()  # jobs end while nobody hears of it
        local = pool.submit(run_here, folders["local"])
        time.sleep(20)
        slurm.start_controller()
    for run in (*local.result(), *(run.result() for run in runs.values())):
        assert run.returncode == 0, run.stderr
    for profile, folder in zip(PROFILES, on_cluster, strict=True):
        said = f"Using profiles profiles/{profile} and workflow specific profile profiles/default"
        assert said in runs[profile].result().stderr
        assert database_differences(folder, folders["local"], RUNS[profile]) == []
        assert tasks(folder, RUNS[profile]) == TASKS[profile]
        assert [len(jobs_of(folder, model)) for model in FAULTS] == [2, 2, 2]
        logs = (folder / ".snakemake").glob("*_logs/**/*.log")
        assert any("exceeded memory limit" in log.read_text(errors="replace") for log in logs)
    assert submissions(folders["cluster-generic"]) == submissions(folders["local"]) != {}
    # Both at once, so each its own; those that ask for none are told of none.
    assert {gpu for _, gpu in first["late"]} == {"0", "1"}
    assert {gpu for model in ("cancelled", "hungry") for _, gpu in first[model]} == {"None"}


def test_jobs_wait_for_the_controller_and_are_tried_again_where_it_forgot_them(slurm, folders):
    folder = folders["slurm"]
    config = (folder / "little.yaml").read_text()
    (folder / "one.yaml").write_text(config.replace("cancelled, late, hungry", "cancelled"))
    (folder / "met/go").touch()
    target = "results/one/csc/metrics/sample-csc/cancelled.parquet"
    slurm.stop_controller()
    with ThreadPoolExecutor() as pool:
        options = ["--groups", "ingest_csc=model", "--slurm-pass-command-as-script"]
        run = pool.submit(run_on_cluster, folder, "slurm", target, "--configfile", "one.yaml", *options)
        submit = ["sh", "profiles/cluster-generic/submit.sh", "--mem=10", "--output=/dev/null"]
        wrap = [*submit, "--wrap=touch met/wrapped"]
        wrapped = pool.submit(subprocess.run, wrap, cwd=folder, capture_output=True, text=True)
        wait_for(lambda: "slurm_logs" in str([*folder.glob(".snakemake/*")]), {"slurm": run})
        time.sleep(12)  # sbatch itself waits for nine
        slurm.start_controller()
        wait_for(lambda: jobs_of(folder, "cancelled"), {"slurm": run})
        assert wrapped.result().stdout.strip().isdigit(), wrapped.result().stderr
        wait_for((folder / "met/wrapped").exists, {"slurm": run})
        slurm.stop_controller()
        (folder / "met/over").touch()
        wait_for((folder / target).exists, {"slurm": run})
        time.sleep(2)  # the job ends
        slurm.start_controller("-c")  # without what it knew
    assert run.result().returncode == 0, run.result().stderr
    assert len(jobs_of(folder, "cancelled")) == 2
    assert "Slurm has forgotten job" in run.result().stderr


@pytest.mark.parametrize("profile", PROFILES)
def test_a_failing_job_ends_the_run_and_says_so(profile, slurm, workflow):
    (workflow / "broken.py").write_text(
        "class Broken:\n    def predict(self, texts):\n        raise OSError('no luck')\n"
    )
    with (workflow / "config/models.yaml").open("a") as models:
        models.write("\nbroken: {task: csc, title: Broken, kind: python, class: 'broken.py:Broken'}\n")
    (workflow / "bad.txt").write_text("no tab\n")
    with (workflow / "config/corpora.yaml").open("a") as corpora:
        corpora.write("\nbad: {task: csc, title: Bad, reader: pairs, licence: MIT, files: {text: bad.txt}}\n")
    targets = ["results/csc/predictions/sample-csc/broken.parquet", "results/csc/items/bad.parquet"]
    chosen = ["--config", "csc={corpora: [sample-csc, bad], models: [broken]}"]
    done = run_on_cluster(workflow, profile, *targets, *chosen)
    assert done.returncode == 1, done.stderr
    assert "Error in rule ingest_csc" in done.stderr and "bad.txt, line 1" in done.stderr
    reason = "model 'broken' failed while predicting: OSError: no luck"
    assert f"predict_csc, corpus sample-csc, model broken: {reason}" in done.stderr
    assert not any((workflow / target).exists() for target in targets)
