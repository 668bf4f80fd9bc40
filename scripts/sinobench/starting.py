"""Jobs that start from a process in which what most of them import is loaded.

Python, Snakemake's classes, NumPy, Arrow and SciPy take half a second of processor time to load, which is longer than
many a job. So where Snakemake runs jobs, one process loads them once, and each job is a copy of it: as
isolated from the others as any process, and measured as one. Jobs of several threads start as usual, since libraries
take the number of their threads while they are loaded; so do those of containers and environments, and on a cluster the
first of each group, which may be all of it. Imported while Snakemake parses: nothing heavy here.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import gc
import importlib
import json
import os
import runpy
import selectors
import signal
import socket
import subprocess
import sys
import threading
import traceback
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from sinobench import say_in_log
from sinobench.children import models_in, seldom_collect

# Without threads of their own, which a copy of a process would lack.
LOADED = (
    "snakemake.iocontainers",
    "snakemake.logging",
    "numpy",
    "pyarrow.compute",
    "pyarrow.parquet",
    "scipy.fft",
    "scipy.sparse",
    "scipy.special",
    "sinobench.failures",
    "sinobench.results.comparing",
    "sinobench.results.statistics.rows",
    "sinobench.results.stored",
    "soundfile",
)
# What takes jobs of these scripts longer to load than to work with. A copy of the process loads it for the first of
# them, and they are copies of that one: what a copy does not use counts as its memory, too, and models' is measured.
_LIBROSA = ("librosa.feature.spectral",)
_PANDAS = ("pandas",)  # which Arrow takes along where it is given a value, or gives an array
LOADED_FOR = (
    dict.fromkeys(("verify_features", "verify_training_features"), _LIBROSA + _PANDAS)
    | dict.fromkeys(("draw_g2p", "draw_csc", "draw_lid", "draw_ld", "draw_merlion"), ("altair",))
    | dict.fromkeys(("ingest_lid", "ingest_ld", "subtract_regions", "predict_lid", "predict_ld"), _PANDAS)
    | dict.fromkeys(("export_ld", "summarize_merlion"), _PANDAS)
)
_TORCH = "torch"  # takes a second: loaded likewise for jobs of the package's own models that name it
# The variables by which Snakemake tells libraries the threads of a job.
_ONE_THREAD = dict.fromkeys((f"{name}_NUM_THREADS" for name in ("OMP", "GOTO", "OPENBLAS", "MKL", "NUMEXPR")), "1") | {
    "VECLIB_MAXIMUM_THREADS": "1"
}
_PYTHON = sys.executable
_SCRIPTS = Path(__file__).parents[1]
_SERVER = (
    "import sys; sys.path[:1] = []; sys.path.append({scripts!r}); from sinobench import starting; starting.serve({fd})"
)
_BEGIN = b"begin"
_END_WITH_PARENT = 1  # PR_SET_PDEATHSIG


class Starter:
    """The process that jobs are copies of; it is started for the first of them and ends with this one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._control: socket.socket | None = None
        self._process: subprocess.Popen | None = None

    def run(self, script: str, variables: dict[str, str], more: Sequence[str], watching: Any) -> int:
        """Run a script with variables of the environment; its status, 128 and the signal where one ended it.

        more: modules that it is to find loaded besides `LOADED`. watching: makes a context of the number of its
        process, in which it runs and is waited for: no job is so short that it ends unseen.
        """
        ours, theirs = _pair()
        with ours:
            with theirs, self._lock:
                self._send(json.dumps([script, variables, more]).encode(), theirs)
            pid = ours.recv(32)
            with watching(int(pid)) if pid else contextlib.nullcontext():
                with contextlib.suppress(OSError):  # it was killed
                    ours.send(_BEGIN)
                return int(ours.recv(32) or 128 + signal.SIGKILL)

    def close(self) -> None:
        """End the process, and what it runs."""
        if self._control and self._process:
            self._control.close()
            self._process.wait()

    def _send(self, request: bytes, answer: socket.socket) -> None:
        if self._control:
            with contextlib.suppress(OSError):  # it was killed: jobs to come get another
                socket.send_fds(self._control, [request], [answer.fileno()])
                return
        self._control, theirs = _pair()
        with theirs:
            server = _SERVER.format(scripts=str(_SCRIPTS), fd=theirs.fileno())
            self._process = subprocess.Popen(
                [_PYTHON, "-c", server], pass_fds=[theirs.fileno()], env=os.environ | _ONE_THREAD
            )
        socket.send_fds(self._control, [request], [answer.fileno()])


def install(as_usual: int = 0) -> None:
    """Start the jobs of this process so, where the system can; Snakemake has no setting for how a script is started.

    as_usual: so many start as usual first.
    """
    from snakemake.script import PythonScript

    if not _can_watch() or not hasattr(PythonScript, "execute_script"):
        return
    starter, usual = Starter(), PythonScript.execute_script
    first = iter(range(as_usual))
    atexit.register(starter.close)

    def execute(self: Any, fname: str, edit: bool = False) -> None:
        apart = self.conda_env or self.container_img or self.env_modules or self.shadow_dir
        alone = self.threads != 1 or self.resources.get("shell_exec") or next(first, None) is not None
        if edit or apart or alone:
            usual(self, fname, edit)
            return
        from snakemake.benchmark import benchmarked

        def watching(pid: int) -> Any:
            return benchmarked(pid, self.bench_record) if self.bench_record else contextlib.nullcontext()

        folder = self.resources.get("tmpdir")
        variables = dict.fromkeys(("TMPDIR", "TMP", "TEMPDIR", "TEMP"), folder) if folder else {}
        if status := starter.run(fname, variables, _wanted(fname, self), watching):
            raise subprocess.CalledProcessError(status, f"{_PYTHON} {fname}")

    PythonScript.execute_script = execute


