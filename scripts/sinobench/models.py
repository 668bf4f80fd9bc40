"""Run a model of the catalog: load its class, predict, and measure both apart from the start of the job."""

import ast
import importlib
import importlib.util
import inspect
import resource
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

from sinobench.errors import InputError, short
from sinobench.hub.opening import prepare

_MAXRSS_BYTES = 1 if sys.platform == "darwin" else 1024
_MODEL_FOLDERS: set[Path] = set()  # of the model files that this process has loaded


class Running:
    """A model that was made, and is given texts some at a time; how long it took to load and to predict, seconds.

    make: returns the model, whose ``predict`` (or, without one, whose call) takes a list of texts and returns a list of
    as many outputs, in their order. check(text, output): what is wrong with an output, or None. Raises InputError
    where the model raises.
    """

    def __init__(self, model: str, make: Callable[[], Any], check: Callable[[str, Any], str | None]) -> None:
        started = time.perf_counter()
        self._model, self._check = model, check
        self._instance = guarded(model, "being loaded", make)
        self.load_s, self.predict_s, self.n_texts = time.perf_counter() - started, 0.0, 0
        self._outputs: dict[str, Any] = {}

    def outputs(self, texts: Iterable[str]) -> dict[str, Any]:
        """The output for each distinct text, all of which the model gets at once but those of the call before.

        Raises InputError, naming the model and the text, where the model raises, returns too few or too many outputs,
        or an output that fails the check.
        """
        texts = dict.fromkeys(texts)
        known = {text: output for text, output in self._outputs.items() if text in texts}
        new = [text for text in texts if text not in known]
        self._outputs = known | (self._predict(new) if new else {})
        return self._outputs

    def _predict(self, texts: list[str]) -> dict[str, Any]:
        started = time.perf_counter()
        outputs = predicted(self._model, getattr(self._instance, "predict", self._instance), texts)
        self.predict_s += time.perf_counter() - started
        self.n_texts += len(texts)
        return _checked(self._model, texts, outputs, self._check)

    def row(self, task: str, corpus: str, threads: int, packages: Iterable[str]) -> dict:
        """The row of table ``runs``."""
        times = {"load_s": self.load_s, "predict_s": self.predict_s, "n_items": self.n_texts}
        return run_row(task, corpus, self._model, **times, threads=threads, packages=packages)


def _checked(model: str, texts: Sequence[str], outputs: Any, check: Callable[[str, Any], str | None]) -> dict[str, Any]:
    """The output for each text, each of which passes the check."""
    if not isinstance(outputs, (list, tuple)):
        raise InputError(f"model '{model}' returned {type(outputs).__name__}; expected a list of {len(texts)} outputs")
    if len(outputs) != len(texts):
        raise InputError(f"model '{model}' returned {len(outputs)} outputs for {len(texts)} texts; expected one a text")
    for text, output in zip(texts, outputs, strict=True):
        if problem := check(text, output):
            raise InputError(f"model '{model}', text '{short(text)}': {problem}")
    return dict(zip(texts, outputs, strict=True))


def run_row(
    task: str,
    corpus: str,
    model: str,
    *,
    load_s: float,
    predict_s: float,
    n_items: int,
    threads: int,
    packages: Iterable[str],
    audio_s: float | None = None,
) -> dict:
    """The row of table ``runs`` for a model, whose caller measured it; called after it has predicted.

    n_items: texts, segments or recordings; audio_s: of speech, their audio.
    """
    return {
        "task": task,
        "corpus": corpus,
        "model": model,
        "load_s": load_s,
        "predict_s": predict_s,
        "n_texts": n_items,
        "items_per_s": n_items / predict_s if predict_s else None,
        "audio_s": audio_s,
        "times_real_time": audio_s / predict_s if audio_s is not None and predict_s else None,
        "peak_memory_mb": _peak_memory_mb(),
        "threads": threads,
        "host": _host(),
        "versions": versions(packages),
        "status": "done",
    }


def fit_row(task: str, model: str, fit_s: float) -> dict:
    """The row of table ``fits`` for a model, whose caller measured it; called after it was fitted."""
    return {
        "task": task,
        "model": model,
        "fit_s": fit_s,
        "peak_memory_mb": _peak_memory_mb(),
        "host": _host(),
    }


def predicted(model: str, predict: Callable[[list], Any], inputs: Sequence) -> Any:
    """What a model returns for inputs, of which it gets a list of its own.

    Raises InputError where the model raises, and where it puts that list into another order: whether its outputs follow
    the old order or the new one can't be told.
    """
    own = list(inputs)
    outputs = guarded(model, "predicting", lambda: predict(own))
    before, after = [id(item) for item in inputs], [id(item) for item in own]
    if before != after and sorted(before) == sorted(after):
        raise InputError(
            f"model '{model}' reordered the list that it was given, so its outputs may stand on other texts; sort a "
            "copy, and return the outputs in the order of the list"
        )
    return outputs


