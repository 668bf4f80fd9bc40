"""Rows of the result tables for one model on one corpus, or on a pool of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from sinobench.coded import Coded
from sinobench.g2p.metrics import Outcomes, problem
from sinobench.g2p.metrics import score as score_items
from sinobench.g2p.scored import SUBSETS, Scored, codes_of
from sinobench.score import Score, plain


def score_table(items: Mapping[str, Sequence], predictions: Mapping[str, Sequence]) -> Outcomes:
    """Score columns of ``g2p_items`` with columns of ``g2p_predictions``, row by row the same items."""
    return score_items(
        items["labels"],
        predictions["prediction"],
        items["position"],
        [len(text) for text in items["text"]],
        predictions["output_length"],
    )


def outcome_columns(items: Mapping[str, Sequence], predictions: Mapping[str, Sequence], outcomes: Outcomes) -> dict:
    """The columns of ``g2p_outcomes`` but corpus and model."""
    official_errors = outcomes.official_wrong.sum(axis=1)
    return {
        "item_id": items["item_id"],
        "prediction": predictions["prediction"],
        "nearest_label": [labels[i] for labels, i in zip(items["labels"], outcomes.nearest_label, strict=True)],
        "strict_correct": ~outcomes.wrong.any(axis=1),
        "strict_errors": outcomes.wrong.sum(axis=1),
        "official_correct": [None if d else e == 0 for d, e in zip(outcomes.dropped, official_errors, strict=True)],
        "official_errors": [None if d else int(e) for d, e in zip(outcomes.dropped, official_errors, strict=True)],
        "official_dropped": outcomes.dropped,
        "problem": [
            problem(prediction, len(text), length)
            for prediction, text, length in zip(
                predictions["prediction"], items["text"], predictions["output_length"], strict=True
            )
        ],
    }


def scores(outcomes: Outcomes, items: Mapping[str, Sequence]) -> Iterator[Score]:
    """The scores over all items and by register, POS, readings and character; items: columns of ``g2p_items``."""
    return _scored(outcomes, items).scores()


def whole_scores(outcomes: Outcomes, corpora: Sequence[str], units: Sequence[str]) -> list[Score]:
    """Strict and official over all n items, each of a corpus and of one of its units."""
    return _scored(outcomes, {"corpus": corpora, "unit": units}).whole()


def macro_scores(outcomes: Outcomes, items: Mapping[str, Sequence]) -> list[Score]:
    """Accuracy and PER as means over the corpora of a pool, whose counts stand side by side in the statistics."""
    return _scored(outcomes, {name: items[name] for name in ("corpus", "unit")}).macro()


def figures(outcomes: Outcomes, units: Sequence[str]) -> dict[str, dict]:
    """By protocol n_items, the metrics and coverage over all n items; official also has the number of dropped ones."""
    return figures_of(whole_scores(outcomes, [""] * len(units), units))


def figures_of(scores: Iterable[Score]) -> dict[str, dict]:
    """By protocol what ``figures`` gives, of the scores over all items."""
    found = {
        whole.protocol: {"n_items": whole.n_items, **plain(whole.metrics()), "coverage": whole.coverage}
        for whole in scores
    }
    found["official"]["dropped"] = found["strict"]["n_items"] - found["official"]["n_items"]
    return found


def _scored(outcomes: Outcomes, items: Mapping[str, Sequence]) -> Scored:
    columns = {name: Coded.of(items[name]) for name in ("corpus", *SUBSETS.values()) if name in items}
    units = columns["corpus"].pairs(Coded.of(items["unit"]))
    corpora, names = np.array(units.values, dtype=object).reshape(-1, 2).T
    return Scored(codes_of(outcomes), units.place, names, corpora, columns)
