"""``sinobench items``: the items behind a figure, from the database of a run."""

import argparse
from collections.abc import Collection, Mapping, Sequence

from sinobench.commands.layout import FORMATS
from sinobench.commands.leaderboard import TASKS
from sinobench.results.reading import DATABASE

EXAMPLES = """examples:
  sinobench items --errors --model tojyutping | head -20
  sinobench items --errors --model dictionary --corpus sample-csc --format csv > errors.csv
"""
_AROUND = 12  # characters of a text on each side of the one at hand


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument("--errors", action="store_true", help="only those that count against the model")
    parser.add_argument("--model", required=True, metavar="MODEL")
    parser.add_argument("--corpus", metavar="CORPUS", help="all of the run where none is named")
    parser.add_argument("--task", choices=TASKS, help="of a model that has several")
    parser.add_argument("--database", metavar="FILE", default=DATABASE, help=f"of a run; else {DATABASE}")
    parser.add_argument("--format", choices=(*FORMATS, "csv", "json"), default="table")


def run(options: argparse.Namespace) -> str:
    """The items as text: in 80 columns around what they are about; ``csv`` and ``json`` have them whole.

    Raises InputError for a model or corpus that the run does not have.
    """
    from sinobench.commands.layout import Layout, fitted, render
    from sinobench.commands.rows import as_csv, as_json
    from sinobench.results.items import ITEMS, statement, task_of
    from sinobench.results.reading import opened, rows_of

    with opened(options.database) as connection:
        task = task_of(connection, options.task, options.model, options.corpus)
        rows = rows_of(connection, *statement(task, options.errors, options.model, options.corpus))
    if options.format in ("csv", "json"):
        return as_csv(rows) if options.format == "csv" else as_json(rows)
    kind = "errors of" if options.errors else "items of"
    layouts = []
    for corpus in dict.fromkeys(row["corpus"] for row in rows):
        own = _told_apart([row for row in rows if row["corpus"] == corpus])
        n_errors = sum(row["is_error"] for row in own)
        title = f"{task}  {corpus}: {kind} {options.model}, {len(own):,} {ITEMS[task][0]}"
        title += "" if options.errors else f", {n_errors:,} wrong"
        names, cells = _COLUMNS[task]
        layouts.append(Layout(title, names, [cells(row) for row in own], frozenset(names) & _RIGHT))
    if not layouts:
        return f"{task}: no {'errors' if options.errors else 'items'} of {options.model}"
    return render(map(fitted, layouts) if options.format == "table" else layouts, options.format)


def _g2p(row: Mapping) -> list[str]:
    output = row["prediction"] or f"– {row['problem'] or ''}"
    return [str(row["line"]), _around(row["text"], row["position"]), "/".join(row["labels"]), output]


def _csc(row: Mapping) -> list[str]:
    edit = [row["source"] or "–", row["gold"] or "–", row["prediction"] or "–"]
    where = _around(row["input"], row["position"]) if row["position"] is not None else row["input"]
    return [str(row["line"]), where, *edit, row["outcome"]]


def _lid(row: Mapping) -> list[str]:
    times = [_seconds(row[name]) for name in ("start_ms", "end_ms")]
    score = "–" if row["score"] is None else f"{row['score']:.2f}"
    return [row["recording"], *times, row["language"], row["predicted"] or "–", score]


def _ld(row: Mapping) -> list[str]:
    lder = "–" if row["lder"] is None else f"{100 * row['lder']:.1f}"
    return [row["recording"], lder, *(_seconds(row[f"{name}_ms"]) for name in _LD_PARTS)]


def _told_apart(rows: Sequence[dict]) -> list[dict]:
    """The rows with the part of the names of their recordings in which they differ."""
    names = {row["recording"] for row in rows if "recording" in row}
    if len(names) < 2:
        return list(rows)
    start = _alike(names)
    end = _alike([name[start:][::-1] for name in names])
    short = {name: f"{'…' if start else ''}{name[start : len(name) - end]}{'…' if end else ''}" for name in names}
    return [row | {"recording": short[row["recording"]]} for row in rows]


def _alike(names: Collection[str]) -> int:
    """How many characters all names begin with."""
    return next((n for n, here in enumerate(zip(*names, strict=False)) if len(set(here)) > 1), min(map(len, names)))


def _seconds(ms: float | None) -> str:
    return "–" if ms is None else f"{ms / 1000:.1f}"


def _around(text: str, position: int) -> str:
    """The character at hand in brackets, with what stands beside it."""
    before, after = text[max(0, position - _AROUND) : position], text[position + 1 : position + 1 + _AROUND]
    start, end = "…" * (position > _AROUND), "…" * (position + 1 + _AROUND < len(text))
    return f"{start}{before}[{text[position : position + 1]}]{after}{end}"


_LD_PARTS = ("miss", "false_alarm", "confusion", "reference")
_COLUMNS = {
    "g2p": (("line", "text", "label", "output"), _g2p),
    "csc": (("line", "text", "source", "gold", "output", "outcome"), _csc),
    "lid": (("recording", "start s", "end s", "language", "output", "score"), _lid),
    "ld": (("recording", "LDER %", "miss s", "false alarm s", "confusion s", "reference s"), _ld),
}
_RIGHT = {"line", "start s", "end s", "score", "LDER %", "miss s", "false alarm s", "confusion s", "reference s"}
