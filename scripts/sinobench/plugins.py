"""Catalogs that installed packages bring: entry points of the groups ``sinobench.models`` and ``sinobench.corpora``.

An entry point names a YAML file beside the modules of its package, ``package:models.yaml``. Nothing of the package is
imported to read it: its code runs where its models do. Imported while Snakemake parses: nothing heavy here.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

from sinobench.errors import InputError, nearest
from sinobench.objects import is_object

_GROUP = "sinobench."


@dataclass(frozen=True)
class Plugin:
    """One catalog of an installed package: the package's name, and the file."""

    package: str
    file: Path

    def resolved(self, entry: Mapping) -> dict:
        """The entry with its paths inside the package, and the package among those whose version is recorded.

        Raises InputError for a path that leaves the package, and a class in a file.
        """
        own = dict(entry)
        if entry.get("kind") == "python":
            if entry["class"].rpartition(":")[0].endswith(".py"):
                raise refused(self.package, f"class '{entry['class']}' is in a file; expected 'module:Class'")
            own["packages"] = list(dict.fromkeys([self.package, *entry["packages"]]))
            own["inputs"] = [self._inside(path) for path in entry["inputs"]]
        if entry.get("kind") in (None, "predictions"):  # of corpora and of predictions
            own["files"] = {name: self._inside(file) for name, file in entry["files"].items()}
        return own

    def _inside(self, path: str | Mapping) -> str | Mapping:
        if not isinstance(path, str) or is_object(path):
            return path
        folder = self.file.parent.resolve()
        found = (folder / path).resolve()
        if not found.is_relative_to(folder):
            raise refused(self.package, f"'{path}' leads out of {self.file.parent.name}, where {self.file.name} is")
        return str(found)


def installed(kind: str, chosen: Sequence[str] | None) -> list[Plugin]:
    """The catalogs of ``models`` or ``corpora`` that packages bring: of the chosen packages, None for all.

    Raises InputError, with the package, for an entry point that names no such file.
    """
    points = metadata.entry_points(group=_GROUP + kind)
    found = [(_package(point), point) for point in points]
    return [
        Plugin(package, _file(package, point))
        for package, point in sorted(found, key=lambda each: (each[0], each[1].name))
        if chosen is None or package in map(_normal, chosen)
    ]


def check_chosen(chosen: Sequence[str] | None) -> None:
    """InputError for a chosen package that brings no catalog, with the nearest that does."""
    if not chosen:
        return
    known = {_package(point) for kind in ("models", "corpora") for point in metadata.entry_points(group=_GROUP + kind)}
    for name in chosen:
        if _normal(name) not in known:
            raise InputError(f"config: plugins names '{name}', which is no installed plug-in; {nearest(name, known)}")


def refused(package: str, error: InputError | str) -> InputError:
    """What is wrong with the catalog of a package, and what to do."""
    reason = error if isinstance(error, str) else error.shown
    return InputError(
        f"plug-in '{package}': {reason}; mend or uninstall it, or let the config's key plugins name those to use"
    )


def _file(package: str, point: metadata.EntryPoint) -> Path:
    module, _, name = point.value.partition(":")
    if not name.endswith((".yaml", ".yml")):
        raise refused(
            package, f"entry point '{point.name} = {point.value}' of {point.group}; expected 'package:file.yaml'"
        )
    for folder in _folders(module):
        if (folder / name).is_file():
            return folder / name
    raise refused(
        package, f"entry point '{point.name}' of {point.group} names {name} in {module}, which has no such file"
    )


def _folders(module: str) -> Iterator[Path]:
    """Where a package stands, found without importing it or what it stands in."""
    top, *inner = module.split(".")
    try:
        spec = find_spec(top)
    except (ImportError, ValueError):
        spec = None
    for place in (spec and spec.submodule_search_locations) or ():
        yield Path(place, *inner)


def _package(point: metadata.EntryPoint) -> str:
    return _normal(point.dist.name) if point.dist else point.value.partition(":")[0]


def _normal(name: str) -> str:
    return name.lower().replace("_", "-").replace(".", "-")
