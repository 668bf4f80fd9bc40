"""Results stay what their jobs wrote, moved as a whole or overwritten by someone; and what models are given."""

import re

import pyarrow.parquet as pq

from sinobench.results import tables
from tests.project import snakemake
from tests.workflow.test_default_run import query

PREDICT = ("predict_g2p", "predict_csc", "predict_lid", "predict_ld")


def test_the_job_of_a_model_is_given_no_gold(finished_run):
    planned = snakemake(finished_run, "-n", "all", "--forcerun", *PREDICT).stdout
    given = dict.fromkeys(PREDICT, "")
    for rule, files in re.findall(r"rule (\w+):\n +input: (.*)\n", planned):
        if rule in given:
            given[rule] += f"{files}, "
    columns = set()
    for rule, files in given.items():
        found = set(re.findall(r"results/[^,\s]+\.parquet", files))
        assert found, rule
        for file in found:
            columns |= {(rule, name) for name in pq.read_schema(finished_run / file).names}
    assert not {name for _, name in columns} & {"golds", "labels", "language", "register", "declared_errors"}
    assert {("predict_csc", "input"), ("predict_g2p", "text"), ("predict_lid", "features")} <= columns


def test_a_table_that_another_job_overwrote_is_named(finished):
    metrics = finished / "results/csc/metrics/sample-csc"
    better = tables.read(metrics / "dictionary.parquet").to_pylist()
    tables.write(tables.METRICS, [row | {"model": "do-nothing"} for row in better], metrics / "do-nothing.parquet")
    result = snakemake(finished, "database")
    assert result.returncode == 1
    message = "do-nothing.parquet: is not what its job wrote, but was overwritten or damaged; delete it and run again"
    assert message in result.stderr
    (metrics / "do-nothing.parquet").unlink()
    assert snakemake(finished, "database").returncode == 0
    assert query(finished, "SELECT correction_recall FROM leaderboard_csc WHERE model = 'do-nothing'") == [(0.0,)]


def test_a_moved_results_folder_works_on(finished):
    (finished / "results").rename(finished / "elsewhere")
    moved = ("--config", 'pathvars={"results": "elsewhere"}')
    assert "Nothing to be done" in snakemake(finished, "-n", "all", *moved).stdout
    for table, column in (("merlion_recordings", "path"), ("merlion_masked", "original"), ("merlion_masked", "path")):
        paths = query(finished, f"SELECT {column} FROM {table} WHERE {column} IS NOT NULL", "../elsewhere")
        assert paths and not [path for (path,) in paths if "/" in path]
    turns = "elsewhere/ld/predictions/sample-merlion-raw/vad+gmm/0.parquet"
    before = (finished / turns).read_bytes()
    (finished / turns).unlink()
    result = snakemake(finished, turns, *moved)
    assert result.returncode == 0, result.stderr
    assert (finished / turns).read_bytes() == before
