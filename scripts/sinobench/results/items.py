"""The items behind a figure: what a model was asked, what is right, and what it gave, a row an item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sinobench.errors import InputError, nearest

if TYPE_CHECKING:
    import duckdb

# Of each task: what an item is, its statement, and its order; ``is_error`` is what strict counts against the model.
ITEMS = {
    "g2p": (
        "labelled characters",
        """SELECT o.corpus, o.model, o.item_id, i.line, i.text, i.position, i.character, i.labels, o.prediction,
            o.problem, NOT o.strict_correct AS is_error
        FROM g2p_outcomes AS o JOIN g2p_items AS i USING (corpus, item_id)""",
        "corpus, model, line, position",
    ),
    "csc": (
        "characters to correct, or altered",
        """SELECT e.corpus, e.model, e.item_id, i.line, i.input, e.position, e.source, e.gold, e.prediction, e.outcome,
            e.error_type, e.outcome != 'corrected' AS is_error
        FROM csc_edits AS e JOIN csc_items AS i USING (corpus, item_id)""",
        "corpus, model, line, position",
    ),
    "lid": (
        "segments",
        """SELECT o.corpus, o.model, o.segment_id, o.recording, s.start_ms, s.end_ms, o.language, o.predicted, o.score,
            NOT o.correct AS is_error
        FROM lid_outcomes AS o LEFT JOIN lid_segments AS s USING (corpus, segment_id)""",
        "corpus, model, recording, start_ms",
    ),
    "ld": (
        "recordings",
        """SELECT corpus, model, recording, prediction, lder, miss_ms, false_alarm_ms, confusion_ms, reference_ms,
            miss_ms + false_alarm_ms + confusion_ms > 0 AS is_error
        FROM ld_recordings""",
        "corpus, model, lder DESC NULLS LAST",
    ),
}


def task_of(connection: duckdb.DuckDBPyConnection, task: str | None, model: str | None, corpus: str | None) -> str:
    """The task of a model, or this one.

    Raises InputError for a task, model or corpus that is not of the run, with the nearest that is, and where none of
    them is named.
    """
    rows = connection.execute("SELECT DISTINCT task, model, corpus FROM runs WHERE status = 'done'").fetchall()
    tasks = {row[0] for row in rows}
    if task is not None and task not in tasks:
        raise InputError(f"the run has no task '{task}'; {nearest(task, tasks)}")
    for kind, name, place in (("model", model, 1), ("corpus", corpus, 2)):
        known = {row[place] for row in rows if task in (None, row[0])}
        if name is not None and name not in known:
            of = f" of {task}" if task else ""
            raise InputError(f"the run has no {kind} '{name}'{of}; {nearest(name, known)}")
    found = {row[0] for row in rows if task in (None, row[0]) and model in (None, row[1]) and corpus in (None, row[2])}
    if len(found) != 1:
        said = f"has {', '.join(sorted(found))}" if found else "has no such model on that corpus"
        raise InputError(f"the run {said}; name one task and a model and corpus of it")
    return found.pop()


def statement(task: str, errors: bool, model: str | None, corpus: str | None) -> tuple[str, list[str]]:
    """The SQL of the items of a task, with the values of its marks."""
    wanted = {"model": model, "corpus": corpus}
    values = {name: value for name, value in wanted.items() if value is not None}
    tests = [*(f"{name} = ?" for name in values), *(["is_error"] if errors else [])]
    where = f" WHERE {' AND '.join(tests)}" if tests else ""
    _, of_all, order = ITEMS[task]
    return f"FROM ({of_all}){where} ORDER BY {order}", list(values.values())
