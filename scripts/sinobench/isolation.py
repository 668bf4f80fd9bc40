"""Code and weights of others, run where they reach no network and write nowhere but in a folder of their job.

The job starts its own script once more in a sandbox of bubblewrap (``bwrap``): all files read-only, the user's home and
temporary folders hidden, no network, processes of its own, and of the environment what calculating needs. What the
script made there is looked at and moved to its place by the job outside. Imported by nearly every job: nothing heavy
here.
"""

import glob
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from sinobench.errors import InputError

_GUARANTEES = (
    "in a sandbox of bubblewrap: no network, no processes but its own, all files read-only but its outputs and its "
    "temporary folder, home and other temporary folders hidden"
)
_REPORT, _FOLDER = "SINOBENCH_SANDBOX_REPORT", "SINOBENCH_SANDBOX_FOLDER"  # tell the script inside of its job
_FOREIGN_KINDS = {"hub"}
_KEPT_VARIABLES = re.compile(
    r"PATH|LANG|LANGUAGE|LC_\w+|TZ|LD_LIBRARY_PATH|PYTHON(PATH|HOME|HASHSEED|UNBUFFERED|DONTWRITEBYTECODE)|VIRTUAL_ENV"
    r"|CONDA_PREFIX|(OMP|KMP|MKL|OPENBLAS|GOTO|VECLIB|NUMEXPR|NUMBA|CUDA|CUBLAS|NVIDIA|HIP|ROCR|HSA)_\w+"
    r"|TORCH_HOME|PYTORCH_\w+|TOKENIZERS_PARALLELISM|HF_HUB_(CACHE|OFFLINE)|TRANSFORMERS_OFFLINE"
)
_HIDDEN = ("/home", "/root", "/tmp", "/var/tmp", "/run", "/var/run")
_DEVICES = ("/dev/nvidia*", "/dev/dri", "/dev/kfd")
# Caches of weights in a home; their neighbours may hold keys.
_CACHES = {"HF_HUB_CACHE": ".cache/huggingface/hub", "TORCH_HOME": ".cache/torch"}
# Proc read-only: as root, its switches of the kernel could be written.
_CORE = (
    *("--unshare-all", "--cap-drop", "ALL", "--die-with-parent", "--as-pid-1", "--new-session"),
    *("--ro-bind", "/", "/", "--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev"),
)


def is_foreign(entry: Mapping) -> bool:
    """Whether running a model of the catalog runs code, or reads weights, that are not this package's."""
    module = (entry.get("class") or "sinobench").rpartition(":")[0] or "sinobench"
    return entry["kind"] in _FOREIGN_KINDS or module.endswith(".py") or module.partition(".")[0] != "sinobench"


def chosen(entries: Iterable[Mapping], wanted: str | bool) -> tuple[bool, str]:
    """Whether to isolate a job of models with these entries, and the line that its log has about it, if any.

    wanted: the config's ``isolation``. Raises InputError where it is required and can't be had.
    """
    if not any(map(is_foreign, entries)):
        return False, ""
    if wanted in ("off", False):
        return False, "The model runs without a sandbox: the config has `isolation: off`."
    if reason := unavailable():
        if wanted == "required":
            raise InputError(
                f"the config has `isolation: required`, and there is no sandbox: {reason}; install bubblewrap, or let "
                "the model run without by `isolation: when available`"
            )
        return False, f"The model runs without a sandbox: {reason}."
    return True, f"The model runs {_GUARANTEES}."


