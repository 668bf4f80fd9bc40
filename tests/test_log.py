"""The log of a job, also where nothing can be written to it."""

import subprocess
import sys

import pytest

JOB = """
import sys
from sinobench.errors import InputError
from sinobench.log import job_log
with job_log(sys.argv[1]):
    {}
"""


def run(body, log, **environment):
    command = [sys.executable, "-c", JOB.format(body), log]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment or None)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("raise InputError('is empty', 'a.txt')", "error: a.txt: is empty"),
        ("raise OSError(28, 'No space left on device', 'b')", "No space left on device: 'b'"),
        ("raise ValueError('Anna')", "error: ValueError in <string>, line 6"),
        ("open('/dev/full', 'w').write('x' * 10**6)", "error: OSError in <string>, line 6: [Errno 28] No space left"),
        ("print('x' * 10**6)", "the log can not be written (No space left on device)"),
        ("print('x')", "the log can not be written (No space left on device)"),
    ],
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_the_reason_reaches_the_terminal_where_the_disk_is_full(body, reason, unbuffered):
    done = run(body, "/dev/full", PYTHONUNBUFFERED=unbuffered)
    assert done.returncode == 1
    assert reason in done.stderr and "Anna" not in done.stderr and "Traceback" not in done.stderr


def test_a_defect_keeps_its_traceback_in_the_log(tmp_path):
    done = run("raise ValueError('odd')", tmp_path / "log")
    assert done.returncode == 1 and done.stderr == ""
    assert "ValueError: odd" in (tmp_path / "log").read_text(encoding="utf-8")


def test_the_log_is_utf8_without_what_a_terminal_obeys(tmp_path):
    body = "print('好'); print(chr(0xD800)); import logging; logging.warning('%s', chr(27) + '[2J')"
    done = run(body, tmp_path / "log", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "log").read_text(encoding="utf-8")
    assert "好" in text and "\\ud800" in text and "\\x1b[2J" in text
