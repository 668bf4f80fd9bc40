"""Language identification of MERLIon CCS. ``score``, imported at its first use, scores from Python."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sinobench.lid.scoring import score as score


def __getattr__(name: str) -> object:
    if name == "score":
        return import_module("sinobench.lid.scoring").score
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
