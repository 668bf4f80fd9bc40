"""How a database was made: the row of ``run_info``. It holds what differs between runs of equal results."""

import os
import platform
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import metadata

import yaml

from sinobench import __version__, digest


def row(configs: Sequence[str], config: Mapping) -> dict[str, object]:
    """The row; configs: the files of the config, config: what they and the defaults come to."""
    told = (found.metadata for found in metadata.distributions())  # read anew by each access
    # What pip left half removed has no name.
    installed = {each["Name"]: each["Version"] for each in told if each["Name"]}
    return {
        "version": __version__,
        "commit": digest.revision(),
        "configs": list(configs),
        "config": yaml.safe_dump(config, allow_unicode=True, sort_keys=False, width=100),
        "built_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
        "n_cores": os.cpu_count(),
        "memory_mb": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 10**6),
        "packages": [
            f"{name} {version}" for name, version in sorted(installed.items(), key=lambda each: each[0].lower())
        ],
    }