def load_class(target: str, supplied: Mapping[str, ModuleType] | None = None) -> type:
    """The class of ``module:Class`` or ``path/to/file.py:Class``.

    supplied: modules that only such a file can import, by their name. Raises InputError where there is no such module,
    file or class.
    """
    module_name, _, name = target.rpartition(":")
    if module_name.endswith(".py"):
        module = _load_file(Path(module_name), supplied or {})
    else:
        try:
            module = guarded(
                target, "being imported", lambda: importlib.import_module(module_name), ModuleNotFoundError
            )
        except ModuleNotFoundError as error:
            raise InputError(f"class '{target}': {error}; install its package, or correct the model catalog") from None
    if not isinstance(getattr(module, name, None), type):
        raise InputError(f"class '{target}': {module_name} has no class '{name}'")
    return getattr(module, name)


def make(cls: type, entry: Mapping) -> Any:
    """An instance of the class of a catalog entry; of kind hub, once its files are what they are pinned to."""
    if entry.get("kind") == "hub":
        prepare(entry)
    return cls(**entry["options"])


def told_of(target: str) -> tuple[str, str | None]:
    """The docstring of a class, "" without one, and its attribute ``takes``; no code is run but this package's."""
    place, _, name = target.rpartition(":")
    if place.partition(".")[0] == "sinobench" and not place.endswith(".py"):
        cls = load_class(target)
        return inspect.getdoc(cls) or "", getattr(cls, "takes", None)
    path = Path(place) if place.endswith(".py") else _source_of(place)
    tree = ast.parse(path.read_bytes()) if path else ast.Module([])
    for found in ast.walk(tree):
        if isinstance(found, ast.ClassDef) and found.name == name:
            takes = [
                node.value.value
                for node in found.body
                if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant)
                if "takes" in {getattr(each, "id", None) for each in getattr(node, "targets", None) or [node.target]}
            ]
            return ast.get_docstring(found) or "", next(iter(takes), None)
    return "", None


def _source_of(module: str) -> Path | None:
    """The file of a module; None where that can't be known without importing anything of its package."""
    top, *inner = module.split(".")
    found = importlib.util.find_spec(top)
    if found is None or not found.origin:
        return None
    place = Path(found.origin).parent.joinpath(*inner)
    files = (place.with_suffix(".py"), place / "__init__.py") if inner else (Path(found.origin),)
    return next((file for file in files if file.is_file()), None)


def versions(packages: Iterable[str]) -> str:
    """``python 3.11.7, package 1.2.3, …`` of this environment; InputError for a package that is not installed."""
    lines = [f"python {sys.version.split()[0]}"]
    for package in packages:
        try:
            lines.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            raise InputError(f"package '{package}' is not installed; correct `packages` in the model catalog") from None
    return ", ".join(lines)


def guarded(model: str, phase: str, action: Callable[[], Any], *passed: type[Exception]) -> Any:
    """The action's result; what a model raises, less ``passed``, becomes one InputError, its traceback in the log."""
    try:
        return action()
    except (InputError, *passed):
        raise
    except Exception as error:
        traceback.print_exc()
        raise InputError(f"model '{model}' failed while {phase}: {type(error).__name__}: {error}") from error


def _load_file(path: Path, supplied: Mapping[str, ModuleType]) -> ModuleType:
    if not path.is_file():
        raise InputError("no such file; `class` in the model catalog is relative to the working directory", path)
    _let_import_neighbours(path)
    spec = importlib.util.spec_from_file_location(f"sinobench_model_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses and pickle look a class's module up
    hidden = {name: sys.modules.get(name) for name in supplied}
    sys.modules.update(supplied)
    try:
        guarded(str(path), "being imported", lambda: spec.loader.exec_module(module))
    finally:
        for name, former in hidden.items():
            if former is None:
                del sys.modules[name]
            else:
                sys.modules[name] = former
    return module


def _let_import_neighbours(path: Path) -> None:
    """Put a model file's folder and the working directory on the search path for good: it may import as it predicts.

    Raises InputError where a neighbour has the name of one that another model's file has imported.
    """
    folder = path.parent.resolve()
    for name, module in sys.modules.items():
        origin = Path(getattr(module, "__file__", None) or "")
        twin = next((f for f in (folder / f"{name}.py", folder / name / "__init__.py") if f.is_file()), None)
        if twin and twin != origin and any(origin.is_relative_to(other) for other in _MODEL_FOLDERS):
            raise InputError(f"'{name}' is already imported from {origin}; rename one of the two", twin)
    _MODEL_FOLDERS.add(folder)
    for place in (str(Path.cwd()), str(folder)):
        if place not in sys.path:
            sys.path.insert(0, place)


def _peak_memory_mb() -> float:
    """Of the whole process so far, 10^6 bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * _MAXRSS_BYTES / 1e6


def _host() -> str:
    import platform

    return f"{platform.system()} {platform.machine()}, {platform.node()}"
