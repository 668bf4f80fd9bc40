"""The default workflow on a real Slurm, through each cluster profile, against a local run."""

import subprocess
from pathlib import Path

import duckdb
import pytest

from tests.project import snakemake

STATUS = Path(__file__).parents[2] / "profiles" / "cluster-generic" / "status.sh"
# What this small Slurm needs: short waits, and no accounting to ask.
IMPATIENT = ["--seconds-between-status-checks", "1", "--latency-wait", "10"]
# Every job starts one or two more Snakemakes, seconds of processor time each: a task's jobs are one job of the queue.
RULES = {
    "g2p": ("ingest_g2p", "predict_g2p", "score_g2p", "pool_g2p", "compare_g2p", "compare_pool_g2p"),
    "csc": ("ingest_csc", "ingest_csc_to_fit", "overlap_csc", "fit_csc", "predict_csc", "score_csc", "compare_csc"),
    "merlion": (
        *("expand_audio", "ingest_merlion", "recode_merlion", "redact_merlion", "verify_redaction"),
        *("subtract_regions", "chunk_merlion", "extract_features", "summarize_merlion", "fold_merlion"),
        *("ingest_training", "partition_training"),
    ),
    "speech": (
        *(
            "verify_features",
            "extract_training_features",
            "verify_training_features",
            "fit_lid",
            "ingest_lid",
            "predict_lid",
            "score_lid",
            "compare_lid",
        ),
        *("ingest_ld", "fit_ld", "predict_ld", "score_ld", "compare_ld", "export_ld"),
    ),
}
GROUPED = [
    *("--groups", *(f"{rule}={task}" for task, rules in RULES.items() for rule in rules)),
    *("--group-components", "g2p=9", "csc=9", "merlion=60"),
]
# Less data than the default run has; the plugin for Slurm polls slowly, so it gets no speech.
CONFIGS = {
    "slurm": "merlion: {corpora: []}\nlid: {models: []}\nld: {models: []}\n",
    "cluster-generic": (
        "merlion: {corpora: [sample-merlion-raw]}\nlid: {models: [majority, gmm]}\nld: {models: [window+gmm]}\n"
    ),
}
TASKS = {"slurm": ["csc", "g2p"], "cluster-generic": ["csc", "g2p", "ld", "lid"]}
PROFILES = {
    "slurm": [
        *("--slurm-status-command", "squeue", "--slurm-no-account"),
        *("--slurm-init-seconds-before-status-checks", "2"),
        *("--default-resources", "slurm_partition=debug", "mem_mb=1000", "runtime=5"),
    ],
    "cluster-generic": ["--default-resources", "mem_mb=1000", "runtime=5", "gpu=0"],
}
# Their rows hold times, memory and machines.
MEASURED = {"runs", "fits", "run_info", "speeds"}


def run_on_cluster(folder, profile, *arguments, options=None, **environment):
    profile_options = ("--profile", f"profiles/{profile}", *IMPATIENT)
    options = options or PROFILES[profile]
    return snakemake(folder, *profile_options, *arguments, *options, timeout_s=600, **environment)


def database_differences(one, other, run="config+less"):
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


def submissions(folder):
    return {
        path.relative_to(folder): path.read_bytes() for path in folder.glob("results/config+less/submissions/**/*.zip")
    }


@pytest.mark.parametrize("profile", PROFILES)
def test_same_database_and_submissions_as_a_local_run(profile, slurm, workflow, finished):
    for folder in (workflow, finished):
        (folder / "less.yaml").write_text(CONFIGS[profile])
    local = snakemake(finished, "all", "--configfile", "config/config.yaml", "less.yaml")
    assert local.returncode == 0, local.stderr
    done = run_on_cluster(workflow, profile, "all", "--configfile", "config/config.yaml", "less.yaml", *GROUPED)
    assert done.returncode == 0, done.stderr
    assert f"Using profiles profiles/{profile} and workflow specific profile profiles/default" in done.stderr
    with duckdb.connect(finished / "results/config+less/sinobench.duckdb", read_only=True) as connection:
        tasks = connection.execute("SELECT DISTINCT task FROM metrics ORDER BY 1").fetchall()
    assert [task for (task,) in tasks] == TASKS[profile]
    assert database_differences(workflow, finished) == []
    for path, content in submissions(workflow).items():
        assert content == (finished / path).read_bytes()
    assert submissions(workflow) != {}


def test_a_failing_job_ends_the_run_and_says_so(slurm, workflow):
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
    done = run_on_cluster(workflow, "cluster-generic", *targets, *chosen)
    assert done.returncode == 1, done.stderr
    assert "Error in rule ingest_csc" in done.stderr and "bad.txt, line 1" in done.stderr
    reason = "model 'broken' failed while predicting: OSError: no luck"
    assert f"predict_csc, corpus sample-csc, model broken: {reason}" in done.stderr
    assert not any((workflow / target).exists() for target in targets)


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
