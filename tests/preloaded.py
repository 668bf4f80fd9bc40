"""Snakemake imported once: a process that forks for each request, and runs Snakemake there as ``python -m`` would.

Imports are a second of the processor, more than most plans. Requests and answers are lines; see ``project.snakemake``.
Copies of the workflow have the same rules, of whose plans a third is parsing: each text of rules is parsed once.
"""

import atexit
import contextlib
import gc
import importlib
import json
import os
import pickle
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import preloaded_jobs

# What Snakemake imports until its first job; nothing of this project, whose copies tests change.
MODULES = ("snakemake.cli", "snakemake.report", "docutils.core", "jinja2", "jsonschema", "nbformat", "requests", "yte")
# What the texts of rules were parsed to: Python with a mark in the place of their path, number of rules, lines.
parsed: dict[tuple[str, int], tuple[str, int, dict[int, int]]] = {}
_PATH = "'<path>'"
_code = 0  # with which this process ends


def main() -> None:
    atexit.register(_end)  # the last of what is done then
    of_jobs = preloaded_jobs.start()
    for module in MODULES:
        importlib.import_module(module)
    sys.modules["snakemake.cli"].get_argument_parser()  # finds and imports the plugins
    gc.freeze()  # what is loaded stays: no copy looks at it
    for request in sys.stdin:
        with tempfile.TemporaryFile() as news:
            child = os.fork()
            if not child:
                parse_once(news)
                preloaded_jobs.take_from(of_jobs)
                run(**json.loads(request))
            print(child, flush=True)
            _, status = os.waitpid(child, 0)
            parsed.update(read(news))
        print(os.waitstatus_to_exitcode(status), flush=True)


def parse_once(news) -> None:
    """Let Snakemake parse what no process before this one has; that goes to the file ``news``, too."""
    workflow = sys.modules["snakemake.workflow"]
    parse = workflow.parse

    def parse_or_recall(path, of, linemap, overwrite_shellcmd=None, rulecount=0):
        name = path.get_path_or_uri(secret_free=True)
        key = Path(name).read_text(encoding="utf-8"), rulecount
        if key not in parsed:
            lines = {}
            code, count = parse(path, of, lines, overwrite_shellcmd, rulecount)
            parsed[key] = code.replace(repr(name), _PATH), count, lines
            pickle.dump((key, parsed[key]), news)
            news.flush()
        code, count, lines = parsed[key]
        linemap.update(lines)
        return code.replace(_PATH, repr(name)), count

    workflow.parse = parse_or_recall


def read(news) -> Iterator[tuple]:
    """What a process left there; the last may be half of it where that process was killed."""
    with contextlib.suppress(EOFError, pickle.UnpicklingError):
        news.seek(0)
        while True:
            yield pickle.load(news)


def run(folder: str, arguments: list[str], environment: dict[str, str], stdout: str, stderr: str) -> None:
    """Never returns: Snakemake's end is the process's."""
    global _code
    _code = 1
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[0:1] = [folder, *environment["PYTHONPATH"].split(os.pathsep)]
    sys.argv = [importlib.util.find_spec("snakemake.__main__").origin, *arguments]
    sys.modules["snakemake.workflow"].Workflow._rundir = folder
    for descriptor, path in enumerate((os.devnull, stdout, stderr)):
        os.dup2(os.open(path, os.O_RDWR), descriptor)
    try:
        sys.modules["snakemake.cli"].main()
    except SystemExit as ended:
        _code = ended.code if isinstance(ended.code, int) else 1  # where it is a message
        raise


def _end() -> None:
    """End this process without taking apart what it has loaded, which would copy all of its memory."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(_code)


if __name__ == "__main__":
    main()
