"""What a run shows while it goes on, from records as Snakemake makes them."""

import io
import logging

import pytest

from sinobench.job_lines import JobLines


class Own(logging.StreamHandler):
    """As Snakemake's handler: it shows what is left to it."""

    def __init__(self):
        super().__init__(io.StringIO())


@pytest.fixture
def lines():
    return JobLines(Own(), ["/elsewhere/run.log"])


def record(message=None, level=logging.INFO, **known):
    found = logging.LogRecord("snakemake", level, __file__, 1, message, None, None)
    vars(found).update(known)
    return found


def job(jobid, rule="predict_csc", **wildcards):
    log = [f"logs/{rule}/{jobid}.log"]
    return record(event="job_info", jobid=jobid, rule_name=rule, wildcards=wildcards, log=log)


def shown(lines):
    return lines.own.stream.getvalue().splitlines()


def test_one_line_a_job(lines):
    lines.handle(record("Building DAG of jobs..."))
    lines.handle(record(event="resources_info", cores=2, msg="Provided cores: 2"))
    lines.handle(record("Job stats: …", event="run_info", stats={"predict_csc": 11, "all": 1, "total": 12}))
    for jobid in range(11):
        lines.handle(job(jobid, key="0123abcd", corpus="sample-csc", model=f"m{jobid}"))
        lines.handle(record(event="job_finished", job_id=jobid))
        lines.handle(record(event="progress", done=jobid + 1, total=12))
    found = shown(lines)
    assert found[0] == "12 jobs on 2 cores; log: /elsewhere/run.log"
    assert found[1] == " 1/12  predict_csc sample-csc m0" and len(found) == 12
    assert found[-1].startswith("11/12  predict_csc sample-csc m10  (about ") and found[-1].endswith(" left)")


def test_failed_jobs_are_kept_for_the_end_but_those_that_end_well_in_a_further_try(lines):
    lines.handle(record(event="run_info", stats={"retrieve_file": 2, "total": 2}, msg="Job stats"))
    for jobid in (0, 1):
        lines.handle(job(jobid, "retrieve_file", source=f"s{jobid}"))
        lines.handle(record(**vars(job(jobid, "retrieve_file", source=f"s{jobid}")) | {"event": "job_error"}))
    lines.handle(record("RuleException:\nCalledProcessError", logging.ERROR, event="error", exception="RuleException"))
    lines.handle(job(0, "retrieve_file", source="s0"))
    lines.handle(record(event="job_finished", job_id=0))
    lines.handle(record("WorkflowError:\nAt least one job did not complete successfully.", logging.ERROR))
    assert shown(lines)[1:] == [
        "1/2  retrieve_file s0",
        "failed: retrieve_file s0 (log: logs/retrieve_file/0.log)",
        "2/2  retrieve_file s1",
        "failed: retrieve_file s1 (log: logs/retrieve_file/1.log)",
        "again  retrieve_file s0",
    ]
    assert [each.name for each in lines.failed.values()] == ["retrieve_file s1"]


def test_what_is_no_block_of_a_job_is_shown_as_it_is(lines):
    lines.handle(record("Released the lock of a run that was killed."))
    lines.handle(record("Nothing to be done (all requested files are present and up to date)."))
    lines.handle(record("WorkflowError:\nconfig/config.yaml: unknown key", logging.ERROR))
    assert [line.split()[0] for line in shown(lines)] == [
        "Released",
        "Nothing",
        "WorkflowError:",
        "config/config.yaml:",
    ]
    assert lines.is_idle
