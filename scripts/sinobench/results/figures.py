"""The pictures of the leaderboards: altair charts from queries on the database's views.

Values are fractions in the database and percentages here. What this run measured is drawn in the strict protocol, what
others published in the official one, which is all they report. A model has one colour in all pictures.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from sinobench.results.drawing import (
    ROW_PX,
    Names,
    cjk_font,
    finish,
    model_lines,
    no_results,
    read_names,
    rows_of,
    save,
    text_width,
)
from sinobench.results.runtime import g2p_runtime

if TYPE_CHECKING:
    import altair as alt
    import duckdb

__all__ = [
    "Names",
    "cjk_font",
    "csc_leaderboard",
    "g2p_leaderboard",
    "g2p_runtime",
    "ld_leaderboard",
    "lid_leaderboard",
    "read_names",
    "save",
]

_SOURCES = ("this run (strict or plan protocol)", "published (official protocol)")
_SHAPES = ("circle", "diamond")


@dataclass(frozen=True)
class Measure:
    """A column of a leaderboard and how its axis, in percent, is cut.

    It begins at 0, or at the ten below the lowest value; it ends at 100, or at the five above the highest value.
    """

    column: str
    title: str
    decimals: int = 1
    from_zero: bool = True
    to_hundred: bool = True


G2P_MEASURES = (
    Measure("accuracy", "Accuracy, % (higher is better)", from_zero=False),
    Measure("per", "Phoneme error rate (PER), % (lower is better)", decimals=2, to_hundred=False),
)
CSC_MEASURES = (
    Measure("correction_precision", "Correction precision, %"),
    Measure("correction_recall", "Correction recall, %"),
    Measure("correction_f1", "Correction F1, %"),
    Measure("sentence_fpr", "Sentence FPR, % (lower is better)", to_hundred=False),
)
LID_MEASURES = (
    Measure("eer", "Equal error rate (EER), % (lower is better)", to_hundred=False),
    Measure("balanced_accuracy", "Balanced accuracy, % (higher is better)", from_zero=False),
)
LD_MEASURES = (
    Measure("lder", "Language diarization error rate (LDER), % (lower is better)", to_hundred=False),
    Measure("english_error_rate", "English error rate, %", to_hundred=False),
    Measure("mandarin_error_rate", "Mandarin error rate, %", to_hundred=False),
)


def g2p_leaderboard(connection: duckdb.DuckDBPyConnection, names: Names) -> alt.TopLevelMixin:
    """Accuracy and PER of each model on each corpus, the pooled ones first, with their registers; models by PER."""
    rows = _leaderboard(connection, "g2p", G2P_MEASURES, "per")
    registers = dict(
        connection.execute(
            "SELECT corpus, list_sort(list(DISTINCT split_part(subset, '=', 2))) FROM metrics "
            "WHERE task = 'g2p' AND subset LIKE 'register=%' GROUP BY corpus"
        ).fetchall()
    )
    notes = {}
    for row in rows:
        found = names.drawable(registers.get(row["corpus"], []))
        register = f"{'registers' if len(found) > 1 else 'register'} {' + '.join(found)}, " if found else ""
        notes.setdefault(row["corpus"], f"{register}{row['n'] or 0:,} labelled characters")
    return _dots("Cantonese G2P: accuracy and phoneme error rate", rows, G2P_MEASURES, notes, names, width=260)


def csc_leaderboard(connection: duckdb.DuckDBPyConnection, names: Names) -> alt.TopLevelMixin:
    """Correction precision, recall, F1 and sentence FPR of each model on each spelling corpus; models by F1."""
    rows = _leaderboard(connection, "csc", CSC_MEASURES, "-correction_f1", "subset = 'all'")
    notes = {}
    for row in rows:
        notes.setdefault(row["corpus"], f"{row['n'] or 0:,} texts")
    return _dots("Chinese spelling check: corrections and false alarms", rows, CSC_MEASURES, notes, names, width=150)


def lid_leaderboard(connection: duckdb.DuckDBPyConnection, names: Names) -> alt.TopLevelMixin:
    """EER and balanced accuracy of each model on each development set; models by EER."""
    rows = _leaderboard(connection, "lid", LID_MEASURES, "eer")
    notes = {row["corpus"]: f"{row['n'] or 0:,} segments" for row in rows}
    return _dots("MERLIon CCS, Task 1: language identification", rows, LID_MEASURES, notes, names, width=260)


def ld_leaderboard(connection: duckdb.DuckDBPyConnection, names: Names) -> alt.TopLevelMixin:
    """LDER and the error rate of each language of each model on each development set; models by LDER."""
    rows = _leaderboard(connection, "ld", LD_MEASURES, "lder")
    notes = {row["corpus"]: f"{row['n'] or 0:,} recordings" for row in rows}
    return _dots("MERLIon CCS, Task 2: language diarization", rows, LD_MEASURES, notes, names, width=230)


def _leaderboard(
    connection: duckdb.DuckDBPyConnection, task: str, measures: Sequence[Measure], order: str, where: str = "true"
) -> list[dict]:
    """Rows of the corpora that this run evaluated or predicted, as panels and the models in them follow one another."""
    values = ", ".join(
        f"CASE WHEN published THEN official_{m.column} ELSE {m.column} END * 100 AS {m.column}" for m in measures
    )
    return rows_of(
        connection,
        f"""WITH board AS (
            SELECT corpus, model, n, coverage, published, failure, {values} FROM leaderboard_{task} WHERE {where}
        )
        SELECT board.* REPLACE (coalesce(n, max(n) OVER (PARTITION BY corpus)) AS n)
        FROM board LEFT JOIN (SELECT corpus, rowid AS place FROM corpora) USING (corpus)
        WHERE place IS NOT NULL OR corpus IN (SELECT corpus FROM board WHERE NOT published)
        ORDER BY place NULLS FIRST, corpus, failure IS NOT NULL, {order} NULLS LAST, published, model""",
    )


def _dots(
    heading: str, rows: list[dict], measures: Sequence[Measure], notes: Mapping[str, str], names: Names, width: int
) -> alt.TopLevelMixin:
    """A grid of dot plots: a row a corpus, a column a measure, a line a model with its value beside it."""
    import altair as alt

    if not rows:
        return no_results(heading, names)
    for row in rows:
        row |= {"label": names.model(row["model"]) + _remark(row), "colour": names.colour(row["model"])}
    last, domains = rows[-1]["corpus"], {measure: _domain(measure, rows) for measure in measures}
    extent = max(text_width(row["label"]) for row in rows) + 8  # one for all, or the panels' titles don't stand in line
    sources = _SOURCES[: 1 + any(row["published"] for row in rows)]
    panels = []
    for corpus, group in groupby(rows, lambda row: row["corpus"]):
        lines = list(group)
        for measure in measures:
            first = measure is measures[0]
            axis = {"title": measure.title} if corpus == last else {"title": None, "labels": False, "ticks": False}
            scale = alt.Scale(domain=domains[measure], nice=False)
            x = alt.X("value:Q", scale=scale, axis=alt.Axis(tickCount=5, **axis))
            panel = _dot_panel(lines, measure, x, extent if first else None, sources, width)
            if first:
                title = {"text": names.corpus(corpus), "subtitle": notes[corpus]}
                panel = panel.properties(title=alt.TitleParams(**title, anchor="start", frame="bounds", offset=6))
            panels.append(panel)
    grid = alt.concat(*panels, columns=len(measures), spacing={"row": 16, "column": 12})
    return finish(grid.resolve_scale(shape="shared", fill="shared", stroke="shared"), heading, "", names)


def _domain(measure: Measure, rows: list[dict]) -> tuple[float, float]:
    values = [row[measure.column] for row in rows if row[measure.column] is not None] or [0.0]
    low = 0.0 if measure.from_zero else max(0.0, math.floor(min(values) / 10 - 0.2) * 10.0)
    return low, 100.0 if measure.to_hundred else math.ceil(max(values) / 5 + 0.2) * 5.0


def _dot_panel(
    rows: list[dict], measure: Measure, x: alt.X, extent: float | None, sources: Sequence[str], width: int
) -> alt.LayerChart:
    """One corpus and measure; extent: pixels for the models' names, None without them."""
    import altair as alt

    values = [
        {
            "line": row["model"],
            "value": row[measure.column],
            "text": "–" if row[measure.column] is None else f"{row[measure.column]:.{measure.decimals}f}",
            "colour": row["colour"],
            "source": _SOURCES[row["published"]],
        }
        for row in rows
    ]
    y = model_lines("line", {row["model"]: row["label"] for row in rows}, extent)
    base = alt.Chart(alt.Data(values=values), width=width, height=ROW_PX * len(rows)).encode(y=y)
    valid = base.transform_filter("isValid(datum.value)").encode(x=x, color=alt.Color("colour:N", scale=None))
    dots = [
        valid.transform_filter(alt.datum.source == source).mark_point(
            size=75, strokeWidth=1.8, opacity=1, shape=shape, filled=filled
        )
        for source, shape, filled in zip(_SOURCES, _SHAPES, (True, False), strict=True)
    ]
    # Invisible marks carry the legend: Vega's legends can't show the opacity of a filling.
    legend = alt.Legend(title=None, orient="bottom", symbolOpacity=1)
    key = base.mark_point(opacity=0, strokeWidth=1.5).encode(
        x=alt.value(0),
        stroke=alt.Stroke("source:N", scale=alt.Scale(domain=sources, range=["#555"]), legend=legend),
        fill=alt.Fill("source:N", scale=alt.Scale(domain=sources, range=["#555", "#fff"]), legend=legend),
        shape=alt.Shape("source:N", scale=alt.Scale(domain=sources, range=_SHAPES), legend=legend),
    )
    text = base.mark_text(align="right", fontSize=11, color="#333").encode(x=alt.value(width + 36), text="text:N")
    return alt.layer(key, *dots, text)


def _remark(row: Mapping) -> str:
    """What stands beside a model's title; a coverage is rounded down, so that a gap never reads 100 %."""
    if row["published"]:
        return ", published"
    if row["failure"]:
        return ", failed"
    if row["coverage"] is None or row["coverage"] >= 1:
        return ""
    return f" ({math.floor(row['coverage'] * 1000) / 10:.1f} % covered)"
