"""A bar for work that takes minutes, for a person who watches and for nobody else."""

import contextlib
import os
from collections.abc import Iterable, Iterator
from typing import TypeVar

_Item = TypeVar("_Item")


def progress(iterable: Iterable[_Item], total: int | None = None, desc: str = "", unit: str = "it") -> Iterator[_Item]:
    """The items of ``iterable``, with a bar on the terminal while they are taken.

    The bar goes to the terminal itself, since a job's outputs are its log (``sinobench.log``). There is none without a
    terminal, in the background, in a job of Slurm, and where the environment names CI.
    """
    descriptor = None if os.environ.get("CI") or os.environ.get("SLURM_JOB_ID") else _foreground_terminal()
    if descriptor is None:
        yield from iterable
        return
    from tqdm import tqdm

    with _Terminal(descriptor) as terminal:
        yield from tqdm(iterable, desc=desc, total=total, unit=unit, file=terminal, leave=False, dynamic_ncols=True)


def _foreground_terminal() -> int | None:
    try:
        descriptor = os.open("/dev/tty", os.O_WRONLY | os.O_NOCTTY)
    except OSError:
        return None
    with contextlib.suppress(OSError):
        if os.tcgetpgrp(descriptor) == os.getpgrp():
            return descriptor
    os.close(descriptor)
    return None


class _Terminal:
    """A terminal as tqdm writes to it; one that was closed meanwhile does not end the work."""

    encoding = "utf-8"

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def write(self, text: str) -> None:
        with contextlib.suppress(OSError):
            os.write(self._descriptor, text.encode())

    def flush(self) -> None:
        pass

    def fileno(self) -> int:
        return self._descriptor

    def __enter__(self) -> "_Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._descriptor)
