"""The process that jobs are copies of, with its libraries loaded: for the runs of ``preloaded.py``.

A run starts such a process with its first job, and it loads libraries for almost half a second of the processor, more
than most of its jobs take. Here it is a copy of one that has loaded them, and of nothing of this project.
"""

import fcntl
import gc
import importlib
import json
import os
import socket
import subprocess
import sys

# By which `sinobench.starting` keeps libraries to the one thread of a job: they read them as they load.
ONE_THREAD = ("OMP", "GOTO", "OPENBLAS", "MKL", "NUMEXPR")


def start() -> socket.socket:
    """Start the process that loads libraries, which ends with this one; where it takes requests."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork():
        theirs.close()
        return ours
    ours.close()
    os.environ |= {f"{name}_NUM_THREADS": "1" for name in ONE_THREAD} | {"VECLIB_MAXIMUM_THREADS": "1"}
    for module in importlib.import_module("sinobench.starting").LOADED:
        if not module.startswith("sinobench."):
            importlib.import_module(module)
    for module in [name for name in sys.modules if name.partition(".")[0] == "sinobench"]:
        del sys.modules[module]
    gc.freeze()
    while True:
        request, descriptors, *_ = socket.recv_fds(theirs, 2**17, 4)
        if not request:
            os._exit(0)
        if not os.fork():
            theirs.close()
            _become(**json.loads(request), descriptors=descriptors)
            sys.exit()
        for each in descriptors:
            os.close(each)
        while any(os.waitpid(-1, os.WNOHANG)):
            pass


def take_from(requests: socket.socket) -> None:
    """Let what this process starts as its jobs' be a copy of that process."""

    class Popen(subprocess.Popen):
        def __new__(cls, args, *rest, **named):
            if isinstance(args, list) and args[1:2] == ["-c"] and "starting.serve(" in args[2]:
                return _Copy(requests, args[2], named["pass_fds"][0], named["env"])
            return super().__new__(cls)

    subprocess.Popen = Popen


class _Copy:
    """What the starter of jobs needs of a process that it started."""

    def __init__(self, requests: socket.socket, code: str, descriptor: int, environment: dict[str, str]) -> None:
        self._ended, held = os.pipe()
        request = {"code": code, "descriptor": descriptor, "environment": dict(environment), "folder": os.getcwd()}
        socket.send_fds(requests, [json.dumps(request).encode()], [descriptor, 1, 2, held])
        os.close(held)

    def wait(self) -> None:
        os.read(self._ended, 1)  # its end is that of the last process that holds the other end


def _become(code: str, descriptor: int, environment: dict[str, str], folder: str, descriptors: list[int]) -> None:
    """Run the code as ``python -c`` would, with the given standard output and errors."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = ["-c"]
    sys.path[0:1] = ["", *filter(None, environment.get("PYTHONPATH", "").split(os.pathsep))]
    # Out of the way of the numbers that they are to have.
    control, stdout, stderr, _ = (fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, 512) for each in descriptors)
    for each in descriptors:
        os.close(each)
    for source, target in ((os.open(os.devnull, os.O_RDONLY), 0), (stdout, 1), (stderr, 2), (control, descriptor)):
        os.dup2(source, target)
        os.close(source)
    exec(code, {"__name__": "__main__"})
