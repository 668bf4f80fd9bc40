"""The gate: what the folder of a hub model holds, looked at before anything is loaded. Nothing is executed.

A model is refused for a file that is not listed or not as it is pinned, for a kind of file that can hold code, and for
content that is other than what its name says. docs/threat-model.md says what is refused, and what can't be told.
"""

import hashlib
import os
import re
import stat
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sinobench.errors import InputError, printable, short
from sinobench.guard import MEMORY_BYTES, bounded_memory
from sinobench.hub import content, onnx_file, settings, tensors

# What a file is for, by its suffix; all others are refused.
KINDS = {
    ".json": "settings",
    ".txt": "text",
    ".safetensors": "tensors",
    ".onnx": "graph",
    ".onnx_data": "values",
    ".data": "values",
}
_CODE = {
    **dict.fromkeys((".py", ".pyc", ".pyo", ".pyd", ".pyx", ".ipynb"), "Python code"),
    **dict.fromkeys((".so", ".dll", ".dylib", ".exe", ".a", ".o", ".elf", ".wasm", ".node"), "compiled code"),
    **dict.fromkeys((".sh", ".bash", ".bat", ".cmd", ".ps1", ".js", ".mjs", ".lua", ".rb", ".pl", ".r"), "a script"),
    **dict.fromkeys((".jar", ".class", ".apk"), "Java code"),
    **dict.fromkeys(
        (".pkl", ".pickle", ".pt", ".pth", ".bin", ".ckpt", ".joblib", ".dill", ".mar"), "can hold a pickle"
    ),
    **dict.fromkeys((".npy", ".npz"), "can hold pickled objects"),
    **dict.fromkeys((".h5", ".hdf5", ".keras", ".pb", ".tflite", ".nemo", ".mlmodel"), "can hold code"),
    **dict.fromkeys((".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z", ".rar", ".whl"), "an archive"),
    ".jinja": "a template, which is executed; no loader needs one",
    ".ort": "a graph in a form that can't be inspected; expected .onnx",
}
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*(/[A-Za-z0-9_][A-Za-z0-9_.+-]*)*")
# A file by such a name changes what a library loads.
_STEERING = {"adapter_config.json": "makes a library load another repository's weights"}
_MOST_ENTRIES = 10_000
_MOST_TEXT = 64 * 2**20


@dataclass(frozen=True)
class Finding:
    """What was found of one file: ``refused`` with the reasons, else ``accepted``; ``note``: what is worth knowing."""

    file: str
    kind: str | None
    size_bytes: int | None
    sha256: str | None
    verdict: str
    reason: str | None = None
    note: str | None = None


@dataclass(frozen=True)
class Inspection:
    """What was found of all files, of those that are listed and of others."""

    findings: tuple[Finding, ...]

    @property
    def refusals(self) -> list[str]:
        """Why the model is refused, a line a file; none for one that may be loaded."""
        return [f"{found.file}: {found.reason}" for found in self.findings if found.verdict == "refused"]

    def require(self, model: str) -> None:
        """Raise InputError where the model is refused."""
        if self.refusals:
            raise InputError(f"model '{model}' is refused: {'; '.join(self.refusals)}")


def inspect(folder: str | Path, files: Mapping[str, Mapping]) -> Inspection:
    """Look at a model's folder, without loading any of it or writing anywhere.

    files: what the folder is to hold, by path in it: the ``sha256`` and ``size_bytes`` of each.
    """
    folder = Path(folder)
    if os.path.islink(folder):
        return Inspection((_refused(".", "the folder is a link"),))
    found, problems = _listing(folder)
    for name in files:
        if name not in found and name not in problems:
            problems[name] = "is missing"
    for name in found.keys() - files.keys():
        problems.setdefault(name, f"is not in the list of the model's files{_trick(name, files)}; remove it")
    for name in files:
        if trick := bad_name(name, files):
            problems[name] = trick
    sizes = {name: found[name] for name in files.keys() & found.keys() - problems.keys()}
    findings = [_refused(name, problem, found.get(name)) for name, problem in sorted(problems.items())]
    findings += [_file(folder, name, files[name], sizes) for name in files if name in sizes]
    return Inspection(tuple(sorted(findings, key=lambda each: each.file)))


