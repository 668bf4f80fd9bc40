"""Snakemake imported once: a process that forks for each request, and runs Snakemake there as ``python -m`` would.

Imports are a second of the processor, more than most plans. Requests and answers are lines; see ``project.snakemake``.
"""

import gc
import importlib
import json
import os
import sys

# What Snakemake imports until its first job; nothing of this project, whose copies tests change.
MODULES = ("snakemake.cli", "snakemake.report", "docutils.core", "jinja2", "jsonschema", "nbformat", "requests", "yte")


def main() -> None:
    for module in MODULES:
        importlib.import_module(module)
    sys.modules["snakemake.cli"].get_argument_parser()  # finds and imports the plugins
    gc.freeze()  # what is loaded stays: no copy looks at it
    for request in sys.stdin:
        child = os.fork()
        if not child:
            run(**json.loads(request))
        print(child, flush=True)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def run(folder: str, arguments: list[str], environment: dict[str, str], stdout: str, stderr: str) -> None:
    """Never returns: Snakemake's end is the process's."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.path[0:1] = [folder, *environment["PYTHONPATH"].split(os.pathsep)]
    sys.argv = [importlib.util.find_spec("snakemake.__main__").origin, *arguments]
    sys.modules["snakemake.workflow"].Workflow._rundir = folder
    for descriptor, path in enumerate((os.devnull, stdout, stderr)):
        os.dup2(os.open(path, os.O_RDWR), descriptor)
    sys.modules["snakemake.cli"].main()
    sys.exit()


if __name__ == "__main__":
    main()
