"""Items of a corpus with what each model made of them, from the database by the queries beside."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.errors import InputError, private
from sinobench.g2p.syllables import COMPONENTS, decompose
from sinobench.results import arrow

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

QUERIES = Path(__file__).parent / "queries/"
RIGHT: tuple[str, ...] = ()
Kinds = tuple[str, ...] | None
ROWS_AT_ONCE = 20_000
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


def parts(connection: duckdb.DuckDBPyConnection, name: str, **parameters: str) -> Iterator[pa.Table]:
    """The same as tables, ``ROWS_AT_ONCE`` rows at a time, and one part where there are none."""
    cursor = connection.cursor()  # has one open result
    reader = cursor.sql(sql(name), params=parameters).to_arrow_reader(ROWS_AT_ONCE)
    yield from arrow.parts(reader.schema, reader, ROWS_AT_ONCE)


class Following:
    """The rows of a query about items, by their ``id``, in the order of the items: as jobs write both."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, name: str, **parameters: str) -> None:
        self._parts = parts(connection, name, **parameters)
        self._held = next(self._parts)
        self._name, self._of = name, ", ".join(parameters.values())

    def of(self, ids: pa.ChunkedArray) -> tuple[pa.Table, pa.Int32Array]:
        """The rows of the items that follow those before, and the place of each row's item among them."""
        import pyarrow as pa
        import pyarrow.compute as pc

        rows, places = [], []
        while True:
            place = pc.index_in(self._held["id"], value_set=ids).combine_chunks()
            n = pc.index(place.is_null(), True).as_py()
            n = len(place) if n < 0 else n
            rows.append(self._held.slice(0, n))
            places.append(place.slice(0, n))
            self._held = self._held.slice(n)
            if len(self._held) or not self._next():
                return pa.concat_tables(rows), pa.concat_arrays(places)

    def one_each(self, ids: pa.ChunkedArray) -> dict[str, list]:
        """The other columns of as many rows as there are items, of nulls for an item without a row."""
        import pyarrow as pa

        rows, found = self.of(ids)
        rows = rows.drop_columns("id")
        places, each = found.to_pylist(), range(len(ids))
        if places != list(each):
            row_of = dict(zip(places, range(len(rows)), strict=True))
            rows = rows.take(pa.array(map(row_of.get, each), pa.int64()))
        return _lists(rows)

    def finish(self) -> None:
        """Raise InputError where rows are left, which are then in another order than the items, or of others."""
        if len(self._held) or self._next():
            message = "follows another order than the items"
            raise InputError(f"{self._name} of {self._of} {message} at item '{private(self._held['id'][0].as_py())}'")

    def _next(self) -> bool:
        self._held = next(self._parts, self._held)
        return len(self._held) > 0


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
    return _with_outcomes(connection, "csc", corpus, models, _csc_answers, errors=True)


def lid(connection: duckdb.DuckDBPyConnection, corpus: str, models: list[str]) -> Iterator[Items]:
    """Segments; an answer is the score, English less Mandarin."""
    return _with_outcomes(connection, "lid", corpus, models, _lid_answers)


def _with_outcomes(
    connection: duckdb.DuckDBPyConnection,
    task: str,
    corpus: str,
    models: list[str],
    told: Callable[[Mapping[str, list], Mapping[str, list]], tuple[list, list[Kinds]]],
    errors: bool = False,
) -> Iterator[Items]:
    """told: answers and kinds of errors, of some items and a model's outcomes for them, with the kinds of the
    ``errors`` of each where they stand in a table of their own."""
    outcomes, kinds_of = (
        {model: Following(connection, f"{task}_{name}", corpus=corpus, model=model) for model in models if wanted}
        for name, wanted in (("outcomes", True), ("kinds", errors))
    )
    for part in parts(connection, f"{task}_items", corpus=corpus):
        items, answers, kinds = _lists(part), {}, {}
        for model in models:
            found = outcomes[model].one_each(part["id"])
            if errors:
                found["kinds"] = _kinds_of_each(*kinds_of[model].of(part["id"]), len(part))
            answers[model], kinds[model] = told(items, found)
        yield Items(task, corpus, items, answers, kinds)
    for rows in (*outcomes.values(), *kinds_of.values()):
        rows.finish()


def _lists(rows: pa.Table) -> dict[str, list]:
    """The columns, in which equal texts are one object: millions, made and freed, would slow down all that follow."""
    import pyarrow as pa

    texts = [column.name for column in rows.schema if pa.types.is_string(column.type)]
    of_texts = {column.name for column in rows.schema if pa.types.is_list(column.type)}
    found = arrow.lists(rows.drop_columns(list(of_texts)), *texts)
    return {name: _cut(rows[name]) if name in of_texts else found[name] for name in rows.column_names}


def _cut(lists: pa.ChunkedArray) -> list[list]:
    """Lists of texts, none of them null, likewise."""
    import pyarrow.compute as pc

    values, place = arrow.codes(pc.list_flatten(lists))
    texts = list(map(values.__getitem__, place.tolist()))
    ends = pc.cumulative_sum(pc.list_value_length(lists)).to_pylist()
    return [texts[start:end] for start, end in pairwise([0, *ends])]


def _kinds_of_each(errors: pa.Table, places: pa.Int32Array, n: int) -> list[Kinds]:
    """The distinct kinds of the errors at each of n places."""
    found: dict[int, set[str]] = {}
    for place, kind in zip(places.to_pylist(), errors["kind"].to_pylist(), strict=True):
        found.setdefault(place, set()).add(kind)
    return [tuple(sorted(found.get(place, ()))) for place in range(n)]


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


def _csc_kinds(covered: bool | None, kinds: tuple[str, ...], problem: str | None) -> Kinds:
    if covered is None:
        return None
    return (*([] if covered else [f"not covered: {problem}"]), *kinds)


def _g2p_kinds(correct: bool | None, prediction: str, label: str, problem: str | None) -> Kinds:
    if correct is None:
        return None
    if problem:
        return (f"not covered: {problem}",)
    return RIGHT if correct else _components(label, prediction)


@lru_cache(2**16)
def _components(label: str, prediction: str) -> tuple[str, ...]:
    expected, found = decompose(label), decompose(prediction)
    if expected is None or found is None:
        return ("no syllable",)
    pairs = zip(COMPONENTS, expected, found, strict=True)
    return tuple(_kind(name, a, b) for name, a, b in pairs if a != b)


@cache
def _kind(component: str, expected: str, found: str) -> str:
    """Each of them is held once, in however many of a corpus's sets it stands."""
    return f"{component}: {expected or _NONE} → {found or _NONE}"


BY_TASK = {"g2p": g2p, "csc": csc, "lid": lid}
