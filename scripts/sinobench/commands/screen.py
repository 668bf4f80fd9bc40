"""The screen at the end of a run: who leads where, what failed or was left out, and where the results are."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.commands.layout import TERMINAL, Layout, cut, fitted, render, width
from sinobench.errors import InputError, printable
from sinobench.results.reading import DATABASE, opened
from sinobench.results.standings import CONTAMINATED, FLAGGED, NONE, Standing, interval, percent, standings

if TYPE_CHECKING:
    import duckdb

HEIGHT = 25
_FEWEST = 4  # leaders that are shown however much has failed
_TITLE = "Best by strict %, with interval; = tied"
_MARKS = {"*": "synthetic", CONTAMINATED: "contaminated", FLAGGED: "flagged"}
_HEADER = ("task", "corpus", "best model", "score", "interval", "next")


def screen(folder: Path, said: Sequence[str], synthetic: Collection[str] = (), columns: int | None = None) -> list[str]:
    """At most HEIGHT lines on the run in ``folder``, where its database stands.

    said: what failed and was left out, a line each. synthetic: corpora of synthetic speech. columns: of the terminal;
    None where there is none: then no line of ``said`` is cut.
    """
    path = folder / "sinobench.duckdb"
    said = list(map(printable, said))
    try:
        with opened(path) as connection:
            found = standings(connection)
            tail = [*_set_aside(connection), *_places(folder)]
    except InputError as error:
        return [*said, error.shown]
    leaders = [_leader(each, synthetic) for each in found if not all(row["published"] for row in each.rows)]
    room = HEIGHT - len(tail) - len(["", _TITLE, _HEADER, "", ""])
    said, unsaid = _first(said, room - min(_FEWEST, len(leaders)))
    leaders, more = _first(leaders, room - len(said) - len(unsaid))
    seen = "".join(cell for leader in leaders for cell in leader)
    title = "; ".join([_TITLE, *(f"{mark} {meaning}" for mark, meaning in _MARKS.items() if mark in seen)])
    wide = [max(map(width, cells)) for cells in zip(_HEADER, *leaders, strict=True)]
    room = max(len(_HEADER[-1]), TERMINAL - sum(wide[:-1]) - 2 * len(wide[1:]))
    leaders = [(*leader[:-1], cut(leader[-1], room)) for leader in leaders]
    table = fitted(Layout(title, _HEADER, leaders, frozenset(["score", "interval"]), more))
    lines = ["", *render([table], "table").splitlines(), "", *said, *unsaid, *([""] if said else []), *tail]
    return [line if columns is None else cut(line, columns) for line in lines]


def _leader(standing: Standing, synthetic: Collection[str]) -> tuple[str, ...]:
    """The line of a corpus: its best model, and those tied with it or the next one."""
    by = standing.board.by
    best, *others = (row for row in standing.rows if not row["published"])
    corpus = standing.corpus + ("*" if standing.corpus in synthetic else "")
    beside = f"= {', '.join(best['tied_with'])}" if best["tied_with"] else ""
    for row in [] if beside else others[:1]:
        beside = f"{'failed' if row['failure'] else percent(row[by.metric], by.decimals)} {row['model']}"
    score = "failed" if best["failure"] else f"{by.label} {percent(best[by.metric], by.decimals)}"
    return standing.board.task, corpus, standing.marked(best["model"]), score, interval(best), beside or NONE


def _set_aside(connection: duckdb.DuckDBPyConnection) -> list[str]:
    found = connection.execute("SELECT count(*), count(DISTINCT corpus) FROM set_aside").fetchall()
    return [f"set aside: {n:,} items of {of} corpora; why: FROM set_aside_reasons" for n, of in found if n]


def _places(folder: Path) -> list[str]:
    """Where the results are, so far as they were made, and the command that shows more."""
    path = folder / "sinobench.duckdb"
    found = [f"database  {path}"]
    if (report := folder / "report/index.html").exists():
        found.append(f"report    {report}")
    uploads = sum(path.is_file() for path in (folder / "submissions").rglob("results.zip"))
    if uploads:
        found.append(f"uploads   {folder / 'submissions'} ({uploads})")
    command = "sinobench" if shutil.which("sinobench") else os.path.relpath(Path(sys.executable).with_name("sinobench"))
    of = "" if str(path) == DATABASE else f" --database {path}"
    return [*found, f"more      {command} leaderboard{of}"]


def _first(lines: list, room: int) -> tuple[list, list[str]]:
    """So many of the lines, and a line that counts the others."""
    room = max(1, room)
    if len(lines) <= room:
        return lines, []
    return lines[: room - 1], [f"… and {len(lines) - room + 1} more"]
