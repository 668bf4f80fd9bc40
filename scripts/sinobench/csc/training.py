"""Training pairs that share nothing with the corpora on which a model is scored."""

from collections.abc import Collection, Iterable


def training_pairs_without_leaks(
    pairs: Iterable[tuple[str, str]], scored_golds: Collection[str]
) -> tuple[list[tuple[str, str]], int]:
    """(input, gold) pairs whose gold is the gold of no scored sentence, in their order, and how many were removed.

    Most test sentences of ECSpell stand in its own training files too (see the data notes on its `.train` files).
    """
    pairs, scored_golds = list(pairs), frozenset(scored_golds)
    kept = [pair for pair in pairs if pair[1] not in scored_golds]
    return kept, len(pairs) - len(kept)
