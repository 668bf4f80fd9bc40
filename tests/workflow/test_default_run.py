"""The default run on the bundled sample, and what users do after it."""

import hashlib
import json
import re
import shutil
import signal
import subprocess
import sys
import time
import zipfile

import duckdb
import pytest

from tests.csc.test_submission import follow
from tests.project import sinobench, snakemake

NOTHING = "Nothing to be done"


def query(folder, sql, run=""):
    with duckdb.connect(folder / "results" / run / "sinobench.duckdb", read_only=True) as connection:
        return connection.execute(sql).fetchall()


def rules_run(result):
    """The rules that a run started, from its lines, or that a dry run plans, from its table of job counts."""
    lines = [line.split() for line in (result.stdout + result.stderr).splitlines()]
    counts = [words for words in lines if len(words) == 2 and words[0].isidentifier() and words[1].isdigit()]
    started = {words[1] for words in lines if words and re.fullmatch(r"[0-9]+/[0-9]+", words[0])}
    return started | {rule for rule, _ in counts} - {"total"}


def test_leaderboards_answer(finished_run):
    g2p = query(finished_run, "FROM leaderboard_g2p WHERE NOT published")
    csc = query(finished_run, "FROM leaderboard_csc WHERE NOT published")
    assert len(g2p) == 16  # four models on three registers and their pool
    assert len(csc) == 2
    assert query(finished_run, "FROM leaderboard WHERE published") == []  # of other corpora


def test_every_score_has_its_coverage(finished_run):
    assert query(finished_run, "SELECT count(*) FROM metrics WHERE coverage IS NULL OR n_items IS NULL") == [(0,)]


def test_a_real_model_beats_doing_nothing(finished_run):
    rows = dict(query(finished_run, "SELECT model, correction_f1 FROM leaderboard_csc WHERE NOT published"))
    assert rows["do-nothing"] is None and rows["dictionary"] > 0


def test_metrics_agree_with_the_outcomes_they_sum_up(finished_run):
    different = query(
        finished_run,
        """SELECT corpus, model, l.per, avg(o.strict_errors / 4) AS per
        FROM leaderboard_g2p AS l JOIN g2p_outcomes AS o USING (corpus, model)
        GROUP BY ALL HAVING abs(l.per - avg(o.strict_errors / 4)) > 1e-12""",
    )
    assert different == []


def test_runs_are_measured(finished_run):
    rows = query(finished_run, "SELECT load_s, predict_s, items_per_s, peak_memory_mb, threads, versions FROM runs")
    assert len(rows) == 16 + 9 + 6  # on text; three lid and two ld models on three MERLIon corpora each
    for *measured, versions in rows:
        assert all(value > 0 for value in measured)
        assert versions.startswith("python 3.")


def test_figures_are_pictures(finished_run):
    for path in (finished_run / "results/figures").iterdir():
        head = path.read_bytes()[:200]
        assert head.startswith(b"\x89PNG") if path.suffix == ".png" else b"<svg" in head


@pytest.mark.parametrize("model", ["do-nothing", "dictionary"])
def test_submission_has_every_line_in_order(finished_run, model):
    inputs = (finished_run / "resources/samples/csc/sample-test.txt").read_text(encoding="utf-8").splitlines()
    with zipfile.ZipFile(finished_run / f"results/submissions/csc/{model}/results.zip") as archive:
        assert {"sample-csc-test.txt", "README.md", "code/model.yaml"} <= set(archive.namelist())
        rows = [line.split("\t") for line in archive.read("sample-csc-test.txt").decode().splitlines()]
    assert [source for source, _ in rows] == inputs
    assert all(len(source) == len(output) for source, output in rows)


