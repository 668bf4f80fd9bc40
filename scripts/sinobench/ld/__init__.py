"""Language diarization of MERLIon CCS. ``score``, imported at its first use, scores from Python."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sinobench.ld.scoring import score as score


def __getattr__(name: str) -> object:
    if name == "score":
        return import_module("sinobench.ld.scoring").score
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
