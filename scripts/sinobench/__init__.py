"""Evaluation of Chinese front-ends of speech systems: Cantonese G2P, Chinese spelling check, MERLIon CCS."""

import sys
import traceback
from types import TracebackType

__version__ = "0.1.0"

# What Snakemake gives a script before it runs; this package is the first that a script imports.
_job = getattr(sys.modules["__main__"], "snakemake", None)


def _say_in_log(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What ends a script outside ``with job(…)``, as a wrong import does, stands in the log and on the terminal."""
    with open(_job.log[0], "w", encoding="utf-8") as log:
        traceback.print_exception(kind, error, trace, file=log)
    sys.__excepthook__(kind, error, trace)


if getattr(_job, "log", None):
    sys.excepthook = _say_in_log