def test_submission_is_made_again_by_its_own_text(finished_run, tmp_path):
    with zipfile.ZipFile(finished_run / "results/submissions/csc/dictionary/results.zip") as archive:
        archive.extractall(tmp_path)
    text = (tmp_path / "README.md").read_text(encoding="utf-8")
    for name, sha256 in re.findall(r"^- `(.*)`, sha256 (.*)$", text, re.MULTILINE):
        (tmp_path / "code" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(finished_run / name, tmp_path / "code" / name)
        assert hashlib.sha256((tmp_path / "code" / name).read_bytes()).hexdigest() == sha256
    result = follow(tmp_path)
    assert result.returncode == 0, result.stderr
    assert "reproduced/sample-csc-test.txt: as submitted" in result.stdout
    config = (tmp_path / "code/config.yaml").read_text(encoding="utf-8")
    assert config.count("sample-csc-train") == 1 and "merlion" not in config


def test_second_run_has_nothing_to_do_and_shows_the_results_again(finished):
    said = snakemake(finished, "all", prefix=["env"]).stderr  # with what an interpreter says as it ends
    screen = said.split("\n\n", 1)[1]
    assert NOTHING in said and "best model" in screen and "database  results/sinobench.duckdb" in screen
    assert len(screen.splitlines()) <= 25 and "dictionary" in screen and "report    results/report/index.html" in screen


def test_forcerun_runs_the_rule_and_what_depends_on_it(finished):
    result = snakemake(finished, "--forcerun", "score_csc", "-n", "all")
    assert {"score_csc", "build_database"} <= rules_run(result)
    assert not rules_run(result) & {"predict_csc", "score_g2p", "ingest_csc"}


def test_one_output_can_be_made_alone(workflow):
    result = snakemake(workflow, "results/g2p/items/sample-words.parquet")
    assert result.returncode == 0, result.stderr
    assert rules_run(result) == {"ingest_g2p"}


def test_an_edited_helper_reruns_the_rules_that_use_it(finished):
    metrics = finished / "scripts/sinobench/g2p/metrics.py"
    metrics.write_text(metrics.read_text(encoding="utf-8") + "\nADDED = 1\n", encoding="utf-8")
    rerun = rules_run(snakemake(finished, "-n", "all"))
    assert "score_g2p" in rerun and "score_csc" not in rerun


def test_an_edited_comment_makes_the_database_again_and_what_shows_it_alone(finished):
    comments = finished / "scripts/sinobench/g2p/comments.yaml"
    comments.write_text(comments.read_text(encoding="utf-8").replace("The sentence, word or verse", "What"), "utf-8")
    rerun = rules_run(snakemake(finished, "-n", "all"))
    assert "build_database" in rerun and all(re.match("build_|draw_|all$", rule) for rule in rerun), rerun


def test_a_touched_file_of_the_package_reruns_nothing(finished):
    (finished / "scripts/sinobench/g2p/metrics.py").touch()
    result = snakemake(finished, "-n", "all")
    assert NOTHING in result.stdout + result.stderr


def test_interrupted_run_taken_up_on_four_cores_gives_the_same_files(finished_run, workflow):
    models = ("g2p/metrics/*/tojyutping", "g2p/metrics/*/xjyutping", "csc/metrics/*/*")
    scores = [path for each in models for path in (finished_run / "results").glob(f"{each}.parquet")]
    targets = sorted(str(path.relative_to(finished_run)) for path in scores)
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *targets]
    process = subprocess.Popen(command, cwd=workflow, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 300
    while not any((workflow / "results").glob("*/items/*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=300)
    assert process.returncode != 0
    assert not (workflow / "results/csc/metrics/sample-csc/dictionary.parquet").exists()
    again = snakemake(workflow, "--cores", "4", *targets)
    assert again.returncode == 0, again.stderr
    assert NOTHING in snakemake(workflow, *targets).stderr
    for pattern in (
        "g2p/metrics/*/*",
        "g2p/outcomes/*/*",
        "csc/predictions/*/*",
        "csc/metrics/*/*",
        "shared/csc/fitted/*/*",
    ):
        files = sorted((workflow / "results").glob(pattern))
        assert files
        for file in files:
            assert file.read_bytes() == (finished_run / "results" / file.relative_to(workflow / "results")).read_bytes()


def test_command_line_agrees_with_the_workflow(finished_run, tmp_path):
    rows = query(finished_run, "SELECT input, golds[1], prediction FROM csc_items JOIN csc_predictions USING (corpus, "
                 "item_id, input) WHERE corpus = 'sample-csc' AND model = 'dictionary' ORDER BY item_id")  # fmt: skip
    gold, predictions = tmp_path / "gold.txt", tmp_path / "predictions.txt"
    gold.write_text("".join(f"{source}\t{right}\n" for source, right, _ in rows), encoding="utf-8")
    predictions.write_text("".join(f"{source}\t{output}\n" for source, _, output in rows), encoding="utf-8")
    answer = sinobench("score", "csc", "--format", "json", "--gold", gold, "--predictions", predictions)
    printed = json.loads(answer.stdout)
    [(strict, official)] = query(
        finished_run, "SELECT correction_f1, official_correction_f1 FROM leaderboard_csc WHERE model = 'dictionary'"
    )
    assert printed["strict"]["correction_f1"] == strict
    assert printed["official"]["correction_f1"] == official
