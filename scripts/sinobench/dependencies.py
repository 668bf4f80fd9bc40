"""What results depend on beside config, catalogs and code: the files that these name, and installed packages.

Imported while Snakemake parses: nothing heavy here.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

from sinobench.catalog import Catalog
from sinobench.errors import InputError
from sinobench.objects import bucket_and_key, is_object

_NONE = "not installed"  # for the version of a package


def check_paths(catalog: Catalog) -> None:
    """Raise InputError, with the entry, for a path that a config or a selected entry names and that does not exist.

    Of an object it is only known whether one can have that name. Without the check, results that are already there
    would hide it: Snakemake asks for no input of a job that it need not run.
    """
    for where, path in _named_paths(catalog):
        if is_object(path):
            bucket_and_key(path, where)
        # What the workflow makes stands below a folder of its own, such as `<results>`.
        elif not path.startswith("<") and not (path and Path(path).exists()):
            raise InputError(f"{where}: '{path}' does not exist; paths are relative to the working directory")


def data_files(entry: Mapping) -> list[str]:
    """The files of a `python` entry beside its code: each that a value of ``options`` names, and ``inputs``."""
    named = [value for value in _texts(entry.get("options")) if _is_file(value)]
    return list(dict.fromkeys([*named, *(file for path in entry.get("inputs", ()) for file in with_content(path))]))


def with_content(path: str) -> list[str]:
    """The path and, of a folder, all files below it: a change inside a folder does not change the folder's time."""
    return [path, *sorted(str(file) for file in Path(path).rglob("*") if file.is_file())]


def not_installed(entry: Mapping) -> str | None:
    """What is missing of a model with ``install``, and how to get it; None where nothing is."""
    if not entry.get("install"):
        return None
    missing = [package for package, version in installed_versions(entry["packages"]).items() if version == _NONE]
    missing += [path for path in entry["inputs"] if not Path(path).exists()]
    return f"not installed: {', '.join(missing)}; to install: {entry['install']}" if missing else None


def installed_versions(packages: Iterable[str]) -> dict[str, str]:
    """The version of each package in this environment; "not installed" for one that is not."""
    return {package: _version(package) for package in packages}


def _named_paths(catalog: Catalog) -> Iterator[tuple[str, str]]:
    """Each path of the config and of its selected entries, after the place where it stands."""
    for name, corpus in catalog.corpora.items():
        for part, file in corpus["files"].items():
            if isinstance(file, str):
                yield f"{corpus['catalog']}: corpus '{name}', files.{part}", file
    for name, model in catalog.models.items():
        where = f"{model['catalog']}: model '{name}'"
        place = model.get("class", "").rpartition(":")[0]
        if place.endswith(".py"):
            yield f"{where}, class", place
        for path in model.get("inputs", ()):
            yield f"{where}, inputs", path
        for corpus, file in model["files"].items() if model["kind"] == "predictions" else ():
            if corpus in catalog.corpora:
                yield f"{where}, files.{corpus}", file
    for name, partition in catalog.partitions().items():
        for part in partition["parts"]:
            if part["ids"]:
                yield f"config: partition '{name}', ids", part["ids"]


@cache
def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return _NONE


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(item)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long for a name, or with a NUL
        return False