def _listing(folder: Path) -> tuple[dict[str, int], dict[str, str]]:
    """The sizes of the regular files below a folder, and what is wrong with others, by path; no link is followed."""
    sizes: dict[str, int] = {}
    problems: dict[str, str] = {}
    places: dict[tuple[int, int], list[str]] = {}
    links: dict[tuple[int, int], int] = {}
    waiting = [folder]
    while waiting:
        try:
            entries = sorted(os.scandir(waiting.pop()), key=lambda entry: entry.name)
        except OSError as error:
            return sizes, problems | {".": f"can't be read: {error.strerror}"}
        for entry in entries:
            name = Path(entry.path).relative_to(folder).as_posix()
            found = entry.stat(follow_symlinks=False)
            mode = found.st_mode
            if stat.S_ISLNK(mode):
                problems[name] = f"is a link, to '{short(os.readlink(entry.path))}'"
            elif stat.S_ISDIR(mode):
                waiting.append(Path(entry.path))
            elif not stat.S_ISREG(mode):
                problems[name] = "is a pipe, socket or device"
            else:
                sizes[name] = found.st_size
                places.setdefault((found.st_dev, found.st_ino), []).append(name)
                links[found.st_dev, found.st_ino] = found.st_nlink
        if len(sizes) + len(problems) + len(waiting) > _MOST_ENTRIES:
            return sizes, problems | {".": f"holds more than {_MOST_ENTRIES:,} files and folders"}
    for place, names in places.items():
        if links[place] > len(names):
            problems |= dict.fromkeys(names, "is also a file outside the folder (a hard link); copy it there")
    return sizes, problems


def bad_name(name: str, files: Mapping) -> str | None:
    """What is wrong with the name of a listed file; None where a model may have it."""
    if name.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", name) or re.match(r"[A-Za-z]:", name):
        return "leaves the model's folder"
    if not _NAME.fullmatch(name) or len(name) > 200:
        return "has a name of other characters than letters, digits and _.+-, or a part that begins with a dot"
    twins = [other for other in files if other != name and other.casefold() == name.casefold()]
    if twins:
        return f"has the name of '{short(twins[0])}' in other case"
    base = name.rpartition("/")[2]
    if base in _STEERING:
        return f"{_STEERING[base]}"
    suffix = Path(base).suffix.lower()
    if suffix in _CODE:
        return f"is of a kind that is not taken: {_CODE[suffix]}"
    if suffix not in KINDS:
        return f"is of a kind that no loader reads; expected {', '.join(KINDS)}"
    return None


def _trick(name: str, files: Mapping) -> str:
    """What an unlisted file may be there for."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    if not name.isascii() or any(plain == other.casefold() for other in files):
        return f", and its name looks like another's: {ascii(name)[:80]}"
    suffix = Path(name).suffix.lower()
    return f", and {_CODE[suffix]}" if suffix in _CODE else ""


def _file(folder: Path, name: str, pinned: Mapping, sizes: Mapping[str, int]) -> Finding:
    """What is found of a listed file that is a regular one."""
    path, kind = folder / name, KINDS[Path(name).suffix.lower()]
    if sizes[name] != pinned["size_bytes"]:
        problem = f"has {sizes[name]:,} bytes; the entry pins {pinned['size_bytes']:,}"
        return Finding(name, kind, sizes[name], None, "refused", problem)
    notes: list[str] = []
    try:
        sha256 = _hash(path)
        if sha256 != pinned["sha256"]:
            problem = f"has sha256 {sha256}; the entry pins {pinned['sha256']}"
            return Finding(name, kind, sizes[name], sha256, "refused", problem)
        with bounded_memory(path, MEMORY_BYTES + sizes[name]):
            if code := content.forbidden(path):
                problems = [f"is {code}"]
            else:
                problems, notes = _of_kind(path, name, kind, sizes)
    except InputError as error:  # of what takes too much memory; the path stands before its message
        return _refused(name, str(error).removeprefix(f"{path}: "), sizes[name])
    except OSError as error:
        return _refused(name, f"can't be read: {error.strerror}", sizes[name])
    verdict = "refused" if problems else "accepted"
    return Finding(name, kind, sizes[name], sha256, verdict, "; ".join(problems) or None, "; ".join(notes) or None)


def _of_kind(path: Path, name: str, kind: str, sizes: Mapping[str, int]) -> tuple[list[str], list[str]]:
    if kind == "graph":
        here = name.rpartition("/")[0]
        beside = {other: n for other, n in sizes.items() if KINDS[Path(other).suffix.lower()] == "values"}
        # A graph names the files of its values from its own folder on.
        inside = {other.removeprefix(f"{here}/") if here else other: n for other, n in beside.items()}
        return onnx_file.problems(path, inside)
    if kind == "tensors":
        return tensors.problems(path), []
    if kind == "settings":
        return settings.problems(path, sizes), []
    return (_text(path) if kind == "text" else []), []


def _text(path: Path) -> list[str]:
    if path.stat().st_size > _MOST_TEXT:
        return [f"has more than {_MOST_TEXT:,} bytes, too many for a list of words"]
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        return [f"is no text in UTF-8: byte {error.start:,} is none"]
    return ["is no text: it has a NUL character"] if "\0" in text else []


def _hash(path: Path) -> str:
    """The SHA-256 of a file, which is not opened where it has become a link, nor waited for where it is a pipe."""
    number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(number, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _refused(name: str, problem: str, size_bytes: int | None = None) -> Finding:
    kind = KINDS.get(Path(name).suffix.lower())
    return Finding(printable(name), kind, size_bytes, None, "refused", problem)
