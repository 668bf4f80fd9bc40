"""Standard input in place of a file, as ``-``: kept in a file of its own, which every reader takes as any other."""

import contextlib
import shutil
import sys
import tempfile
from argparse import ArgumentTypeError
from collections.abc import Iterator
from pathlib import Path

NAME = "standard input"
_kept: list[Path] = []


def readable(text: str, suffix: str = "") -> str:
    """The path of an argument; for ``-`` that of a file with what stands on standard input, which is read once."""
    if text != "-":
        return text
    if _kept:
        raise ArgumentTypeError("'-' stands twice; standard input is one file")
    _kept.append(Path(tempfile.mkdtemp(prefix="sinobench-"), f"standard_input{suffix}"))
    with _kept[0].open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return str(_kept[0])


def named(text: str) -> str:
    """The text with standard input under its name."""
    for path in _kept:
        text = text.replace(str(path), NAME)
    return text


@contextlib.contextmanager
def kept() -> Iterator[None]:
    """For as long as what was read from standard input is needed."""
    try:
        yield
    finally:
        while _kept:
            shutil.rmtree(_kept.pop().parent, ignore_errors=True)
