"""Which model made predictions: its code, settings, packages, files and what it was fitted to, by their content.

No path, time or host is in it: the same model is the same wherever and whenever it runs.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from sinobench import __version__, digest
from sinobench.hashes import of_file, of_rows

PARTS = ("settings", "packages", "code", "files", "fitted")  # of the hash


def identity(entries: Sequence[Mapping], files: Sequence[str], fitted: Sequence[str | None]) -> dict[str, str | None]:
    """Columns of ``identities``.

    entries: of the catalog, the model's and that of the identification model that it uses, if any. files: those that
    its predictions are read from or that its entry names; fitted: files and folders of what it was fitted to.
    """
    held = {str(path): of_file(path) for path in files if Path(path).is_file()}
    folders = [path for path in files if Path(path).is_dir()]
    folders += [entry["options"]["folder"] for entry in entries if entry["kind"] == "hub"]
    fits = [of_file(path) for path in fitted if path]
    targets = [entry["class"] for entry in entries if entry.get("class")]
    parts = {
        "settings": of_rows([json.dumps(_settings(entry, held), sort_keys=True)] for entry in entries),
        "packages": ", ".join(f"{name} {version}" for entry in entries for name, version in entry["packages"].items()),
        "code": of_rows([file.name, of_file(file)] for file in _code(targets)) if targets else None,
        "files": of_rows([_within(path, folders), content] for path, content in held.items()) if held else None,
        "fitted": of_rows([content] for content in fits) if fits else None,
    }
    return parts | {"version": _version(targets[0]) if targets else None, "sha256": digest_of(parts)}


def attested(task: str, snakemake: Any) -> Iterator[None]:
    """Take the identity of a job's model before it runs, and write the table ``identities`` when it has.

    For ``failures.job``, outside of the process in which the model runs: none says itself which one it is.
    """
    params, given, wildcards = snakemake.params, snakemake.input, snakemake.wildcards
    entries = [entry for entry in (params.entry, params.get("lid_entry")) if entry]
    fitted = [given.get(name) or None for name in ("fitted", "lid")]
    key = {"task": task, "corpus": wildcards.corpus, "model": wildcards.model}
    row = key | identity(entries, list(given.get("files", [])), fitted)
    yield
    from sinobench.results import tables

    tables.write(tables.IDENTITIES, [row], snakemake.output.identities)


def digest_of(parts: Mapping[str, str | None]) -> str:
    """The hash of a model, from columns of ``identities``."""
    return of_rows([name, parts[name]] for name in PARTS)


def _code(targets: Sequence[str]) -> set[Path]:
    """The files of classes and of what they import, less what this package says of itself: that is its version."""
    return digest.files(None, *targets) - {digest.PACKAGE / "__init__.py"}


def _settings(entry: Mapping, held: Mapping[str, str]) -> dict:
    """What an entry sets, with what its files hold instead of where they are."""
    place, _, name = (entry.get("class") or "").rpartition(":")
    options = dict(entry.get("options", {}))
    if of_hub := {key: entry[key] for key in ("hub", "revision") if key in entry}:
        del options["folder"]
    return {
        "kind": entry["kind"],
        "class": f"{Path(place).name}:{name}" if place.endswith(".py") else entry.get("class"),
        "options": _by_content(options, held),
        **of_hub,
    }


def _within(path: str, folders: Sequence[str]) -> str:
    """Where a file stands in the folder that holds it: its name there says what it is of. Elsewhere it says nothing."""
    inside = (folder for folder in folders if Path(path).is_relative_to(folder))
    return next((Path(path).relative_to(folder).as_posix() for folder in inside), "")


def _by_content(value: object, held: Mapping[str, str]) -> object:
    if isinstance(value, Mapping):
        return {name: _by_content(item, held) for name, item in value.items()}
    if isinstance(value, list):
        return [_by_content(item, held) for item in value]
    return held.get(value, value) if isinstance(value, str) else value


def _version(target: str) -> str | None:
    """The version of the package that a model's class is of; None for one in a file."""
    module = target.rpartition(":")[0]
    top = module.partition(".")[0]
    if top == "sinobench":
        return __version__
    named = [] if module.endswith(".py") else metadata.packages_distributions().get(top, [])
    return metadata.version(named[0]) if named else None
