"""Fit a spelling-check model on pairs that share nothing with the corpora on which it is scored."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sinobench.csc.model import FittedCscModel
from sinobench.errors import InputError
from sinobench.models import guarded, load_class


@dataclass(frozen=True)
class TrainingCorpus:
    """A corpus to train on: its (input, gold) pairs, and how many rows of it could not be used."""

    corpus: str
    pairs: Sequence[tuple[str, str]]
    n_set_aside: int


def training_corpus(items: Mapping[str, Sequence], n_set_aside: int) -> TrainingCorpus:
    """The corpus of columns of ``csc_items``; of several golds the first counts."""
    pairs = [(source, golds[0]) for source, golds in zip(items["input"], items["golds"], strict=True)]
    return TrainingCorpus(items["corpus"][0], pairs, n_set_aside)


def fit(
    model: str,
    entry: Mapping,
    seed: int,
    training: Iterable[TrainingCorpus],
    scored_golds: Collection[str],
    fitted: str,
) -> list[dict]:
    """Fit the model of a catalog entry and save it; rows of ``training_sets``. InputError where no pair is left."""
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
    pairs: Iterable[tuple[str, str]], scored_golds: Collection[str]
) -> tuple[list[tuple[str, str]], int]:
    """(input, gold) pairs whose gold is the gold of no scored sentence, in their order, and how many were removed.

    Most test sentences of ECSpell stand in its own training files too (see the data notes on its `.train` files).
    """
    pairs, scored_golds = list(pairs), frozenset(scored_golds)
    kept = [pair for pair in pairs if pair[1] not in scored_golds]
    return kept, len(pairs) - len(kept)
