"""``sinobench leaderboard`` on a small database."""

import csv
import io
import json
import re
import shutil

import duckdb
import pytest

from sinobench import cli
from sinobench.commands.layout import width
from sinobench.commands.leaderboard import TASKS
from sinobench.commands.screen import screen
from sinobench.results import database
from sinobench.results.registry import BOARDS

KEY = {"task": "csc", "corpus": "校对集", "subset": "all", "n_items": 200, "coverage": 1.0}


@pytest.fixture(scope="module")
def path(database_of, tmp_path_factory):
    """Two spelling models, a failed and a published one on a corpus of this run; a published one on another corpus."""
    values = {"a-model-with-a-name-that-is-longer-than-most": 0.61, "汉字拼写检查模型": 0.58}
    bounds = {"ci_low": 0.55, "ci_high": 0.66, "level": 0.95}
    metrics = [
        KEY | {"model": model, "protocol": protocol, "metric": metric, "value": value} | bounds
        for model, value in values.items()
        for protocol in ("official", "strict")
        for metric in ("correction_f1", "correction_precision", "correction_recall", "sentence_fpr")
    ]
    names = list(values)
    rank = {"protocol": "strict", "metric": "correction_f1", "rank": 1}
    ranks = [
        {name: value for name, value in KEY.items() if name not in ("n_items", "coverage")}
        | rank
        | {"model": model, "tied_with": other}
        for model, other in zip(names, reversed(names), strict=True)
    ]
    theirs = {"task": "csc", "model": "theirs (published)", "metric": "correction_f1", "value": 0.9}
    rows = {
        "metrics": metrics,
        "ranks": ranks,
        "corpora": [{"task": "csc", "corpus": corpus, "title": "一份标题" * 20} for corpus in ("校对集", "another")],
        "published": [theirs | {"corpus": corpus} for corpus in ("校对集", "another")],
        "runs": [{"task": "csc", "corpus": "校对集", "model": "gone", "status": "failed", "reason": "no room"}],
    }
    return str(database_of(rows, tmp_path_factory.mktemp("run") / "sinobench.duckdb"))


