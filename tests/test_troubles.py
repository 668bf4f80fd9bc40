"""What stops a run is the last that it says, in this project's words."""

import logging
import shutil
from types import SimpleNamespace

import pytest

from sinobench.ending import last_words
from sinobench.job_lines import Job
from sinobench.troubles import Trouble

RULES = [
    SimpleNamespace(name=name, has_wildcards=lambda of=name: of == "score_csc") for name in ("database", "score_csc")
]


def words(kind, message):
    trouble = Trouble(SimpleNamespace(rules=RULES))
    trouble.handle(logging.makeLogRecord({"levelno": logging.ERROR, "msg": message, "exception": kind}))
    return trouble.words()


@pytest.mark.parametrize(
    ("kind", "message", "said"),
    [
        (
            "WorkflowError",
            "Error recording metadata ([Errno 28] No space left on device).",
            "the disk is full. Make room",
        ),
        ("ProtectedOutputException", "Write-protected output files for rule x:", "results can't be written"),
        ("PermissionError", "[Errno 13] Permission denied: '.snakemake/log'", "results can't be written"),
        ("MissingRuleException", "No rule to produce databse (if you use input", "'databse' is no target"),
        ("MissingRuleException", "No rule to produce databse (if you use input", "did you mean 'database'?"),
        ("WorkflowError", "No storage provider found for query s3://a/b.", "`make cluster` installs"),
        ("MissingInputException", "Missing input files for rule ingest_csc:", "the files above are missing"),
        ("WildcardError", "Wildcards in input files", "the same command goes on"),
    ],
)
def test_snakemakes_own_errors(kind, message, said):
    [line] = words(kind, message)
    assert line.startswith("Error: ") and said in line
    assert last_words(None, None, "results", ["not run: ngram"], [], [line]) == [line]


def test_a_run_that_is_stopped_says_that_it_goes_on():
    [line] = words(None, "Terminating processes on user request, this might take some time.")
    assert line == "The run was stopped. What was made stands, and the same command goes on."


def test_of_failed_jobs_their_logs_say_more():
    assert words("RuleException", "CalledProcessError in file") == []
    assert words("WorkflowError", "At least one job did not complete successfully.") == []


def test_a_failed_job_is_shown_with_the_end_of_its_log(tmp_path, monkeypatch):
    log = tmp_path / "score.log"
    lines = SimpleNamespace(failed={"score_csc a": Job("score_csc", "a", str(log))})
    log.write_text("one\n" * 20 + "error: items.parquet: is damaged\n", encoding="utf-8")
    shown = last_words(lines, False, None, [], [])
    assert shown[0] == f"Error in rule score_csc (a), log {log}:" and len(shown) == 13
    assert shown[-1] == "  error: items.parquet: is damaged"
    log.write_text("loading\n", encoding="utf-8")  # and then nothing
    assert "it was killed" in last_words(lines, False, None, [], [])[-1]
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=4096))
    assert last_words(lines, False, None, [], [])[-1].startswith("Error: the disk is full. Make room;")
    log.write_text(
        "Traceback (most recent call last):\nOSError: [Errno 28] No space left on device\n", encoding="utf-8"
    )
    assert last_words(lines, False, None, [], [])[-1].startswith("Error: the disk is full.")
