"""Whether a table is still the one that its job wrote.

A job seals its tables when it has ended: a hidden file beside each holds its SHA-256. What is written there later, by a
model with a job of its own for one, breaks the seal.
"""

from pathlib import Path

from sinobench.errors import InputError
from sinobench.hashes import of_file


def seal(path: str | Path) -> None:
    """Write down what the file holds now."""
    _seal_of(path).write_text(f"{of_file(path)}  {Path(path).name}\n", encoding="utf-8")


def check(path: str | Path) -> None:
    """Raise InputError where a file is another than was sealed; one without a seal passes."""
    try:
        sealed = _seal_of(path).read_text(encoding="utf-8").split()[0]
    except FileNotFoundError:
        return
    if of_file(path) != sealed:
        raise InputError("is not what its job wrote, but was overwritten or damaged; delete it and run again", path)


def forget(path: str | Path) -> None:
    """Remove the seal of a file that is removed."""
    _seal_of(path).unlink(missing_ok=True)


def _seal_of(path: str | Path) -> Path:
    return Path(path).with_name(f".{Path(path).name}.sha256")
