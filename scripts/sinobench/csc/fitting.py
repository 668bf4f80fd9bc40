"""Fit a spelling-check model on pairs that share nothing with the corpora on which it is scored."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import compress, islice

import numpy as np

from sinobench.csc.digests import digests, places
from sinobench.csc.model import FittedCscModel
from sinobench.errors import InputError
from sinobench.models import guarded, load_class

_PAIRS_AT_ONCE = 2**14


@dataclass(frozen=True)
class TrainingCorpus:
    """A corpus to train on: its (input, gold) pairs, and how many rows of it could not be used."""

    corpus: str
    pairs: Iterable[tuple[str, str]]
    n_set_aside: int


def fit(
    model: str,
    entry: Mapping,
    seed: int,
    training: Iterable[TrainingCorpus],
    scored_golds: np.ndarray,
    fitted: str,
) -> list[dict]:
    """Fit the model of a catalog entry and save it; rows of ``training_sets``. InputError where no pair is left.

    scored_golds: digests, in their order.
    """
    pairs, rows = [], []
    for part in training:
        kept, removed = training_pairs_without_leaks(part.pairs, scored_golds)
        pairs += kept
        counts = {"n_pairs": len(kept), "n_removed_scored": removed, "n_set_aside": part.n_set_aside}
        rows.append({"task": "csc", "model": model, "corpus": part.corpus, **counts})
    if not pairs:
        raise InputError(f"model '{model}' is to be fitted, but no training pair is left; name corpora in csc.training")
    cls = load_class(entry["class"])
    instance: FittedCscModel = guarded(model, "being made", lambda: cls(**entry["options"]))
    guarded(model, "being fitted", lambda: instance.fit(pairs, seed))
    guarded(model, "being saved", lambda: instance.save(fitted))
    print(f"{model}: fitted on {len(pairs)} pairs, {sum(row['n_removed_scored'] for row in rows)} removed as scored")
    return rows


def training_pairs_without_leaks(
    pairs: Iterable[tuple[str, str]], scored_golds: np.ndarray
) -> tuple[list[tuple[str, str]], int]:
    """(input, gold) pairs whose gold is the gold of no scored sentence, in their order, and how many were removed.

    Most test sentences of ECSpell stand in its own training files too (see the data notes on its `.train` files).
    """
    pairs, kept, n = iter(pairs), [], 0
    while some := list(islice(pairs, _PAIRS_AT_ONCE)):
        kept += compress(some, places(digests(gold for _, gold in some), scored_golds) < 0)
        n += len(some)
    return kept, n - len(kept)
