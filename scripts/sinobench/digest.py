"""Which code made a result.

A rule that names the digest of its script runs again when code that the script uses was edited: the script, whatever of
this package it imports, directly or not, and the class of the model at hand. What changes no behaviour, comments,
docstrings, formatting and a file's time, changes no digest. Imported while Snakemake parses: nothing heavy here.
"""

import ast
import hashlib
import re
import subprocess
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from sinobench.known import Known

PACKAGE = Path(__file__).parent
SCRIPTS = PACKAGE.parent

_DATA = re.compile(r"\w+(\.sql|\.yaml|/)")
_FILES = Known("code", sys.version)  # by which a syntax tree is written
_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)


@cache
def code(script: str | None, *classes: str) -> str:
    """A digest of what ``files`` names."""
    digest = hashlib.sha256()
    for name, content in sorted((_name(file), _parsed(file)[0]) for file in files(script, *classes)):
        digest.update(f"{name}\0{content}\0".encode())
    return digest.hexdigest()[:16]


def files(script: str | None, *classes: str) -> set[Path]:
    """The script of this name, if any, the classes of models (``module:Class`` or ``path/to/file.py:Class``), and all
    that they import of this package or, where a class stands in a file, of its folder or the working directory."""
    imported = _closure([SCRIPTS / f"{script}.py"], SCRIPTS) if script else set()
    for target in classes:
        module = target.rpartition(":")[0]
        if not module.endswith(".py"):
            imported |= _closure(_modules(module, SCRIPTS), SCRIPTS)
        elif Path(module).is_file():
            imported |= _closure([Path(module)], Path(module).parent, Path(), SCRIPTS)
    return imported


def keep() -> None:
    """Keep what was read of the files for the next run."""
    _FILES.keep()


def revision() -> str:
    """The commit of the checkout that the package runs from, ``-dirty`` after uncommitted edits; else "unknown"."""
    command = ["git", "-C", str(PACKAGE), "describe", "--always", "--dirty", "--abbrev=40", "--match="]
    described = subprocess.run(command, capture_output=True, text=True, check=False)
    return described.stdout.strip() or "unknown"


@cache
def _name(file: Path) -> str:
    return file.relative_to(SCRIPTS).as_posix() if file.is_relative_to(SCRIPTS) else file.name


def _closure(start: Iterable[Path], *folders: Path) -> set[Path]:
    """The files, and all that they import of the folders."""
    reached: set[Path] = set()
    waiting = list(start)
    while waiting:
        file = waiting.pop()
        if file not in reached:
            reached.add(file)
            for folder in folders:
                waiting.extend(_imported(file, folder))
    return reached


@cache
def _imported(file: Path, folder: Path) -> tuple[Path, ...]:
    """The files of a folder that a file imports, or reads as data: what stands beside it (``views.sql``, ``queries/``),
    and beside each module that it imports what has the name of a table's words (``comments.yaml``)."""
    modules: list[Path] = []
    for level, name in _parsed(file)[1]:
        # Relative imports count from the file's own package.
        modules.extend(_modules(name, file.parents[level - 1] if level else folder))
    found = list(modules)
    for name in _parsed(file)[2]:
        beside = file.parent / name
        found.extend(sorted(beside.iterdir()) if beside.is_dir() else [beside])
        if beside.suffix == ".yaml":
            found.extend(module.with_name(name) for module in modules)
    return tuple(each for each in found if each.is_file())


@cache
def _modules(name: str, folder: Path) -> tuple[Path, ...]:
    """The files that importing ``a.b.c`` from a folder executes: a/__init__.py, a/b/__init__.py, a/b/c.py."""
    if not name:
        return ()
    package, _, _ = name.rpartition(".")
    place = folder.joinpath(*name.split("."))
    files = (place / "__init__.py", place.with_name(f"{place.name}.py"))
    return (*_modules(package, folder), *(file for file in files if file.is_file()))


@cache
def _parsed(file: Path) -> tuple[str, list[tuple[int, str]], list[str]]:
    """What a file says to Python: a digest of its syntax tree without docstrings, comments and places; then the names
    that it may import, with their level, and the names of data beside it."""

    def find() -> tuple[str, list[tuple[int, str]], list[str]]:
        content, imports, data = _read(file)
        return hashlib.sha256(content.encode()).hexdigest(), imports, data

    return _FILES.of(file, find)


def _read(file: Path) -> tuple[str, list[tuple[int, str]], list[str]]:
    """The same with the tree itself."""
    if file.suffix != ".py":
        return file.read_text(encoding="utf-8"), [], []
    content = file.read_bytes()
    try:
        tree = ast.parse(content, file)
    except (SyntaxError, ValueError):  # in a model's file, of which its job says so
        return repr(content), [], []
    imports, data = [], []
    annotations: set[ast.AST] = set()  # what only a type checker reads
    for node in ast.walk(tree):
        if node in annotations:
            continue
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            annotations.update(inner for statement in node.body for inner in ast.walk(statement))
        elif isinstance(node, ast.Import):
            imports += [(0, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = f"{node.module}." if node.module else ""
            imports += [(node.level, f"{module}{alias.name}") for alias in node.names]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and _DATA.fullmatch(node.value):
            data.append(node.value)
        elif isinstance(node, _WITH_DOCSTRING) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
    return ast.dump(tree), imports, data