def run(capsys, *arguments):
    status = cli.main(["leaderboard", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


def test_it_fits_80_columns_own_rows_first(path, capsys):
    status, out, _ = run(capsys, "csc", "--database", path)
    assert status == 0 and all(width(line) <= 80 for line in out.splitlines())
    first, second = out.split("\n\n")[:2]
    _, names, *rows = first.splitlines()
    assert names.split() == ["rank", "model", "F1", "interval", "prec.", "recall", "FPR", "official", "F1"]
    assert [row.split()[0] for row in rows[:4]] == ["1=", "1=", "–", "–"]
    assert [row.split()[1] for row in rows[1:4]] == ["汉字拼写检查模型", "theirs", "gone"]
    assert rows[0].split()[2:4] == ["61.0", "55.0–66.0"]
    assert rows[-3].startswith("= no significant difference: a-model") and rows[-1] == "gone failed: no room"
    assert second.startswith("csc  another")


def test_a_flagged_model_is_marked_before_its_name(database_of, tmp_path, capsys):
    value = {"metric": "correction_f1", "value": 0.6, "task": "csc", "corpus": "pairs", "protocol": "strict"}
    rows = {
        "metrics": [KEY | value | {"model": "reported"}, KEY | value | {"model": "other", "value": 0.5}],
        "models": [{"task": "csc", "model": "reported", "trust": "flagged"}, {"task": "csc", "model": "other"}],
        "corpora": [{"task": "csc", "corpus": "pairs", "title": "Pairs"}],
        "published": [value | {"model": "theirs", "trust": "flagged"}],
    }
    database_of(rows, tmp_path / "sinobench.duckdb")
    _, out, _ = run(capsys, "csc", "--database", str(tmp_path / "sinobench.duckdb"))
    assert [line.split()[1] for line in out.splitlines()[2:5]] == ["!reported", "other", "!theirs"]
    assert "! flagged, reported by someone: reported, theirs" in out
    lines = screen(tmp_path, [])
    assert lines[1].endswith("; ! flagged") and "!reported" in lines[3]


def test_other_formats_have_every_model(path, capsys):
    found = json.loads(run(capsys, "--format", "json", "--database", path)[1])
    assert [row["model"] for row in found if row["corpus"] == "another"] == ["theirs (published)"]
    assert found[0]["correction_f1"] == 0.61
    rows = list(csv.DictReader(io.StringIO(run(capsys, "--format", "csv", "--database", path)[1])))
    assert [row["model"] for row in rows] == [row["model"] for row in found]
    for form in ("markdown", "latex"):
        assert "a-model-with-a-name-that-is-longer-than-most" in run(capsys, "--format", form, "--database", path)[1]


def test_wrong_names_and_files_are_one_message(path, capsys, tmp_path):
    status, _, error = run(capsys, "csc", "--corpus", "anotter", "--database", path)
    assert status == 2 and "did you mean 'another'?" in error
    assert "no such database" in run(capsys, "--database", str(tmp_path / "none"))[2]
    (tmp_path / "text").write_text("no database")
    assert "no database that DuckDB can read" in run(capsys, "--database", str(tmp_path / "text"))[2]
    shutil.copy(path, other := tmp_path / "other.duckdb")
    for columns in ("corpus, model", "corpus, model, subset"):
        with duckdb.connect(other) as connection:
            connection.execute(f"CREATE OR REPLACE VIEW leaderboard_csc AS SELECT {columns} FROM metrics")
        assert "another version of sinobench made the database" in run(capsys, "--database", str(other))[2]


def test_the_summary_fits_a_terminal(path):
    with database.reading(path) as connection:
        columns = connection.execute("FROM summary")
        assert len(columns.description) == 5
        _, *first = columns.fetchall()[0]
        assert first == ["1=", "a-model-with-a-name-that-is-longer-than-most", "F1 61.0", "55.0–66.0"]


def test_every_task_with_a_board_can_be_asked_for():
    assert set(TASKS) == set(BOARDS)


def test_contaminated_models_are_marked_and_it_is_said_by_what(database_of, tmp_path, capsys):
    metric = KEY | {"model": "mine", "protocol": "strict", "metric": "correction_f1", "value": 0.5}
    corpora = [{"task": "csc", "corpus": "校对集", "role": "scored", "sources": ["一本书"], "n_items": 200}]
    models = [{"task": "csc", "model": "mine", "training_data": ["一本书"]}]
    rows = {"metrics": [metric], "corpora": corpora, "models": models}
    path = database_of(rows, tmp_path / "sinobench.duckdb")
    out = run(capsys, "--database", str(path))[1]
    assert "†mine" in out and "† contaminated, learnt of these items: mine (一本书)" in out
    assert json.loads(run(capsys, "--database", str(path), "--format", "json")[1])[0]["contaminated"] is True


def test_a_database_that_knows_of_no_contamination_is_read(path, tmp_path, capsys):
    older = tmp_path / "older.duckdb"
    shutil.copy(path, older)
    with duckdb.connect(older) as connection:
        for view in ("leaderboard", "leaderboard_csc", "contaminated"):
            connection.execute(f"DROP VIEW {view}")
        connection.execute("CREATE VIEW leaderboard AS SELECT 1")
        [(sql,)] = (
            duckdb.connect(path, read_only=True)
            .execute("SELECT sql FROM duckdb_views() WHERE view_name = 'leaderboard_csc'")
            .fetchall()
        )
        connection.execute(re.sub(r"EXISTS\(SELECT.*?AS contaminated", "false AS old", sql))
    status, out, _ = run(capsys, "csc", "--database", str(older))
    assert status == 0 and "汉字拼写检查模型" in out and "†" not in out
