"""The log of a job."""

import contextlib
import logging
import os
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

from sinobench import locks
from sinobench.errors import InputError, printable


@contextlib.contextmanager
def job_log(path: str | Path, descriptor: int | None = None) -> Iterator[None]:
    """Send all output of a job, of its libraries too, to its log: to ``descriptor``, where its parent keeps that.

    Wrong input ends the job with status 1 and one line, in the log and on the terminal; any other error is a defect,
    with its traceback in the log. Where the log can't be written, as on a full disk, the terminal says so and why the
    job ended: an error of the system with its message, another defect, which may quote data, with its kind and place.
    """
    locks.end_with_run()
    terminal = os.dup(2)
    if descriptor is None:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    for stream in (sys.stdout, sys.stderr):  # before they may become pipes, which is not known to them
        stream.flush()
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    os.dup2(descriptor, 1)
    os.dup2(descriptor, 2)
    os.close(descriptor)
    handler = logging.StreamHandler()
    handler.setFormatter(_Printable("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
    try:
        yield
    except InputError as error:
        message = f"error: {error}\n"
        os.write(terminal, message.encode())
        _end(path, terminal, lambda: sys.stderr.write(message))
        raise SystemExit(1) from None
    except Exception as error:
        if not _end(path, terminal, traceback.print_exc):
            os.write(terminal, f"error: {reason_of(error)}\n".encode())
        raise SystemExit(1) from None
    else:
        if not _end(path, terminal):
            raise SystemExit(1)
    finally:
        os.close(terminal)


def reason_of(error: Exception) -> str:
    """What may be said of a defect, whose own message may quote data: kind and place; of the system's errors, all."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    said = f": {error}" if isinstance(error, OSError | MemoryError) else ""
    return str(InputError(f"{type(error).__name__} in {Path(frame.filename).name}, line {frame.lineno}{said}"))


class _Printable(logging.Formatter):
    """Lines without characters that a terminal would obey."""

    def format(self, record: logging.LogRecord) -> str:
        return "\n".join(map(printable, super().format(record).split("\n")))


def _end(path: str | Path, terminal: int, say: Callable[[], object] = lambda: None) -> bool:
    """Say the last word and write the log out; where that fails, the terminal gets what was printed last, and False."""
    try:
        say()
        sys.stdout.flush()
        sys.stderr.flush()
    except OSError as error:
        os.write(terminal, f"error: {InputError(f'the log can not be written ({error.strerror})', path)}\n".encode())
        os.dup2(terminal, 1)
        with open(os.devnull, "wb") as nowhere:  # what is left of a traceback
            os.dup2(nowhere.fileno(), 2)
            sys.stderr.flush()
        os.dup2(terminal, 2)
        return False
    return True
