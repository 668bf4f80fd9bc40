"""Run the workflow as a user does."""

import contextlib
import functools
import io
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from sinobench import cli

# Other variables may change what an interpreter does as it starts: it is started then.
KNOWN_TO_NO_IMPORT = {"SINOBENCH_MIRROR", "HF_ENDPOINT", "OWN_KEY", "no_proxy"}


def shared(folder: Path, pattern: str) -> Path:
    """The one path of the pattern among what runs share, in whose place ``*`` stands for the key."""
    [path] = Path(folder, "results/shared").glob(pattern)
    return path


def start(folder: Path, *arguments: str) -> subprocess.Popen:
    """Start Snakemake on one core in a folder of a test's own rules, with the package that stands there."""
    return subprocess.Popen(
        [sys.executable, "-m", "snakemake", "--cores", "1", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder / "scripts")},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def sinobench(*arguments: object) -> subprocess.CompletedProcess:
    """The command in the process of the tests, which has imported what it needs."""
    printed = [io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2)]
    with contextlib.redirect_stdout(printed[0]), contextlib.redirect_stderr(printed[1]):
        status = cli.main([str(argument) for argument in arguments])
    return subprocess.CompletedProcess(arguments, status, *(text.buffer.getvalue().decode() for text in printed))


def snakemake(
    folder: Path, *arguments: str, prefix: Sequence[str] = (), timeout_s: float = 900, **environment: str | None
) -> subprocess.CompletedProcess:
    """Run Snakemake in a copy of the workflow with that copy's package; an environment variable of None is removed."""
    variables = {**os.environ, "PYTHONPATH": str(folder / "scripts"), **environment}
    variables = {name: value for name, value in variables.items() if value is not None}
    arguments = ("--cores", "2", *arguments)
    if not prefix and environment.keys() <= KNOWN_TO_NO_IMPORT:
        return forked(folder, arguments, variables, timeout_s)
    return subprocess.run(
        [*prefix, sys.executable, "-m", "snakemake", *arguments],
        cwd=folder,
        env=variables,
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )


def forked(
    folder: Path, arguments: Sequence[str], environment: dict[str, str], timeout_s: float = 900
) -> subprocess.CompletedProcess:
    """Run Snakemake in a process that has imported it; all else is as if it had just been started."""
    with tempfile.TemporaryDirectory() as place:
        stdout, stderr = (Path(place, name) for name in ("stdout", "stderr"))
        stdout.touch(), stderr.touch()
        request = {"folder": str(folder), "arguments": [str(argument) for argument in arguments]}
        request |= {"environment": environment, "stdout": str(stdout), "stderr": str(stderr)}
        server = _server()
        server.stdin.write(json.dumps(request).encode() + b"\n")
        process = int(server.stdout.readline())
        ended, _, _ = select.select([server.stdout], [], [], timeout_s)
        if not ended:
            os.kill(process, signal.SIGKILL)
        status = int(server.stdout.readline())
        if not ended:
            raise subprocess.TimeoutExpired(arguments, timeout_s)
        printed = (path.read_text(encoding="utf-8", errors="replace") for path in (stdout, stderr))
        return subprocess.CompletedProcess(arguments, status, *printed)


@functools.cache
def _server() -> subprocess.Popen:
    """Ends with this process, by the end of its input."""
    variables = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    command = [sys.executable, Path(__file__).with_name("preloaded.py")]
    return subprocess.Popen(command, env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
