"""The screen at the end of a run."""

import pytest

from sinobench.commands.layout import width
from sinobench.commands.screen import HEIGHT, screen
from sinobench.ending import last_words
from sinobench.job_lines import Job, JobLines

MANY = [f"  predict_csc, corpus c{n}, model m: no luck (log: logs/predict_csc/c{n}/m.log)" for n in range(40)]


@pytest.fixture
def folder(database_of, tmp_path):
    """A run on forty corpora with two models each, which do not differ on the first."""
    corpora = [f"corpus-{n:02}" for n in range(40)]
    key = {
        "task": "csc",
        "protocol": "strict",
        "subset": "all",
        "metric": "correction_f1",
        "n_items": 9,
        "coverage": 1.0,
    }
    values = {"better": 0.9, "a-model-with-a-rather-long-name": 0.8}
    bounds = {"ci_low": 0.75, "ci_high": 0.95}
    metrics = [
        key | {"corpus": corpus, "model": model, "value": value} | bounds
        for corpus in corpora
        for model, value in values.items()
    ]
    ranks = [
        {name: row[name] for name in ("task", "corpus", "protocol", "subset", "metric", "model")}
        | {"rank": 1 + (row["value"] < 0.9)}
        for row in metrics
    ]
    names = list(values)
    for row, other in zip(ranks[:2], reversed(names), strict=True):
        row |= {"rank": 1, "tied_with": other}
    rows = {
        "metrics": metrics,
        "ranks": ranks,
        "corpora": [{"task": "csc", "corpus": corpus, "title": corpus} for corpus in corpora],
        "published": [
            {"task": "csc", "corpus": "corpus-01", "model": "theirs", "metric": "correction_f1", "value": 1.0}
        ],
        "set_aside": [{"task": "csc", "corpus": "corpus-00", "reason": "length"}],
    }
    database_of(rows, tmp_path / "sinobench.duckdb")
    return tmp_path


@pytest.mark.parametrize("said", [[], MANY[:3], MANY])
def test_25_lines_whatever_there_is_to_say(folder, said):
    lines = screen(folder, said, ["corpus-00"], 80)
    assert len(lines) <= HEIGHT and all(width(line) <= 80 for line in lines)
    text = "\n".join(lines)
    assert "corpus-00*" in text and "* synthetic" in text and "= a-model" in text
    assert lines[4].split()[:7] == [*("csc", "corpus-01", "better", "F1", "90.0", "75.0–95.0", "80.0")]
    assert f"database  {folder / 'sinobench.duckdb'}"[:79] in text and "set aside: 1 items" in text
    assert "more" in text and ("no luck" in text) == bool(said)


def test_nothing_is_cut_where_there_is_no_terminal(folder):
    said = ["not run: " + "model, " * 40]
    assert said[0] in screen(folder, said)


def test_a_failed_run_ends_with_message_and_log_and_nothing_else(tmp_path):
    log = tmp_path / "ingest.log"
    log.write_text("".join(f"line {n}\n" for n in range(50)) + "error: bad.txt, line 1: no tab\n", encoding="utf-8")
    lines = JobLines(None, [])
    lines.failed["ingest_csc bad"] = Job("ingest_csc", "bad", str(log))
    words = last_words(lines, False, str(tmp_path), [], [])
    assert words[0] == f"Error in rule ingest_csc (bad), log {log}:"
    assert words[-1] == "  error: bad.txt, line 1: no tab" and len(words) == 13
    assert last_words(JobLines(None, []), False, None, [], []) == ["The run was stopped; the same command goes on."]


def test_what_is_said_where_no_database_was_asked_for():
    assert last_words(None, True, None, ["not run: x"], []) == ["not run: x"]
