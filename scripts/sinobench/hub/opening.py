"""What comes before a hub model is loaded: its files are what they are pinned to, and no library asks the network."""

import os
from collections.abc import Mapping
from pathlib import Path

from sinobench.errors import InputError
from sinobench.pins import is_as_pinned

OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"}


def prepare(entry: Mapping) -> None:
    """Raises InputError, naming the file, where one is not as it is pinned; call before transformers is imported."""
    os.environ.update(OFFLINE)
    for name, facts in entry["files"].items():
        path = Path(entry["options"]["folder"], name)
        if not is_as_pinned(path, facts["sha256"], facts["size_bytes"]):
            raise InputError(
                f"is not what the entry pins ({facts['size_bytes']} bytes, sha256 {facts['sha256']}); remove it and "
                "run again: it is retrieved anew",
                path,
            )
