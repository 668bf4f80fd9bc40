"""Whether a table, or an array of features, is still the one that its job wrote.

A job seals them when it has ended: a hidden file beside each holds its SHA-256, and the place of what the job
made. What is written there later, by a model with a job of its own for one, breaks the seal; so does damage, and of the
footer too, which the checksums of Parquet's pages leave out.
"""

import os
from itertools import chain
from pathlib import Path

from sinobench.errors import InputError
from sinobench.hashes import of_file


def seal(path: str | Path) -> None:
    """Write down what a table holds now; of a folder, what each of the tables and arrays in it does."""
    path = Path(path)
    for table in [path] if path.is_file() else chain(path.rglob("*.parquet"), path.rglob("*.npy")):
        made = os.path.relpath(path, table.parent)
        _seal_of(table).write_text(f"{of_file(table)}  {made}\n", encoding="utf-8")


def check(path: str | Path) -> None:
    """Raise InputError where a file is another than was sealed; one without a seal passes."""
    try:
        sealed, _, made = _seal_of(path).read_text(encoding="utf-8").strip().partition("  ")
    except FileNotFoundError:
        return
    if of_file(path) != sealed:
        folder = Path(path).parent / (made or Path(path).name)
        it = "it" if folder == Path(path) else f"the folder {folder}"
        raise InputError(f"is not what its job wrote, but was overwritten or damaged; delete {it} and run again", path)


def forget(path: str | Path) -> None:
    """Remove the seal of a file that is removed."""
    _seal_of(path).unlink(missing_ok=True)


def _seal_of(path: str | Path) -> Path:
    return Path(path).with_name(f".{Path(path).name}.sha256")
