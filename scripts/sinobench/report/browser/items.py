"""Items of a corpus with what each model made of them, from the database by the queries beside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.g2p.syllables import COMPONENTS, decompose

if TYPE_CHECKING:
    import duckdb

QUERIES = Path(__file__).parent / "queries/"
RIGHT: tuple[str, ...] = ()
Kinds = tuple[str, ...] | None
ROWS_AT_ONCE = 100_000
_NONE = "∅"


@dataclass(frozen=True)
class Items:
    """n items of a corpus that follow one another, at most ``ROWS_AT_ONCE`` where they are of text.

    columns: by name, n values; answers: by model, n values, None where the answer is the first of the item's golds;
    kinds: by model, n tuples of kinds of error, ``kind`` or ``kind: which``; none in it where the model is right, None
    in place of it where the item has no outcome.
    """

    task: str
    corpus: str
    columns: dict[str, list]
    answers: dict[str, list]
    kinds: dict[str, list[Kinds]]


def sql(name: str) -> str:
    """A query of the browser by its name."""
    return QUERIES.joinpath(f"{name}.sql").read_text(encoding="utf-8")


def columns(connection: duckdb.DuckDBPyConnection, name: str, **parameters: str) -> dict[str, list]:
    """The columns of a query's result."""
    return connection.sql(sql(name), params=parameters).to_arrow_table().to_pydict()


def parts(connection: duckdb.DuckDBPyConnection, name: str, **parameters: str) -> Iterator[dict[str, list]]:
    """The same, ``ROWS_AT_ONCE`` rows at a time, and one part where there are none."""
    import pyarrow as pa

    cursor = connection.cursor()  # has one open result
    reader = cursor.sql(sql(name), params=parameters).to_arrow_reader(ROWS_AT_ONCE)
    waiting = reader.schema.empty_table()
    for batch in reader:
        waiting = pa.concat_tables([waiting, pa.Table.from_batches([batch])])
        while len(waiting) > ROWS_AT_ONCE:
            yield waiting.slice(0, ROWS_AT_ONCE).to_pydict()
            waiting = waiting.slice(ROWS_AT_ONCE)
    yield waiting.to_pydict()


def evaluated(connection: duckdb.DuckDBPyConnection) -> dict[tuple[str, str], list[str]]:
    """The models with outcomes by task and corpus."""
    return pairs(connection, "evaluated")


def pairs(connection: duckdb.DuckDBPyConnection, name: str) -> dict[tuple[str, str], list[str]]:
    """The models of a query's result by task and corpus."""
    found: dict[tuple[str, str], list[str]] = {}
    for task, corpus, model in connection.execute(sql(name)).fetchall():
        found.setdefault((task, corpus), []).append(model)
    return found


def g2p(connection: duckdb.DuckDBPyConnection, corpus: str, models: list[str]) -> Iterator[Items]:
    """Characters in their sentence; kinds are the components that differ from the nearest label, with both sounds."""
    return _with_outcomes(connection, "g2p", corpus, models, _g2p_answers)


def csc(connection: duckdb.DuckDBPyConnection, corpus: str, models: list[str]) -> Iterator[Items]:
    """Sentences; kinds are the outcomes of edits with their error type."""
    return _with_outcomes(connection, "csc", corpus, models, _csc_answers)


def lid(connection: duckdb.DuckDBPyConnection, corpus: str, models: list[str]) -> Iterator[Items]:
    """Segments; an answer is the score, English less Mandarin."""
    return _with_outcomes(connection, "lid", corpus, models, _lid_answers)


def _with_outcomes(
    connection: duckdb.DuckDBPyConnection,
    task: str,
    corpus: str,
    models: list[str],
    told: Callable[[Mapping[str, list], Mapping[str, list]], tuple[list, list[Kinds]]],
) -> Iterator[Items]:
    """told: answers and kinds of errors, of some items and a model's outcomes for them."""
    outcomes = [parts(connection, f"{task}_outcomes", corpus=corpus, model=model) for model in models]
    for items, *found in zip(parts(connection, f"{task}_items", corpus=corpus), *outcomes, strict=True):
        answers, kinds = {}, {}
        for model, of_model in zip(models, found, strict=True):
            answers[model], kinds[model] = told(items, of_model)
        yield Items(task, corpus, items, answers, kinds)


def _g2p_answers(items: Mapping[str, list], found: Mapping[str, list]) -> tuple[list, list[Kinds]]:
    answers = [
        None if labels and prediction == labels[0] else prediction or ""
        for prediction, labels in zip(found["prediction"], items["labels"], strict=True)
    ]
    outcomes = zip(*(found[name] for name in ("strict_correct", "prediction", "nearest_label", "problem")), strict=True)
    return answers, [_g2p_kinds(*outcome) for outcome in outcomes]


def _csc_answers(items: Mapping[str, list], found: Mapping[str, list]) -> tuple[list, list[Kinds]]:
    answers = [
        None if golds and prediction == golds[0] else prediction or ""
        for prediction, golds in zip(found["prediction"], items["golds"], strict=True)
    ]
    outcomes = zip(found["covered"], found["kinds"], found["problem"], strict=True)
    return answers, [_csc_kinds(*outcome) for outcome in outcomes]


def _lid_answers(items: Mapping[str, list], found: Mapping[str, list]) -> tuple[list, list[Kinds]]:
    outcomes = zip(found["correct"], items["language"], found["predicted"], strict=True)
    return found["score"], [_lid_kinds(*outcome) for outcome in outcomes]


def withheld(connection: duckdb.DuckDBPyConnection, task: str, corpus: str, models: list[str]) -> dict:
    """What the index says of speech of which nothing but figures is shown: how much each model errs in which way."""
    found = columns(connection, f"{task}_withheld", corpus=corpus)
    rows = list(zip(found["model"], found["kind"], found["amount"], strict=True))
    amounts = [[[kind, amount] for of, kind, amount in rows if of == model] for model in models]
    return {"task": task, "corpus": corpus, "models": models, "amounts": amounts, "n": 0}


def _lid_kinds(correct: bool | None, language: str, predicted: str) -> Kinds:
    if correct is None:
        return None
    return RIGHT if correct else (f"{language} taken for {predicted}",)


def _csc_kinds(covered: bool | None, kinds: list[str] | None, problem: str | None) -> Kinds:
    if covered is None:
        return None
    return (*([] if covered else [f"not covered: {problem}"]), *(kinds or ()))


def _g2p_kinds(correct: bool | None, prediction: str, label: str, problem: str | None) -> Kinds:
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
