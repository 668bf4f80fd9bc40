"""A corpus of the catalog in place of one of a run: its gold is read of its files, as a run reads it."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path

from sinobench.entries import read_entries
from sinobench.errors import InputError
from sinobench.objects import place
from sinobench.pins import is_as_pinned, pin_of
from sinobench.schema import check, load_yaml

RETRIEVED = "results/shared/retrieved"
# Of the others a run prepares what is scored: recordings, redacted and recoded.
READ_HERE = ("g2p", "csc")
_CONFIG = Path("config")


def catalogued(task: str) -> dict[str, dict]:
    """The entries of the working directory's catalog that can be read here, by id; none where there is no catalog."""
    path = _CONFIG / "corpora.yaml"
    if task not in READ_HERE or not path.exists():
        return {}
    found = read_entries([str(path)], _CONFIG / "schema/corpora.schema.yaml")
    return {name: entry for name, entry in found.items() if entry["task"] == task}


@contextlib.contextmanager
def as_database(name: str, entry: Mapping) -> Iterator[Path]:
    """A database with the items of a corpus and no models, while the block runs.

    Raises InputError for a file that is not there or not as it is pinned, with the command that retrieves it.
    """
    from sinobench.results.database import build

    task = entry["task"]
    files = {part: _found(name, file) for part, file in entry["files"].items()}
    if task == "csc":
        items = import_module("sinobench.csc.readers").read_corpus(name, entry, files).items
    else:
        items = import_module("sinobench.g2p.corpus").read_corpus(entry, files).items
    rows = {f"{task}_items": [{"corpus": name, **item} for item in items], "corpora": [{"task": task, "corpus": name}]}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "sinobench.duckdb")
        build({}, rows, path)
        yield path


def _found(name: str, file: str | Mapping) -> str:
    """The path of a corpus's file."""
    if isinstance(file, str):
        file = place(file, RETRIEVED)
        if not Path(file).exists():
            raise InputError(f"no database of a run has '{name}', and its file is not there; lay it here", file)
        return file
    path = f"{RETRIEVED}/{file['source']}/{file['file']}"
    sources = _CONFIG / "sources.yaml"
    pin = pin_of(
        file["source"], file["file"], check(load_yaml(sources), _CONFIG / "schema/sources.schema.yaml", sources)
    )
    if not is_as_pinned(Path(path), pin.sha256, pin.size_bytes):
        found = "is not as it is pinned" if Path(path).exists() else "is not there"
        raise InputError(
            f"no database of a run has '{name}', and its file {found}; `snakemake --cores 1 {path}` retrieves it", path
        )
    return path
