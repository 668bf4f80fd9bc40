"""Evaluation of Chinese front-ends of speech systems: Cantonese G2P, Chinese spelling check, MERLIon CCS.

``open`` opens a finished run; ``csc``, ``g2p``, ``lid`` and ``ld`` have ``score`` each. They are imported at their
first use, so that importing this package costs nothing.
"""

import sys
from functools import partial
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sinobench import csc, g2p, ld, lid
    from sinobench.results.run import Run as open

__all__ = ["__version__", "csc", "g2p", "ld", "lid", "open"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name == "open":
        return import_module("sinobench.results.run").Run
    if name in __all__:
        return import_module(f"sinobench.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def say_in_log(job: object, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What ends a script outside ``with job(…)``, as a wrong import does, stands in the log and on the terminal.

    job: what Snakemake gives the script.
    """
    import traceback

    with open(job.log[0], "w", encoding="utf-8") as log:
        traceback.print_exception(kind, error, trace, file=log)
    if kind is not KeyboardInterrupt:
        sys.__excepthook__(kind, error, trace)


# It is there before a script runs; this package is the first that a script imports.
_job = getattr(sys.modules["__main__"], "snakemake", None)
if getattr(_job, "log", None):
    sys.excepthook = partial(say_in_log, _job)
