"""Which code made a result.

A rule that names a digest of the package's parts runs again when the code it uses was edited.
"""

import hashlib
import subprocess
from pathlib import Path

PACKAGE = Path(__file__).parent

# What nearly every job uses.
SHARED = ("errors.py", "text.py", "log.py", "results/tables.py")


def code(*parts: str) -> str:
    """SHA-256 over the named files of the package, folders taken whole, and what is shared by all jobs."""
    digest = hashlib.sha256()
    for part in sorted({*parts, *SHARED}):
        path = PACKAGE / part
        files = sorted(f for f in path.rglob("*") if f.suffix in (".py", ".sql")) if path.is_dir() else [path]
        for file in files:
            digest.update(file.relative_to(PACKAGE).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def revision() -> str:
    """The commit of the checkout that the package runs from, ``-dirty`` after uncommitted edits; else "unknown"."""
    command = ["git", "-C", str(PACKAGE), "describe", "--always", "--dirty", "--abbrev=40", "--match="]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.strip() or "unknown"
