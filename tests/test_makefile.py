"""What `make` does without being told, and what it removes."""

import os
import subprocess

from tests.documents import ROOT


def make(*arguments, **variables):
    told = ("CORES", "OMP_NUM_THREADS")  # nproc says the latter, where it is set
    environment = {name: value for name, value in os.environ.items() if name not in told} | variables
    command = ["make", "-C", str(ROOT), "--no-print-directory", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout


def test_alone_it_shows_help_and_makes_nothing():
    shown = make()
    assert {line.split()[0] for line in shown.splitlines()} >= {"all", "test", "clean", "clean-all"}
    assert "snakemake" not in make("-n")


def test_clean_keeps_the_environment():
    assert make("-n", "clean").split() == ["rm", "-rf", "results", ".snakemake"]
    assert ".venv" in make("-n", "clean-all")


def pins(name):
    return (ROOT / "envs" / name).read_text(encoding="utf-8").splitlines()


def test_a_run_is_set_up_without_what_only_clusters_and_tests_need():
    runs, more = pins("requirements.txt"), pins("development.txt")
    plugins = [line for line in more if line.startswith(("snakemake-executor-plugin-", "snakemake-storage-plugin-"))]
    assert plugins and not {line for line in runs if "-plugin-" in line}
    assert not set(runs) & set(more)
    planned = make("-n", "--old-file=.venv/.ready", "all")
    assert "development.txt" not in planned
    assert "development.txt" in make("-n", "--old-file=.venv/.ready", "--what-if=envs/development.txt", "test")
    assert '".[cluster]"' in make("-n", "--old-file=.venv/.ready", "cluster")


def test_it_runs_on_the_cores_of_the_machine():
    planned = make("-n", "--old-file=.venv/.ready", "all")
    assert f"--cores {len(os.sched_getaffinity(0))} all" in planned
    assert "--cores 3 all" in make("-n", "--old-file=.venv/.ready", "all", CORES="3")
