"""A run that is killed at any moment ends as an undisturbed one, by the same command."""

import random
import shutil

from benchmarks.simulate_kills import Moment, differences, take_up

from tests.project import snakemake

# Tables, folders (export_ld, build_report) and the database itself.
REMOVED = ("csc/items", "csc/predictions/sample-csc", "ld/nist/sample-merlion")
MOMENTS = (Moment(1, 0.2, is_all=True), Moment(3, 0.1, is_all=False), Moment(2, 0.4, is_all=True))


def test_killed_with_all_its_jobs_and_one_job(finished, finished_run):
    for name in (*REMOVED, "sinobench.duckdb", "report"):
        path = finished / "results" / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    command = ("database", "report", "results/ld/nist/sample-merlion")
    _, n_kills = take_up(finished, command, MOMENTS, random.Random(0))
    assert n_kills == len(MOMENTS)
    assert differences(finished_run / "results", finished / "results", "sinobench.duckdb") == []
    assert (finished / "results/report/index.html").exists()
    nist = "results/ld/nist/sample-merlion"
    assert sorted(p.name for p in (finished / nist).iterdir()) == sorted(
        p.name for p in (finished_run / nist).iterdir()
    )


def test_a_comparison_that_was_killed_is_made_by_the_same_command(workflow):
    (workflow / "own.yaml").write_text("csc: {corpora: [sample-csc], models: [do-nothing]}\n", encoding="utf-8")
    script = workflow / "scripts/compare_csc.py"
    lines = script.read_text(encoding="utf-8").splitlines(keepends=True)
    [at] = [i for i, line in enumerate(lines) if line.startswith("    with job(")]
    lines.insert(at + 1, "        while os.path.exists('killing'):\n            os.kill(os.getpid(), 9)\n")
    [at] = [i for i, line in enumerate(lines) if line.startswith("if __name__")]
    lines.insert(at, "import os\n\n")
    script.write_text("".join(lines), encoding="utf-8")
    (workflow / "killing").touch()
    comparisons = "results/own/csc/comparisons/sample-csc.parquet"
    command = (workflow, comparisons, "--configfile", "own.yaml")
    result = snakemake(*command)
    assert result.returncode == 1 and "compare_csc, corpus sample-csc: was killed by SIGKILL" in result.stderr
    (workflow / "killing").unlink()
    assert snakemake(*command).returncode == 0
    assert (workflow / comparisons).exists()
