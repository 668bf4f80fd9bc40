"""Parent–child pairs, the unit that is independent: named by recordings, kept together in folds.

Source: evaluation plan, "Data division".
"""

import logging
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from sinobench.errors import InputError
from sinobench.shuffling import sort_key

_PAIR = re.compile(r"(?<![A-Za-z0-9])P\d{5}(?!\d)")
_SHOWN = 5  # names in a message
_log = logging.getLogger(__name__)


@lru_cache(maxsize=1024)  # a recording has many segments
def pair_of(recording: str) -> str | None:
    """The parent–child pair in a recording's name, as ``P10040`` in ``TTS_P10040TT_…``; None where it has none."""
    found = _PAIR.search(recording)
    return found[0] if found else None


def pair_folds(recordings: Sequence[str], n_folds: int, seed: int = 0) -> list[dict]:
    """A row a recording, by name, with its ``pair`` (null where the name has none) and its ``fold`` from 0.

    All recordings of a pair are in one fold; a recording without a pair is a group of its own, which a warning counts.
    Folds differ by at most the recordings of the largest group. Raises InputError for a recording that stands twice
    and for fewer than 2 folds or more folds than groups.
    """
    doubled = [name for name, count in Counter(recordings).items() if count > 1]
    if doubled:
        raise InputError(f"recordings that stand twice: {_few(doubled)}; name each once")
    groups: dict[str, list[str]] = {}
    for recording in sorted(recordings):
        groups.setdefault(pair_of(recording) or recording, []).append(recording)
    if not 2 <= n_folds <= len(groups):
        raise InputError(f"{n_folds} folds of {len(groups)} parent–child pairs; expected from 2 to the number of pairs")
    lone = [recording for recording in recordings if pair_of(recording) is None]
    if lone:
        _log.warning("%d recordings have no parent–child pair in their name: each is its own group", len(lone))
    sizes = [0] * n_folds
    rows = []
    for group in sorted(groups, key=lambda name: (-len(groups[name]), sort_key(seed, name))):
        fold = sizes.index(min(sizes))
        sizes[fold] += len(groups[group])
        rows += [{"recording": name, "pair": pair_of(name), "fold": fold} for name in groups[group]]
    return sorted(rows, key=lambda row: row["recording"])


def check_disjoint_pairs(dev: Iterable[str], evaluation: Iterable[str]) -> None:
    """Raises InputError, naming them, where recordings of both sets have one parent–child pair or one name."""
    dev, evaluation = set(dev), set(evaluation)
    pairs = {pair_of(name) for name in dev} & {pair_of(name) for name in evaluation} - {None}
    same = sorted(pairs) + sorted(name for name in dev & evaluation if pair_of(name) is None)
    if same:
        raise InputError(
            f"development and evaluation set share {len(same)} parent–child pairs or recordings: {_few(same)}; "
            "the challenge keeps each in one set, so remove them from one"
        )


def _few(names: Sequence[str]) -> str:
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more
