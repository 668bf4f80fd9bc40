"""What stops Snakemake before it has read the rules, in this project's words.

The default profile calls ``hear``: there is nothing of a workflow that comes earlier. Nothing heavy here.
"""

import getpass
import logging
import os
import sys
import traceback
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from sinobench.errors import InputError, nearest, printable
from sinobench.troubles import Trouble, advice


def hear() -> None:
    """Put one line in the place of each exception of Snakemake's own, until the rules are read and hear theirs.

    A user without a name, as containers have them, has the number for one: Snakemake notes who runs it.
    """
    from snakemake.logging import logger

    logger.addFilter(_Told())
    try:
        getpass.getuser()
    except (KeyError, OSError):  # OSError since Python 3.13
        os.environ["LOGNAME"] = str(os.getuid())


def check_cores(n: int | None) -> None:
    """InputError for a number of cores on which Snakemake would start no job, or fail each."""
    if n is not None and n < 1:
        raise InputError(f"--cores is {n}; expected 1 or more, or 'all'")


def check_storage(provider: str | None) -> None:
    """InputError for a provider that would keep all files: rules take patterns of each other's outputs apart."""
    if provider:
        raise InputError(
            f"--default-storage-provider is {provider}; expected none, since what lies between corpora and results "
            "stays in a folder that all jobs see. Name corpora by their address in object storage, and where results "
            "go by the config's key `store`"
        )


def check_rules(named: Mapping[str, Iterable[str]], known: Collection[str]) -> None:
    """InputError for a name of no rule that an option has, by option: Snakemake would go on without a word."""
    for option, names in named.items():
        for name in names:
            if name not in known:
                raise InputError(f"{option} names '{name}', which is no rule; {nearest(name, known)}")


class _Told(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        error = sys.exc_info()[1]
        handlers = logging.getLogger(record.name).handlers
        if error and hasattr(record, "exception") and not any(isinstance(each, Trouble) for each in handlers):
            record.msg = _told(error) or record.msg
        return True


def _told(error: BaseException) -> str:
    """What is wrong and what to do; "" for an error in a rule, of which Snakemake names the line."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    for frame in frames:
        if frame.f_code.co_name == "load_configfile":
            return f"Error: {_of_config(frame.f_locals['configpath'], error)}"
    if isinstance(error, ModuleNotFoundError):
        return (
            f"Error: the package '{error.name}' is not installed. `make all` brings .venv up to date; "
            "in an environment of your own install what envs/requirements.txt lists."
        )
    told = advice(str(error))
    if not told and any(Path(frame.f_code.co_filename).suffix in {"", ".smk"} for frame in frames):
        return ""
    return "\n".join(filter(None, [f"Error: {printable(str(error))}", told]))


def _of_config(path: str | Path, error: BaseException) -> str:
    from sinobench.schema import load_yaml

    try:
        load_yaml(path)
    except InputError as wrong:
        return str(wrong)
    return f"{path}: can't be read by Snakemake ({printable(str(error))})"
