"""Items of a corpus with what each model made of them, from the database by the queries beside."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.g2p.syllables import COMPONENTS, decompose

if TYPE_CHECKING:
    import duckdb

QUERIES = Path(__file__).parent / "queries/"
RIGHT: tuple[str, ...] = ()
_NONE = "∅"


@dataclass(frozen=True)
class Items:
    """n items of a corpus.

    columns: by name, n values; answers: by model, n values, None where the answer is the first of the item's golds;
    kinds: by model, n tuples of kinds of error, ``kind`` or ``kind: which``; none in it where the model is right, None
    in place of it where the item has no outcome.
    """

    task: str
    corpus: str
    columns: dict[str, list]
    answers: dict[str, list]
    kinds: dict[str, list[tuple[str, ...] | None]]


def sql(name: str) -> str:
    """A query of the browser by its name."""
    return QUERIES.joinpath(f"{name}.sql").read_text(encoding="utf-8")


def columns(connection: duckdb.DuckDBPyConnection, name: str, **parameters: str) -> dict[str, list]:
    """The columns of a query's result."""
    return connection.sql(sql(name), params=parameters).to_arrow_table().to_pydict()


def evaluated(connection: duckdb.DuckDBPyConnection) -> dict[tuple[str, str], list[str]]:
    """The models with outcomes by task and corpus."""
    return pairs(connection, "evaluated")


def pairs(connection: duckdb.DuckDBPyConnection, name: str) -> dict[tuple[str, str], list[str]]:
    """The models of a query's result by task and corpus."""
    found: dict[tuple[str, str], list[str]] = {}
    for task, corpus, model in connection.execute(sql(name)).fetchall():
        found.setdefault((task, corpus), []).append(model)
    return found


def g2p(connection: duckdb.DuckDBPyConnection, corpus: str, models: list[str]) -> Items:
    """Characters in their sentence; kinds are the components that differ from the nearest label, with both sounds."""
    items = columns(connection, "g2p_items", corpus=corpus)
    answers, kinds = {}, {}
    for model in models:
        found = columns(connection, "g2p_outcomes", corpus=corpus, model=model)
        answers[model] = [
            None if labels and prediction == labels[0] else prediction or ""
            for prediction, labels in zip(found["prediction"], items["labels"], strict=True)
        ]
        outcomes = zip(
            *(found[name] for name in ("strict_correct", "prediction", "nearest_label", "problem")), strict=True
        )
        kinds[model] = [_g2p_kinds(*outcome) for outcome in outcomes]
    return Items("g2p", corpus, items, answers, kinds)


def csc(connection: duckdb.DuckDBPyConnection, corpus: str, models: list[str]) -> Items:
    """Sentences; kinds are the outcomes of edits with their error type."""
    items = columns(connection, "csc_items", corpus=corpus)
    items["golds"] = [golds or [] for golds in items["golds"]]
    answers, kinds = {}, {}
    for model in models:
        found = columns(connection, "csc_outcomes", corpus=corpus, model=model)
        answers[model] = [
            None if golds and prediction == golds[0] else prediction or ""
            for prediction, golds in zip(found["prediction"], items["golds"], strict=True)
        ]
        outcomes = zip(found["covered"], found["kinds"], found["problem"], strict=True)
        kinds[model] = [_csc_kinds(*outcome) for outcome in outcomes]
    return Items("csc", corpus, items, answers, kinds)


def lid(connection: duckdb.DuckDBPyConnection, corpus: str, models: list[str]) -> Items:
    """Segments; an answer is the score, English less Mandarin."""
    items = columns(connection, "lid_items", corpus=corpus)
    answers, kinds = {}, {}
    for model in models:
        found = columns(connection, "lid_outcomes", corpus=corpus, model=model)
        answers[model] = found["score"]
        outcomes = zip(found["correct"], items["language"], found["predicted"], strict=True)
        kinds[model] = [_lid_kinds(*outcome) for outcome in outcomes]
    return Items("lid", corpus, items, answers, kinds)


def withheld(connection: duckdb.DuckDBPyConnection, task: str, corpus: str, models: list[str]) -> dict:
    """What the index says of speech of which nothing but figures is shown: how much each model errs in which way."""
    found = columns(connection, f"{task}_withheld", corpus=corpus)
    rows = list(zip(found["model"], found["kind"], found["amount"], strict=True))
    amounts = [[[kind, amount] for of, kind, amount in rows if of == model] for model in models]
    return {"task": task, "corpus": corpus, "models": models, "amounts": amounts, "n": 0}


def _lid_kinds(correct: bool | None, language: str, predicted: str) -> tuple[str, ...] | None:
    if correct is None:
        return None
    return RIGHT if correct else (f"{language} taken for {predicted}",)


def _csc_kinds(covered: bool | None, kinds: list[str] | None, problem: str | None) -> tuple[str, ...] | None:
    if covered is None:
        return None
    return (*([] if covered else [f"not covered: {problem}"]), *(kinds or ()))


def _g2p_kinds(correct: bool | None, prediction: str, label: str, problem: str | None) -> tuple[str, ...] | None:
    if correct is None:
        return None
    if problem:
        return (f"not covered: {problem}",)
    return RIGHT if correct else _components(label, prediction)


@cache
def _components(label: str, prediction: str) -> tuple[str, ...]:
    expected, found = decompose(label), decompose(prediction)
    if expected is None or found is None:
        return ("no syllable",)
    pairs = zip(COMPONENTS, expected, found, strict=True)
    return tuple(f"{name}: {a or _NONE} → {b or _NONE}" for name, a, b in pairs if a != b)


BY_TASK = {"g2p": g2p, "csc": csc, "lid": lid}
