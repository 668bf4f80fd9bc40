"""The pictures of the leaderboards: altair charts from queries on the database's views.

Values are fractions in the database and percentages here. What this run measured is drawn in the strict protocol, what
others published in the official one, which is all they report. A model has one colour in all pictures.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from sinobench.results.drawing import Names, cjk_font, finish, no_results, place_labels, read_names, save

if TYPE_CHECKING:
    import altair as alt
    import duckdb

__all__ = ["Names", "cjk_font", "csc_leaderboard", "g2p_leaderboard", "g2p_runtime", "read_names", "save"]

_SOURCES = ("this run (strict protocol)", "published (official protocol)")
_ROW_PX = 19
_SCATTER_PX = (320, 210)


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
        notes.setdefault(row["corpus"], f"{register}{row['n']:,} labelled characters")
    return _dots("Cantonese G2P: accuracy and phoneme error rate", rows, G2P_MEASURES, notes, names, width=260)


def csc_leaderboard(connection: duckdb.DuckDBPyConnection, names: Names) -> alt.TopLevelMixin:
    """Correction precision, recall, F1 and sentence FPR of each model on each spelling corpus; models by F1."""
    rows = _leaderboard(connection, "csc", CSC_MEASURES, "-correction_f1", "subset = 'all'")
    notes = {}
    for row in rows:
        notes.setdefault(row["corpus"], f"{row['n']:,} texts")
    return _dots("Chinese spelling check: corrections and false alarms", rows, CSC_MEASURES, notes, names, width=150)


def g2p_runtime(
    connection: duckdb.DuckDBPyConnection, pools: Mapping[str, Sequence[str]], names: Names
) -> alt.TopLevelMixin:
    """Texts per second (log scale) against accuracy, a panel a corpus or pool, and the load times in their own panel.

    pools: corpora by the name of their pool, whose speed is all their texts over all their prediction time. A model
    whose predictions come from a file has no run time and is not drawn.
    """
    import altair as alt

    title = "Cantonese G2P: run time against accuracy"
    members = [(f"pooled-{pool}", corpus) for pool, corpora in pools.items() for corpus in corpora]
    rows = _rows(
        connection,
        """WITH members AS (
            SELECT corpus AS panel, corpus FROM corpora WHERE task = 'g2p'
            UNION ALL SELECT unnest($panels::VARCHAR[]), unnest($corpora::VARCHAR[])
        ), speeds AS (
            SELECT panel AS corpus, model, sum(n_texts) / sum(predict_s) AS texts_per_s
            FROM runtime JOIN members USING (corpus)
            WHERE task = 'g2p' AND predict_s > 0 GROUP BY panel, model
            HAVING count(*) = (SELECT count(*) FROM members AS m WHERE m.panel = members.panel)
        )
        SELECT corpus, model, texts_per_s, accuracy * 100 AS accuracy
        FROM speeds JOIN leaderboard_g2p USING (corpus, model)
        LEFT JOIN (SELECT corpus, rowid AS place FROM corpora) USING (corpus)
        WHERE NOT published AND accuracy IS NOT NULL AND texts_per_s > 0
        ORDER BY place NULLS FIRST, corpus, accuracy DESC, model""",
        {"panels": [panel for panel, _ in members], "corpora": [corpus for _, corpus in members]},
    )
    if not rows:
        return no_results(title, names)
    logs = [math.log10(row["texts_per_s"]) for row in rows]
    speeds = (10.0 ** math.floor(min(logs)), 10.0 ** max(math.ceil(max(logs)), math.floor(min(logs)) + 1))
    accuracies = (min(math.floor(row["accuracy"] / 10 - 0.2) * 10 for row in rows), 102)
    panels = [_scatter(list(group), speeds, accuracies, names) for _, group in groupby(rows, lambda row: row["corpus"])]
    panels = alt.concat(*panels, columns=min(2, len(panels)), spacing=30)
    used = _rows(connection, "SELECT DISTINCT threads FROM runtime WHERE task = 'g2p' AND threads > 0 ORDER BY threads")
    threads = " or ".join(str(row["threads"]) for row in used)
    subtitle = f"Time of prediction alone (threads: {threads or 'unknown'}); accuracy in the strict protocol"
    return finish(alt.vconcat(panels, _load_times(connection, names), spacing=24), title, subtitle, names)


def _leaderboard(
    connection: duckdb.DuckDBPyConnection, task: str, measures: Sequence[Measure], order: str, where: str = "true"
) -> list[dict]:
    """Rows of the corpora that this run evaluated or predicted, as panels and the models in them follow one another."""
    values = ", ".join(
        f"CASE WHEN published THEN official_{m.column} ELSE {m.column} END * 100 AS {m.column}" for m in measures
    )
    return _rows(
        connection,
        f"""WITH board AS (SELECT corpus, model, n, coverage, published, {values} FROM leaderboard_{task} WHERE {where})
        SELECT board.* FROM board LEFT JOIN (SELECT corpus, rowid AS place FROM corpora) USING (corpus)
        WHERE place IS NOT NULL OR corpus IN (SELECT corpus FROM board WHERE NOT published)
        ORDER BY place NULLS FIRST, corpus, {order} NULLS LAST, published, model""",
    )


def _rows(connection: duckdb.DuckDBPyConnection, query: str, parameters: dict | None = None) -> list[dict]:
    found = connection.execute(query, parameters or {})
    columns = [column[0] for column in found.description]
    return [dict(zip(columns, row, strict=True)) for row in found.fetchall()]


def _dots(
    title: str, rows: list[dict], measures: Sequence[Measure], notes: Mapping[str, str], names: Names, width: int
) -> alt.TopLevelMixin:
    """A grid of dot plots: a row a corpus, a column a measure, a line a model with its value beside it."""
    import altair as alt

    if not rows:
        return no_results(title, names)
    domains = {measure.column: _domain(measure, rows) for measure in measures}
    corpora = [(corpus, list(group)) for corpus, group in groupby(rows, lambda row: row["corpus"])]
    panels = []
    for corpus, group in corpora:
        for measure in measures:
            panel = _dot_panel(
                group,
                measure,
                domains[measure.column],
                names,
                width,
                first=measure is measures[0],
                last=corpus == corpora[-1][0],
            )
            if measure is measures[0]:
                panel = panel.properties(
                    title=alt.TitleParams(names.corpus(corpus), subtitle=notes[corpus], anchor="start", offset=6)
                )
            panels.append(panel)
    grid = alt.concat(*panels, columns=len(measures), spacing={"row": 16, "column": 12})
    return finish(grid.resolve_scale(shape="shared", fillOpacity="shared"), title, "", names)


def _domain(measure: Measure, rows: list[dict]) -> tuple[float, float]:
    values = [row[measure.column] for row in rows if row[measure.column] is not None] or [0.0]
    low = 0.0 if measure.from_zero else max(0.0, math.floor(min(values) / 10 - 0.2) * 10.0)
    return low, 102.0 if measure.to_hundred else math.ceil(max(values) / 5 + 0.2) * 5.0


def _dot_panel(
    rows: list[dict], measure: Measure, domain: tuple[float, float], names: Names, width: int, first: bool, last: bool
) -> alt.LayerChart:
    import altair as alt

    values = [
        {
            "line": row["model"],
            "value": row[measure.column],
            "text": "–" if row[measure.column] is None else f"{row[measure.column]:.{measure.decimals}f}",
            "colour": names.colour(row["model"]),
            "source": _SOURCES[row["published"]],
        }
        for row in rows
    ]
    # A line is a model's id, for two may have one title; labels translate.
    labels = {row["model"]: names.model(row["model"]) + _coverage(row["coverage"]) for row in rows}
    lines = alt.Y(
        "line:N",
        title=None,
        scale=alt.Scale(domain=list(labels)),
        axis=alt.Axis(
            labels=first,
            labelExpr=f"{json.dumps(labels, ensure_ascii=False)}[datum.value]",
            ticks=False,
            domain=False,
            grid=True,
            labelPadding=8,
        ),
    )
    axis = alt.Axis(title=measure.title if last else None, labels=last, ticks=last, tickCount=5)
    legend = alt.Legend(title=None, orient="bottom", symbolFillColor="#555", symbolStrokeColor="#555")
    base = alt.Chart(alt.Data(values=values), width=width, height=_ROW_PX * len(rows)).encode(y=lines)
    dots = (
        base.transform_filter("isValid(datum.value)")
        .mark_point(size=75, strokeWidth=1.8, opacity=1)
        .encode(
            x=alt.X("value:Q", scale=alt.Scale(domain=domain, nice=False), axis=axis),
            stroke=alt.Stroke("colour:N", scale=None),
            fill=alt.Fill("colour:N", scale=None),
            fillOpacity=alt.FillOpacity("source:N", scale=alt.Scale(domain=_SOURCES, range=[1, 0]), legend=legend),
            shape=alt.Shape("source:N", scale=alt.Scale(domain=_SOURCES, range=["circle", "diamond"]), legend=legend),
        )
    )
    text = base.mark_text(align="right", fontSize=11, color="#333").encode(x=alt.value(width + 36), text="text:N")
    return dots + text


def _coverage(coverage: float | None) -> str:
    """What a model left out stands beside its name, rounded down so that it never reads 100 %."""
    return "" if coverage is None or coverage >= 1 else f" ({math.floor(coverage * 1000) / 10:.1f} % covered)"


def _scatter(
    rows: list[dict], speeds: tuple[float, float], accuracies: tuple[float, float], names: Names
) -> alt.LayerChart:
    """One corpus: a dot a model and its title beside it, with a line to it where it had to move away."""
    import altair as alt

    width, height = _SCATTER_PX
    decades, span = math.log10(speeds[1] / speeds[0]), accuracies[1] - accuracies[0]
    points = [
        (
            math.log10(row["texts_per_s"] / speeds[0]) / decades * width,
            (accuracies[1] - row["accuracy"]) / span * height,
        )
        for row in rows
    ]
    texts = [names.model(row["model"]) for row in rows]
    values = []
    for row, text, (x, y, align) in zip(rows, texts, place_labels(points, texts, width, height), strict=True):
        label_speed = speeds[0] * 10 ** (x / width * decades)
        label_accuracy = accuracies[1] - y / height * span
        values.append(
            {
                "speed": row["texts_per_s"],
                "accuracy": row["accuracy"],
                "colour": names.colour(row["model"]),
                "text": text,
            }
            | {"label_speed": label_speed, "label_accuracy": label_accuracy, "align": align}
        )
    title = alt.TitleParams(names.corpus(rows[0]["corpus"]), anchor="start", offset=6)
    base = alt.Chart(alt.Data(values=values), width=width, height=height, title=title)
    ticks = [10.0**k for k in range(round(math.log10(speeds[0])), round(math.log10(speeds[1])) + 1)]
    x_axis = alt.Axis(title="Texts per second (log scale)", values=ticks, format="~s")
    x = alt.X("speed:Q", scale=alt.Scale(type="log", domain=speeds, nice=False), axis=x_axis)
    y = alt.Y(
        "accuracy:Q", scale=alt.Scale(domain=accuracies, nice=False), axis=alt.Axis(title="Accuracy, %", tickCount=5)
    )
    colour = alt.Color("colour:N", scale=None)
    lines = base.mark_rule(strokeWidth=0.8).encode(x=x, y=y, x2="label_speed:Q", y2="label_accuracy:Q", color=colour)
    dots = base.mark_circle(size=80, opacity=1).encode(x=x, y=y, color=colour)
    labels = [
        base.transform_filter(alt.datum.align == side)
        .mark_text(align=side, baseline="middle", fontSize=11)
        .encode(x=alt.X("label_speed:Q"), y=alt.Y("label_accuracy:Q"), text="text:N")
        for side in ("left", "right")
    ]
    return alt.layer(lines, dots, *labels)


def _load_times(connection: duckdb.DuckDBPyConnection, names: Names) -> alt.LayerChart:
    """The median time in seconds that each model took to load, before it saw a text."""
    import altair as alt

    rows = _rows(
        connection,
        "SELECT model, median(load_s) AS load_s FROM runtime WHERE task = 'g2p' AND load_s IS NOT NULL "
        "GROUP BY model ORDER BY load_s, model",
    )
    labels = {row["model"]: names.model(row["model"]) for row in rows}
    values = [row | {"colour": names.colour(row["model"]), "text": f"{row['load_s']:.2g} s"} for row in rows]
    base = alt.Chart(
        alt.Data(values=values),
        width=_SCATTER_PX[0],
        height=_ROW_PX * len(rows),
        title=alt.TitleParams("Load time, median of the jobs", anchor="start", offset=6),
    ).encode(
        y=alt.Y(
            "model:N",
            title=None,
            scale=alt.Scale(domain=list(labels)),
            axis=alt.Axis(
                labelExpr=f"{json.dumps(labels, ensure_ascii=False)}[datum.value]", ticks=False, labelPadding=8
            ),
        ),
    )
    x = alt.X("load_s:Q", title="Seconds before the first text", scale=alt.Scale(zero=True), axis=alt.Axis(tickCount=5))
    bars = base.mark_bar(height=10).encode(x=x, color=alt.Color("colour:N", scale=None))
    text = base.mark_text(align="left", dx=5, fontSize=11, color="#333").encode(x=x, text="text:N")
    return bars + text
