"""Several configs in one checkout: a folder a run, fitted models shared, no upload of another config."""

import subprocess
import sys
import time

import duckdb
import yaml

from tests.project import snakemake, start
from tests.workflow.test_default_run import NOTHING, rules_run
from tests.workflow.test_unrelated import FITS

FITTED_FROM = {
    "expand_audio",
    "ingest_training",
    "partition_training",
    "extract_training_features",
    "verify_training_features",
}
WAITS = """
import time
from pathlib import Path

class Waits:
    def __init__(self, own):
        self.own = own

    def predict(self, texts):
        Path(f"under-way-{self.own}").touch()
        end = time.monotonic() + 120
        while not all(Path(f"under-way-{each}").exists() for each in ("one", "two")):
            assert time.monotonic() < end, "the other run never came so far"
            time.sleep(0.1)
        return texts
"""


def test_another_config_has_its_folder_and_refits_nothing(finished):
    config = yaml.safe_load((finished / "config/config.yaml").read_text(encoding="utf-8"))
    config["g2p"] = {"corpora": ["sample-words"]}
    config["merlion"]["shards"] = 2
    (finished / "own.yaml").write_text(yaml.safe_dump(config, allow_unicode=True), encoding="utf-8")
    result = snakemake(finished, "g2p", "--configfile", "own.yaml")
    assert result.returncode == 0, result.stderr
    with duckdb.connect(finished / "results/own/sinobench.duckdb", read_only=True) as connection:
        assert connection.execute("SELECT DISTINCT corpus FROM metrics").fetchall() == [("sample-words",)]
    planned = rules_run(snakemake(finished, "-n", "all", "--configfile", "own.yaml"))
    assert {"predict_lid", "predict_ld", "predict_csc", "package_csc"} <= planned
    assert not planned & (FITTED_FROM | {"fit_lid", "fit_ld", "fit_csc", "retrieve_file"})
    again = snakemake(finished, "-n", "all")
    assert NOTHING in again.stdout + again.stderr


def test_what_left_the_config_is_named_and_removed_by_tidy(finished):
    before = (finished / "config/config.yaml").read_text(encoding="utf-8")
    config = before.replace("disabled: [", "disabled: [do-nothing, ").replace("sample-colloquial, ", "")
    (finished / "config/config.yaml").write_text(config, encoding="utf-8")
    gone = ["submissions/csc/do-nothing/results.zip", "csc/metrics/sample-csc/do-nothing.parquet"]
    gone += ["g2p/items/sample-colloquial.parquet", "logs/ingest_g2p/sample-colloquial.log"]
    result = snakemake(finished, "-n", "all")
    assert f"not of this config, removed by `tidy`: results/{gone[0]}" in result.stderr
    assert "dictionary/results.zip" not in result.stderr
    result = snakemake(finished, "tidy")
    assert result.returncode == 0, result.stderr
    for name in gone:
        assert f"removed results/{name}" in result.stderr and not (finished / "results" / name).exists()
    # What is still of the config is all there, and so is what runs share.
    planned = rules_run(snakemake(finished, "-n", "all"))
    drawn = {f"draw_{task}" for task in ("g2p", "csc", "merlion", "lid", "ld")}
    compared = {f"compare_{task}" for task in ("g2p", "pool_g2p", "csc", "lid", "ld")}
    assert planned <= {"all", "pool_g2p", "build_database", "build_report", "package_csc", "fit_csc"} | drawn | compared
    (finished / "config/config.yaml").write_text(before, encoding="utf-8")
    assert not rules_run(snakemake(finished, "-n", "all")) & FITS


def test_a_task_is_brought_up_to_date_with_database_figures_and_submissions_and_no_other(workflow):
    planned = rules_run(snakemake(workflow, "-n", "csc"))
    assert planned == {
        *("ingest_csc", "ingest_csc_to_fit", "overlap_csc", "fit_csc", "predict_csc", "score_csc", "compare_csc"),
        *("build_database", "draw_csc", "package_csc", "csc"),
    }


HELD = """
import duckdb, sys
with duckdb.connect(sys.argv[1], read_only=True) as connection:
    for _ in range(2):
        print(connection.execute("SELECT count(*) FROM leaderboard_csc").fetchone()[0], flush=True)
        sys.stdin.readline()
"""


def test_the_database_can_be_opened_while_it_is_rebuilt_and_who_has_it_open_blocks_nothing(finished):
    database = finished / "results/sinobench.duckdb"
    before = database.stat().st_ino
    held = [sys.executable, "-c", HELD, database]
    command = [sys.executable, "-m", "snakemake", "--cores", "2", "--forcerun", "build_database", "--", "database"]
    with subprocess.Popen(held, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        n = int(reader.stdout.readline())
        with subprocess.Popen(command, cwd=finished, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            opened = 0
            while process.poll() is None:
                with duckdb.connect(database, read_only=True) as connection:
                    opened += connection.execute("SELECT count(*) FROM leaderboard").fetchone()[0] > 0
                time.sleep(0.05)
        assert process.returncode == 0 and opened > 10 and database.stat().st_ino != before
        assert reader.communicate("\n\n")[0] == f"{n}\n" and n > 0
    assert reader.returncode == 0


def test_runs_of_two_configs_go_on_at_once_in_one_checkout(workflow):
    """They lock what they write, each in its folder; the job of either waits until the other's is under way."""
    (workflow / "waits.py").write_text(WAITS, encoding="utf-8")
    with (workflow / "config/models.yaml").open("a", encoding="utf-8") as models:
        models.write("\nwaits: {task: csc, title: Waits, kind: python, class: 'waits.py:Waits', options: {own: one}}\n")
        models.write("\nother: {task: csc, title: Other, kind: python, class: 'waits.py:Waits', options: {own: two}}\n")
    runs = {}
    for name, model in (("one", "waits"), ("two", "other")):
        config = f"csc: {{corpora: [sample-csc], models: [{model}]}}\nisolation: 'off'\n"
        (workflow / f"{name}.yaml").write_text(config, encoding="utf-8")
        target = f"results/{name}/csc/predictions/sample-csc/{model}.parquet"
        runs[target] = start(workflow, target, "--configfile", f"{name}.yaml")
    for target, process in runs.items():
        assert process.wait(timeout=300) == 0
        with duckdb.connect() as connection:
            assert connection.execute(f"SELECT count(*) > 0 FROM '{workflow / target}'").fetchall() == [(True,)]
