"""The picture of run time against accuracy."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from sinobench.results.drawing import ROW_PX, Names, data_of, finish, model_lines, no_results, text_width
from sinobench.results.reading import rows_of

if TYPE_CHECKING:
    import altair as alt
    import duckdb

_PANEL_PX = (320, 230)


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
    rows = rows_of(
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
    found = [row["accuracy"] for row in rows]
    accuracies = (max(0, math.floor(min(found) / 5 - 0.4) * 5), min(100, math.ceil(max(found) / 5 + 0.4) * 5))
    panels = [_scatter(list(group), speeds, accuracies, names) for _, group in groupby(rows, lambda row: row["corpus"])]
    grid = alt.concat(*panels, _load_times(connection, names), columns=2, spacing=30)
    used = rows_of(connection, "SELECT DISTINCT threads FROM runtime WHERE task = 'g2p' AND threads > 0 ORDER BY 1")
    threads = " or ".join(str(row["threads"]) for row in used)
    subtitle = f"Time of prediction alone (threads: {threads or 'unknown'}); accuracy in the strict protocol"
    return finish(grid, title, subtitle, names)


def _scatter(
    rows: list[dict], speeds: tuple[float, float], accuracies: tuple[float, float], names: Names
) -> alt.LayerChart:
    """One corpus: a dot a model and its title beside it, with a line to it where it had to move away."""
    import altair as alt

    width, height = _PANEL_PX
    decades, span = math.log10(speeds[1] / speeds[0]), accuracies[1] - accuracies[0]
    points = [
        (
            math.log10(row["texts_per_s"] / speeds[0]) / decades * width,
            (accuracies[1] - row["accuracy"]) / span * height,
        )
        for row in rows
    ]
    texts = [names.model(row["model"]) for row in rows]
    places = place_labels(points, texts, width, height)
    values = []
    for row, text, (_, point_y), (x, y, align) in zip(rows, texts, points, places, strict=True):
        label_speed = speeds[0] * 10 ** (x / width * decades)
        label_accuracy = accuracies[1] - y / height * span
        values.append(
            {
                "speed": row["texts_per_s"],
                "accuracy": row["accuracy"],
                "colour": names.colour(row["model"]),
                "text": text,
            }
            | {
                "label_speed": label_speed,
                "label_accuracy": label_accuracy,
                "align": align,
                "moved": abs(y - point_y) > 1,
            }
        )
    title = alt.TitleParams(names.corpus(rows[0]["corpus"]), anchor="start", frame="group", offset=6)
    base = alt.Chart(data_of(values), width=width, height=height, title=title)
    ticks = [10.0**k for k in range(round(math.log10(speeds[0])), round(math.log10(speeds[1])) + 1)]
    x_axis = alt.Axis(title="Texts per second (log scale, higher is better)", values=ticks, format="~s")
    x = alt.X("speed:Q", scale=alt.Scale(type="log", domain=speeds, nice=False), axis=x_axis)
    y_axis = alt.Axis(title="Accuracy, % (higher is better)", tickCount=5)
    y = alt.Y("accuracy:Q", scale=alt.Scale(domain=accuracies, nice=False), axis=y_axis)
    colour = alt.Color("colour:N", scale=None)
    leaders = (
        base.transform_filter("datum.moved")
        .mark_rule(strokeWidth=0.8, opacity=0.7)
        .encode(x=x, y=y, x2=alt.X2("label_speed:Q"), y2=alt.Y2("label_accuracy:Q"), color=colour)
    )
    dots = base.mark_circle(size=80, opacity=1).encode(x=x, y=y, color=colour)
    halo = {"stroke": "white", "strokeWidth": 3}
    labels = [
        base.transform_filter(alt.datum.align == side)
        .mark_text(align=side, baseline="middle", fontSize=11, **look)
        .encode(x=alt.X("label_speed:Q"), y=alt.Y("label_accuracy:Q"), text=alt.Text("text:N"))
        for look in (halo, {})
        for side in ("left", "center", "right")
    ]
    return alt.layer(leaders, dots, *labels)


def _load_times(connection: duckdb.DuckDBPyConnection, names: Names) -> alt.LayerChart:
    """The median time in seconds that each model took to load, before it saw a text; a failed one is named only."""
    import altair as alt

    rows = rows_of(
        connection,
        "SELECT model, median(load_s) AS load_s FROM runtime WHERE task = 'g2p' GROUP BY model "
        "HAVING load_s IS NOT NULL OR bool_or(status = 'failed') ORDER BY load_s, model",
    )
    longest = max(row["load_s"] or 0.0 for row in rows) or 1.0
    values = [row | {"colour": names.colour(row["model"]), "text": _seconds(row["load_s"])} for row in rows]
    title = alt.TitleParams("Load time (median of the jobs)", anchor="start", frame="group", offset=6)
    y = alt.Y.from_dict(model_lines("model", {row["model"]: names.model(row["model"]) for row in rows}, 0))
    x = alt.X(
        "load_s:Q",
        title="Seconds before the first text (lower is better)",
        scale=alt.Scale(domain=(0, longest * 1.2), nice=False),
        axis=alt.Axis(tickCount=5),
    )
    base = alt.Chart(data_of(values), width=_PANEL_PX[0], height=ROW_PX * len(rows), title=title).encode(x=x, y=y)
    bars = base.mark_bar(height=10).encode(color=alt.Color("colour:N", scale=None))
    return bars + base.mark_text(align="left", dx=5, fontSize=11, color="#333").encode(text=alt.Text("text:N"))


def _seconds(load_s: float | None) -> str:
    if load_s is None:
        return "failed"
    return f"{load_s:.1f} s" if load_s >= 1 else f"{load_s:.2g} s"


def place_labels(
    points: Sequence[tuple[float, float]], texts: Sequence[str], width: float, height: float
) -> list[tuple[float, float, str]]:
    """Where each label stands, in pixels with y downwards: x, y of its middle line, and its alignment.

    A label is right or left of its point, or above or below it, as near as it covers no point and no other label and
    stays in the panel.
    """
    line, gap = 14.0, 8.0
    taken = [(x - 5, y - 5, x + 5, y + 5) for x, y in points]
    moves = sorted((k * line for k in range(-len(points) - 1, len(points) + 2)), key=abs)
    places = []
    for (x, y), text in zip(points, texts, strict=True):
        length = text_width(text)
        centred = max(0.0, min(x - length / 2, width - length))
        lefts = ((centred, "center"), (x + gap, "left"), (x - gap - length, "right"))
        boxes = [
            ((left, y + move - line / 2, left + length, y + move + line / 2), at)
            for move in moves
            for left, at in lefts
        ]
        box, align = next((b for b in boxes if _inside(b[0], width, height) and not _covers(b[0], taken)), boxes[0])
        taken.append(box)
        anchor = {"left": box[0], "center": (box[0] + box[2]) / 2, "right": box[2]}[align]
        places.append((anchor, (box[1] + box[3]) / 2, align))
    return places


def _inside(box: tuple[float, float, float, float], width: float, height: float) -> bool:
    return box[0] >= 0 and box[1] >= 0 and box[2] <= width and box[3] <= height


def _covers(box: tuple[float, float, float, float], taken: Sequence[tuple[float, float, float, float]]) -> bool:
    return any(box[0] < right and box[2] > left and box[1] < low and box[3] > top for left, top, right, low in taken)