def serve(descriptor: int) -> None:
    """Load the modules, then start a copy of this process for each request, and say how it ended.

    Returns in a copy, after its script. What remains is the interpreter's end, up to the first that was registered.
    """
    status = [1]
    atexit.register(lambda: _end(status[0]))
    _load(LOADED)
    seldom_collect()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    status[0] = _run(*_Server(socket.socket(fileno=descriptor), []).asked())


class _Server:
    """Starts a copy of this process for each request that comes by ``control``, and says how it ended.

    loaded: modules that this process has besides `LOADED`. Requests for more go to a copy that has loaded the next one
    too, and from there on: what two kinds of jobs need first is loaded once.
    """

    def __init__(self, control: socket.socket, loaded: list[str]) -> None:
        self._control, self._loaded = control, loaded
        self._selector = selectors.DefaultSelector()
        self._selector.register(control, selectors.EVENT_READ)
        self._copies: dict[str, tuple[int, socket.socket]] = {}  # that serve, by what they have loaded

    def asked(self) -> tuple[str, dict[str, str]]:
        """Returns in a copy, with the script and variables of its request."""
        while True:
            for key, _ in self._selector.select():
                if key.fileobj is not self._control:
                    self._selector.unregister(key.fileobj)
                    _tell_the_end(key.fd, *key.data)
                    continue
                request, descriptors, *_ = socket.recv_fds(self._control, 2**16, 1)
                if not request:
                    self._end()
                answer = socket.socket(fileno=descriptors[0])
                script, variables, more = json.loads(request)
                if more != self._loaded:
                    if copy := self._passed_on(more[: len(self._loaded) + 1], request, answer):
                        return copy.asked()
                elif child := os.fork():
                    answer.send(str(child).encode())
                    self._selector.register(os.pidfd_open(child), selectors.EVENT_READ, (child, answer))
                else:
                    self._leave()
                    with answer:
                        if answer.recv(32) != _BEGIN:  # the run was killed
                            os._exit(1)
                    return script, variables

    def _passed_on(self, more: list[str], request: bytes, answer: socket.socket) -> _Server | None:
        """Let a copy serve that has loaded more; in that copy, it as a server."""
        with answer:
            if known := self._copies.get(str(more)):
                with contextlib.suppress(OSError):  # it was killed
                    socket.send_fds(known[1], [request], [answer.fileno()])
                    return None
            ours, theirs = _pair()
            if child := os.fork():
                theirs.close()
                self._copies[str(more)] = child, ours
                socket.send_fds(ours, [request], [answer.fileno()])
                return None
        self._leave()
        ours.close()
        _load(more)
        return _Server(theirs, more)

    def _leave(self) -> None:
        """Close, in a copy, what this process holds for others."""
        for held in list(self._selector.get_map().values()):
            os.close(held.fd)
            if held.data:
                held.data[1].close()
        self._control.detach()
        self._selector.close()
        for _, control in self._copies.values():
            control.close()

    def _end(self) -> None:
        for child, control in self._copies.values():
            control.close()
            os.waitpid(child, 0)
        os._exit(0)


def _load(modules: Iterable[str]) -> None:
    for module in modules:
        with contextlib.suppress(ImportError):  # the job that needs it will say so
            importlib.import_module(module)
    gc.freeze()  # no copy looks for garbage in what is loaded, which would give each its own memory of it


def _wanted(script: str, job: Any) -> list[str]:
    """What a job is to find loaded besides `LOADED`."""
    own = (each for each in models_in(job) if each["kind"] == "python" and each["class"].startswith("sinobench."))
    return [
        *([_TORCH] if any(_TORCH in entry["packages"] for entry in own) else []),
        *LOADED_FOR.get(_name(script), ()),
    ]


def _can_watch() -> bool:
    """Whether the system tells of a process that it ended: Linux from 5.3 on."""
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):
        return False
    return True


def _tell_the_end(descriptor: int, child: int, answer: socket.socket) -> None:
    os.close(descriptor)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    with answer, contextlib.suppress(BrokenPipeError):  # the run was killed
        answer.send(str(code if code >= 0 else 128 - code).encode())


def _run(script: str, variables: dict[str, str]) -> int:
    """Run a script; the status with which it ends its process."""
    ctypes.CDLL(None).prctl(_END_WITH_PARENT, signal.SIGTERM)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ.update(variables)
    sys.argv = [script]
    sys.path.insert(0, str(Path(script).parent.absolute()))
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as ended:
        if ended.code is None or isinstance(ended.code, int):
            return ended.code or 0
        print(ended.code, file=sys.stderr)
        return 1
    except KeyboardInterrupt:  # the run says that it was stopped
        return 128 + signal.SIGINT
    except BaseException as error:
        found = (frame.f_globals.get("snakemake") for frame, _ in traceback.walk_tb(error.__traceback__))
        job = next((each for each in found if getattr(each, "log", None)), None)
        say = partial(say_in_log, job) if job else sys.excepthook
        say(type(error), error, error.__traceback__)
        return 1
    return 0


def _end(status: int) -> None:
    """End this process without taking apart what it has loaded, which takes longer than many a job."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            status = status or 1
    os._exit(status)


def _name(script: str) -> str:
    """That of the script of which Snakemake runs a copy, ``tmp….name.py``."""
    return Path(script).stem.rpartition(".")[2]


def _pair() -> tuple[socket.socket, socket.socket]:
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
