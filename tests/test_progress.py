import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

import pytest

from sinobench.progress import progress

JOB = """
import sys
from sinobench.log import job_log
from sinobench.progress import progress
with job_log(sys.argv[1]):
    print(sum(progress(iter([1, 2, 3]), total=3, desc="added", unit="number")))
"""


def shown(log, **environment):
    """What a job writes on the terminal it runs on."""
    pid, terminal = pty.fork()
    if not pid:
        kept = {name: value for name, value in os.environ.items() if name not in ("CI", "SLURM_JOB_ID")}
        os.execve(sys.executable, [sys.executable, "-c", JOB, str(log)], kept | environment)
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    output = b""
    while True:
        try:
            piece = os.read(terminal, 4096)
        except OSError:  # Linux's end of file
            break
        if not piece:
            break
        output += piece
    os.close(terminal)
    assert os.waitpid(pid, 0)[1] == 0
    assert log.read_text() == "6\n"
    return output.decode()


def test_a_bar_on_the_terminal_and_not_in_the_log(tmp_path):
    assert "added" in shown(tmp_path / "log")


@pytest.mark.parametrize("name", ["CI", "SLURM_JOB_ID"])
def test_none_where_nobody_watches(tmp_path, name):
    assert shown(tmp_path / "log", **{name: "1"}) == ""


def test_none_without_a_terminal(tmp_path):
    command = [sys.executable, "-c", JOB, str(tmp_path / "log")]
    result = subprocess.run(command, capture_output=True, text=True, check=True, start_new_session=True)
    assert (result.stdout, result.stderr) == ("", "")
    assert (tmp_path / "log").read_text() == "6\n"


def test_all_items_in_their_order():
    assert list(progress(iter("abc"))) == ["a", "b", "c"]
