"""The log of a job."""

import contextlib
import logging
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from sinobench import locks
from sinobench.errors import InputError


@contextlib.contextmanager
def job_log(path: str | Path) -> Iterator[None]:
    """Send all output of a job, of its libraries too, to its log.

    Wrong input ends the job with status 1 and one line, in the log and on the terminal; any other error is a defect and
    keeps its traceback.
    """
    locks.end_with_run()
    terminal = os.dup(2)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    sys.stdout.flush()
    sys.stderr.flush()
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.close(descriptor)
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s", force=True)
    try:
        yield
    except InputError as error:
        message = f"error: {error}\n"
        sys.stderr.write(message)
        sys.stderr.flush()
        os.write(terminal, message.encode())
        raise SystemExit(1) from None
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os.close(terminal)
