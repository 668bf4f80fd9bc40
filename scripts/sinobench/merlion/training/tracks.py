"""The challenge's two tracks: what a model may have been trained on. Source: evaluation plan, "Training data"."""

import logging
import math
from collections.abc import Mapping, Sequence

from sinobench.errors import InputError, nearest

TRACKS = ("closed", "open")
MAX_ADDITIONAL_HOURS = 100.0
# Hours of the preselected part of each corpus that both tracks may use; None: the whole corpus.
LISTED_HOURS = {"librispeech": 100.0, "aishell": 200.0, "nsc": 100.0, "seame": None}
SYNTHETIC = "synthetic"
# Whole speakers pass the target a little (train-clean-100 has 100.6 h).
_SLACK_HOURS = 2.0
_PRETRAINED_KEYS = ("name", "version", "url", "public")
_log = logging.getLogger(__name__)


def counted_as(corpus: str, origin: str) -> str:
    """The name under which `check_track` counts a corpus: what its catalog entry says that it is, else its own id."""
    return origin if origin in (*LISTED_HOURS, SYNTHETIC) else corpus


def check_track(track: str, training: Sequence[tuple[str, float]], pretrained: Sequence[Mapping[str, object]]) -> float:
    """Hours of training data beyond the four listed corpora, which the closed track has none of.

    training: (corpus as `counted_as`, hours); what a listed corpus has beyond its preselected part is additional too.
    Synthetic speech is additional, but alone it passes, with a warning, so that the way can be tried. pretrained: name,
    version, url and public of each model. Raises InputError with the sum in hours and the limit for data that the track
    does not allow; for any pretrained model in the closed track, for one that is not public or not fully documented in
    the open track; for hours that are no number from 0, and for an unknown track.
    """
    if track not in TRACKS:
        raise InputError(f"track '{track}' is not known; {nearest(track, TRACKS)}")
    additional = _additional(training)
    if track == "closed" and additional.keys() == {SYNTHETIC} == {corpus for corpus, _ in training}:
        _log.warning("fitted on synthetic speech only: no system of the closed track")
        additional = {}
    total = sum(additional.values())
    parts = ", ".join(f"{corpus} {hours:.2f} h" for corpus, hours in additional.items())
    if track == "closed":
        if pretrained:
            names = ", ".join(str(model.get("name")) for model in pretrained)
            raise InputError(f"closed track: pretrained models are not allowed, found {names}; use the open track")
        if additional:
            raise InputError(
                f"closed track: {total:.2f} h of training data beyond the listed partitions ({parts}), "
                f"the limit is 0 h; allowed are {_listed()}; `origin:` of a corpus says that it is one of them"
            )
    for model in pretrained:
        _check_pretrained(model)
    if total > MAX_ADDITIONAL_HOURS:
        raise InputError(
            f"open track: {total:.2f} h of training data beyond the listed partitions ({parts}), "
            f"the limit is {MAX_ADDITIONAL_HOURS:g} h; allowed besides are {_listed()}"
        )
    _log.info("%s track: %.2f h beyond the listed partitions, %d pretrained models", track, total, len(pretrained))
    return total


def _additional(training: Sequence[tuple[str, float]]) -> dict[str, float]:
    """Hours beyond the list by corpus."""
    sums: dict[str, float] = {}
    for corpus, hours in training:
        if not 0 <= hours < math.inf:
            raise InputError(f"training corpus '{corpus}' with {hours} hours; expected a number from 0")
        sums[corpus] = sums.get(corpus, 0.0) + hours
    additional = {}
    for corpus, hours in sums.items():
        if corpus not in LISTED_HOURS:
            additional[corpus] = hours
        elif (listed := LISTED_HOURS[corpus]) is not None and hours > listed + _SLACK_HOURS:
            additional[corpus] = hours - listed
    return additional


def _check_pretrained(model: Mapping[str, object]) -> None:
    name = model.get("name", "without a name")
    for key in model:
        if key not in _PRETRAINED_KEYS:
            raise InputError(f"pretrained model {name}: unknown key '{key}'; {nearest(str(key), _PRETRAINED_KEYS)}")
    for key in _PRETRAINED_KEYS[:3]:
        if not str(model.get(key) or "").strip():
            raise InputError(f"pretrained model {name}: {key} is missing, which the open track asks for")
    if model.get("public") is not True:
        raise InputError(f"open track: pretrained model {name} is not public; only publicly available ones are allowed")


def _listed() -> str:
    return ", ".join(f"{c} ({'all' if h is None else f'{h:g} h'})" for c, h in LISTED_HOURS.items())
