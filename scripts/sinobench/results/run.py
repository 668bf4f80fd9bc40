"""A finished run, from Python: its leaderboards, items and comparisons as tables that carry their units."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.errors import InputError, nearest
from sinobench.results.reading import DATABASE, opened

if TYPE_CHECKING:
    import pandas as pd

_UNITS = {"_ms": "ms", "_s": "s", "_mb": "MB", "_hz": "Hz", "_db": "dB"}  # by the end of a column's name
_FRACTIONS = ("coverage", "p", "p_holm", "level")
_VALUES = ("value", "official_value", "ci_low", "ci_high", "difference", "detectable")


class Run:
    """The database of a run. It is opened for each question and read only, so that the run may be repeated meanwhile.

    Each table is a pandas DataFrame; ``attrs["units"]`` has the unit of each column that has one (``fraction``, ``s``,
    ``ms``, ``MB``), ``attrs["database"]`` the file.
    """

    def __init__(self, path: str | os.PathLike[str] = DATABASE) -> None:
        self.path = Path(path)
        with opened(self.path):
            pass

    def sql(self, query: str, values: Sequence[object] = ()) -> pd.DataFrame:
        """What a query finds; values: of its marks ``?``. Raises duckdb.Error for a query that does not run."""
        with opened(self.path) as connection:
            frame = connection.execute(query, list(values)).df()
            known = connection.execute("SELECT DISTINCT metric, unit FROM metric_info").fetchall()
        # Without a column of metrics, bounds are those of a headline.
        of_values = {dict(known).get(metric) for metric in frame["metric"]} if "metric" in frame else {"fraction"}
        of_value = of_values.pop() if len(of_values) == 1 else "that of the metric"
        units = {name: unit for name in frame.columns if (unit := _unit(str(name), dict(known), of_value))}
        frame.attrs.update(units=units, database=str(self.path))
        return frame

    def leaderboard(self, task: str | None = None, corpus: str | None = None) -> pd.DataFrame:
        """The view ``leaderboard_<task>`` on all items, or ``leaderboard`` of all tasks; of one corpus, where named.

        Raises InputError for an unknown task, and a corpus without a leaderboard.
        """
        if task is not None:
            self._known("task", task, "SELECT DISTINCT task FROM leaderboard")
        if corpus is not None:
            self._known("corpus", corpus, "SELECT DISTINCT corpus FROM leaderboard")
        view = "leaderboard" if task is None else f"leaderboard_{task}"
        tests = ["subset = 'all'"] if "subset" in self.sql(f"FROM {view} LIMIT 0") else []
        tests += ["corpus = ?"] if corpus is not None else []
        where = f" WHERE {' AND '.join(tests)}" if tests else ""
        return self.sql(f"FROM {view}{where}", [corpus] if corpus is not None else [])

    def items(self, task: str | None = None, model: str | None = None, corpus: str | None = None) -> pd.DataFrame:
        """The items of a model, a row each, with ``is_error``; all models of the task where none is named.

        Items are labelled characters, characters to correct or altered, segments, or recordings. Raises InputError for
        a task, model or corpus that the run does not have.
        """
        return self._items(task, False, model, corpus)

    def errors(self, task: str | None = None, model: str | None = None, corpus: str | None = None) -> pd.DataFrame:
        """Those of ``items`` that count against the model under strict."""
        return self._items(task, True, model, corpus)

    def compare(
        self,
        task: str,
        corpus: str | None = None,
        models: Sequence[str] = (),
        metric: str | None = None,
        protocol: str = "strict",
    ) -> pd.DataFrame:
        """Differences between pairs of models with interval and p (table ``comparisons``), by the task's headline.

        models: both of a pair are among them; none for all. metric: another figure. Raises InputError for an unknown
        task, corpus, model or metric.
        """
        from sinobench.results.registry import BOARDS

        self._known("task", task, "SELECT DISTINCT task FROM leaderboard")
        metric = metric or BOARDS[task].headline
        tests, values = ["task = ?", "subset = 'all'"], [task]
        for kind, name in (("corpus", corpus), ("metric", metric), ("protocol", protocol)):
            if name is not None:
                self._known(kind, name, f"SELECT DISTINCT {kind} FROM comparisons WHERE task = ?", task)
                tests.append(f"{kind} = ?")
                values.append(name)
        for model in models:
            of = "SELECT model FROM comparisons WHERE task = $1 UNION SELECT other FROM comparisons WHERE task = $1"
            self._known("model", model, of, task)
        if models:
            marks = ", ".join("?" for _ in models)
            tests.append(f"model IN ({marks}) AND other IN ({marks})")
            values += [*models, *models]
        return self.sql(f"FROM comparisons WHERE {' AND '.join(tests)} ORDER BY corpus, p_holm, model", values)

    def _items(self, task: str | None, errors: bool, model: str | None, corpus: str | None) -> pd.DataFrame:
        from sinobench.results.items import statement, task_of

        with opened(self.path) as connection:
            task = task_of(connection, task, model, corpus)
        return self.sql(*statement(task, errors, model, corpus))

    def _known(self, kind: str, name: str, query: str, *values: str) -> None:
        known = [str(row) for row in self.sql(query, values).iloc[:, 0]]
        if name not in known:
            raise InputError(f"the run has no {kind} '{name}'; {nearest(name, known)}", self.path)

    def __repr__(self) -> str:
        return f"sinobench.open({str(self.path)!r})"

    def _repr_html_(self) -> str:
        """The headlines, for a notebook."""
        return str(self.sql("FROM summary").to_html(index=False, na_rep="–"))


def _unit(column: str, of_metrics: Mapping[str, str], of_value: str) -> str | None:
    if column in _FRACTIONS:
        return "fraction"
    if column in _VALUES:
        return of_value
    if unit := of_metrics.get(column.removeprefix("official_")):
        return unit
    return next((unit for end, unit in _UNITS.items() if column.endswith(end)), None)