@cache
def unavailable() -> str:
    """Why there is no sandbox on this machine; "" where there is one."""
    bwrap = shutil.which("bwrap")
    if not bwrap:
        return "bubblewrap (`bwrap`) is not installed"
    try:
        tried = subprocess.run([bwrap, *_CORE, "true"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not work here: {error}"
    said = tried.stderr.strip().rpartition("\n")[2] or f"status {tried.returncode}"
    return f"bubblewrap does not work here: {said}" if tried.returncode else ""


def folder_of(output: str) -> Path:
    """The folder, beside its first output, in which an isolated job writes."""
    return Path(output).absolute().with_name(f".{Path(output).name}.isolated")


def prepare(folder: Path, n_outputs: int) -> None:
    """Empty a job's folder, but for what an interrupted fit left to go on from (``*.unfinished``)."""
    if folder.is_dir():
        remove(folder, keep_unfinished=True)
    for name in (*map(str, range(n_outputs)), "tmp", "shm"):
        (folder / name).mkdir(parents=True, exist_ok=True)


def remove(folder: Path, keep_unfinished: bool) -> None:
    """Remove a job's folder; if so, keep what an interrupted fit left to go on from."""
    unfinished = [path for path in folder.glob("[0-9]*/*.unfinished") if not problem_of(path, path.is_dir())]
    for path in sorted(folder.glob("*/*")):
        if not keep_unfinished or path not in unfinished:
            _remove(path)
    if not keep_unfinished or not unfinished:
        _remove(folder)


def start(folder: Path, needed: Iterable[str], report: int, output: int) -> int:
    """Start this script again in a sandbox that can write in ``folder``; the number of its process.

    needed: files and folders to read, wherever they are. report: descriptor for how it ended; output: for what it
    prints.
    """
    variables = _variables()
    needed = [
        *needed,
        str(folder),
        *_of_python(),
        os.getcwd(),
        *(variables[name] for name in _CACHES if name in variables),
    ]
    mounts = [*_CORE, *_views(needed, folder / "tmp")]
    for device in sorted(found for pattern in _DEVICES for found in glob.glob(pattern)):
        mounts += ["--dev-bind", device, device]
    mounts += ["--bind", str(folder / "shm"), "/dev/shm", "--remount-ro", "/dev", "--bind", str(folder), str(folder)]
    process = subprocess.Popen(
        [shutil.which("bwrap") or "bwrap", *mounts, "--chdir", os.getcwd(), "--", sys.executable, *sys.argv],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=output,
        pass_fds=[report],
        env=variables | {_REPORT: str(report), _FOLDER: str(folder), "HOME": "/tmp", "TMPDIR": "/tmp"},
    )
    process.returncode = 0  # or this object would wait for it, too
    return process.pid


def is_inside() -> bool:
    """Whether this process is a job's script in its sandbox."""
    return _FOLDER in os.environ


def enter(snakemake: Any) -> int:
    """Let the outputs of the job stand in its folder; the descriptor for the report of how it ended."""
    folder = Path(os.environ.pop(_FOLDER))
    places = iter(range(len(snakemake.output)))
    snakemake.output = type(snakemake.output)(
        toclone=snakemake.output, custom_map=lambda path: str(_place(folder, next(places), path))
    )
    return int(os.environ.pop(_REPORT))


def problem_of(path: Path, is_folder: bool) -> str:
    """What is wrong with an output that foreign code wrote; "" where nothing is."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return f"did not write {path.name}"
    if is_folder:
        if not stat.S_ISDIR(mode):
            return f"wrote {path.name} as {_kind(mode)}, not as a folder"
        for place, folders, files in os.walk(path):
            for name in [*folders, *files]:
                inner = os.lstat(os.path.join(place, name)).st_mode
                if not stat.S_ISREG(inner) and not stat.S_ISDIR(inner):
                    return f"wrote {_kind(inner)} into {path.name}"
        return ""
    if not stat.S_ISREG(mode):
        return f"wrote {path.name} as {_kind(mode)}, not as a file"
    if path.suffix == ".parquet" and not _is_whole_parquet(path):
        return f"wrote {path.name} as something else than a whole Parquet file"
    return ""


def take(folder: Path, outputs: Mapping[int, str], folders: Sequence[str]) -> str:
    """Move what an isolated job made to its place; why that was not done, "" where it was.

    outputs: places by their number among the job's outputs; folders: those of them that are folders.
    """
    for i, path in outputs.items():
        if problem := problem_of(_place(folder, i, path), path in folders):
            return problem
    for i, path in outputs.items():
        made = _place(folder, i, path)
        for place, _, files in os.walk(made):
            os.chmod(place, 0o777 & ~_umask())
            for name in files:
                os.chmod(os.path.join(place, name), 0o666 & ~_umask())
        if made.is_file():
            made.chmod(0o666 & ~_umask())
        if Path(path).is_dir():
            shutil.rmtree(path)
        made.replace(path)
    return ""


def _place(folder: Path, i: int, path: str) -> Path:
    return folder / str(i) / Path(path).name


def _variables() -> dict[str, str]:
    """Of the environment what may be known inside, and where caches of weights are."""
    kept = {name: value for name, value in os.environ.items() if _KEPT_VARIABLES.fullmatch(name)}
    home = Path.home()
    caches = {name: home / place for name, place in _CACHES.items()}
    if "HF_HOME" in os.environ:
        caches["HF_HUB_CACHE"] = Path(os.environ["HF_HOME"], "hub")
    return {name: str(place) for name, place in caches.items() if place.is_dir()} | kept


def _views(needed: Iterable[str], temporary: Path) -> list[str]:
    """Arguments that hide homes and temporary folders, and show in them what is needed."""
    shown = {place for path in needed for place in _ways(path)}
    home = os.path.realpath(Path.home())
    hidden = {os.path.realpath(place) for place in (*_HIDDEN, home)} - {"/"}
    if home in shown:  # then at least what programs keep there for themselves
        hidden |= {entry.path for entry in os.scandir(home) if entry.name.startswith(".") and not entry.is_symlink()}
    arguments: list[str] = []
    within: list[tuple[str, bool]] = []  # the places around the one at hand, and whether each is hidden
    closed = []
    for path in sorted(filter(os.path.exists, shown | hidden), key=lambda path: path.split("/")):
        while within and not Path(path).is_relative_to(within[-1][0]):
            within.pop()
        is_hidden = path not in shown
        if is_hidden == (bool(within) and within[-1][1]):
            continue
        within.append((path, is_hidden))
        if not is_hidden:
            arguments += ["--ro-bind", path, path]
        elif path == "/tmp":
            arguments += ["--bind", str(temporary), path]
        elif os.path.isdir(path):
            arguments += ["--tmpfs", path]
            closed += ["--remount-ro", path]
        else:
            arguments += ["--ro-bind", "/dev/null", path]
    return arguments + closed


def _ways(path: str) -> list[str]:
    """A path and, of a link, what it leads to, hop by hop."""
    hops = [os.path.abspath(path)]
    while os.path.islink(hops[-1]) and len(hops) < 40:
        hops.append(os.path.abspath(os.path.join(os.path.dirname(hops[-1]), os.readlink(hops[-1]))))
    return [*hops, os.path.realpath(path)]


def _of_python() -> list[str]:
    """Where this interpreter, its packages and this script stand."""
    return [sys.prefix, sys.base_prefix, sys.exec_prefix, sys.executable, *filter(None, sys.path), sys.argv[0]]


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _kind(mode: int) -> str:
    known = {stat.S_IFLNK: "a link", stat.S_IFDIR: "a folder", stat.S_IFREG: "a file", stat.S_IFIFO: "a pipe"}
    return known.get(stat.S_IFMT(mode), "a device or socket")


def _is_whole_parquet(path: Path) -> bool:
    """Whether it has both ends of a Parquet file, and between them the length that the second one tells."""
    size = path.stat().st_size
    if size < 12:
        return False
    with path.open("rb") as stream:
        head = stream.read(4)
        stream.seek(-8, os.SEEK_END)
        length, tail = int.from_bytes(stream.read(4), "little"), stream.read(4)
    return head == tail == b"PAR1" and length <= size - 12


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        for place, _, _ in os.walk(path):
            os.chmod(place, 0o700)  # it may have been made without a right to remove what is in it
        shutil.rmtree(path)
    else:
        path.unlink()
