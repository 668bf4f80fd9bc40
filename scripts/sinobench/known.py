"""What was found out about files, kept in Snakemake's folder until the file system says that a file changed.

Imported while Snakemake parses: nothing heavy here.
"""

import contextlib
import json
import os
from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any


class Known:
    """Values by file that JSON can hold, in ``.snakemake/<name>.json``; of a working directory without that folder they
    are found anew by each process.

    version: what they depend on beside the file.
    """

    def __init__(self, name: str, version: str = "") -> None:
        self._path, self._version = Path(".snakemake", f"{name}.json"), version
        self._has_new = False

    def of(self, file: str | Path, find: Callable[[], Any]) -> Any:
        """What is known of the file, else what ``find`` finds. Raises OSError where there is none."""
        found = os.stat(file)
        # The time of the last change of any kind can't be set back, as `cp -p` sets that of the content.
        state = [self._version, found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino]
        name = os.path.abspath(file)
        if name not in self._values or self._values[name][0] != state:
            self._values[name] = [state, find()]
            self._has_new = True
        return self._values[name][1]

    def keep(self) -> None:
        """Write down what was found since the last time; where that can't be, it is found anew."""
        if self._has_new and self._path.parent.is_dir():
            unfinished = self._path.with_name(f".{self._path.name}.{os.getpid()}")
            try:
                unfinished.write_text(json.dumps(self._values), encoding="utf-8")
                unfinished.replace(self._path)
            except OSError:  # as on a full disk
                with contextlib.suppress(OSError):
                    unfinished.unlink()
        self._has_new = False

    @cached_property
    def _values(self) -> dict[str, list]:
        try:
            return json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):  # ValueError: not what was written here
            return {}
