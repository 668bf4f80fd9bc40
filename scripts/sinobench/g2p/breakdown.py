"""Rows of the result tables for one model on one corpus, or on a pool of them."""

from collections.abc import Mapping, Sequence

import numpy as np

from sinobench.g2p.metrics import Outcomes, aggregate, confusions, problem, score

# Thousands of characters: the rates of their components can be had from the outcomes.
_BRIEF = {"character": ("accuracy", "per")}


def score_table(items: Mapping[str, Sequence], predictions: Mapping[str, Sequence]) -> Outcomes:
    """Score columns of ``g2p_items`` with columns of ``g2p_predictions``, row by row the same items."""
    return score(
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


def metric_rows(outcomes: Outcomes, items: Mapping[str, Sequence]) -> list[dict]:
    """Rows of ``metrics`` but task, corpus and model: over all items and by register, POS, readings and character."""
    rows = _rows("all", aggregate(outcomes)[0])
    subsets = {"register": "register", "pos": "pos", "readings": "n_readings", "character": "character"}
    for name, column in subsets.items():
        values = np.array(["" if value is None else str(value) for value in items[column]])
        levels, groups = np.unique(values, return_inverse=True)
        for level, result in zip(levels, aggregate(outcomes, groups, len(levels)), strict=True):
            if level:
                rows += _rows(f"{name}={level}", result, _BRIEF.get(name))
    return rows


def macro_rows(outcomes: Sequence[Outcomes]) -> list[dict]:
    """Rows of ``metrics`` with the mean over corpora of accuracy and PER."""
    results = [aggregate(outcome)[0] for outcome in outcomes]
    rows = []
    for protocol in ("strict", "official"):
        n = sum(result[protocol]["n_items"] for result in results)
        coverage = sum(result["strict"]["coverage"] * result["strict"]["n_items"] for result in results) / sum(
            result["strict"]["n_items"] for result in results
        )
        for metric in ("accuracy", "per"):
            values = [result[protocol][metric] for result in results]
            value = None if None in values else sum(values) / len(values)
            rows.append(_row(protocol, "all", f"{metric}_macro", value, n, coverage))
    return rows


def confusion_rows(
    items: Mapping[str, Sequence], predictions: Mapping[str, Sequence], outcomes: Outcomes
) -> list[dict]:
    """Rows of ``g2p_confusions`` but corpus and model."""
    names = ("component", "expected", "predicted", "n")
    table = confusions(items["labels"], predictions["prediction"], outcomes)
    return [dict(zip(names, row, strict=True)) for row in table]


def _rows(subset: str, result: Mapping[str, Mapping], only: Sequence[str] | None = None) -> list[dict]:
    rows = []
    for protocol, values in result.items():
        for metric, value in values.items():
            if metric in ("n_items", "coverage", "dropped") or (only and metric not in only):
                continue
            rows.append(_row(protocol, subset, metric, value, values["n_items"], values["coverage"]))
    return rows


def _row(protocol: str, subset: str, metric: str, value: float | None, n: int, coverage: float) -> dict:
    return {
        "protocol": protocol,
        "subset": subset,
        "metric": metric,
        "value": value,
        "n_items": n,
        "coverage": coverage,
    }
