"""What Snakemake does to plan that this workflow does not need. Imported while Snakemake parses: nothing heavy here."""

import sys
from typing import Any


def spare_pandas() -> None:
    """Let Snakemake look for params of pandas only where pandas is loaded: by itself it loads it to look."""
    from snakemake.persistence import PersistenceBase

    usual = getattr(PersistenceBase, "_serialize_param_pandas", None)
    if usual is None:
        return

    def serialized(self: PersistenceBase, value: Any) -> Any:
        return usual(self, value) if "pandas" in sys.modules else self._serialize_param_builtin(value)

    PersistenceBase._serialize_param_pandas = serialized
