"""The pictures of the leaderboards: charts from queries on the database's views.

Values are fractions in the database and percentages here. A model has its value in the definition's protocol, by which
models are ranked, and in the official one, which is all that others publish: published values stand beside those, below
the models of this run and by name. A model has one colour in all pictures.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from sinobench.results.boards import STRICT, Board, Measure
from sinobench.results.drawing import (
    ROW_PX,
    Names,
    cjk_font,
    counted,
    finish,
    model_lines,
    no_results,
    read_names,
    save,
    text_width,
)
from sinobench.results.reading import rows_of
from sinobench.results.runtime import g2p_runtime

if TYPE_CHECKING:
    import altair as alt
    import duckdb

__all__ = ["Names", "cjk_font", "g2p_runtime", "leaderboard", "read_names", "save"]

# Shape, filling and size of a mark. The ring is wider than the dot, and stands around it where the protocols agree.
_MARKS = {
    "definition": ("circle", True, 50),
    "official": ("circle", False, 130),
    "published": ("diamond", False, 75),
}
_NUMBER_PX = 44


def leaderboard(connection: duckdb.DuckDBPyConnection, board: Board, names: Names) -> alt.TopLevelMixin | dict:
    """A grid of dot plots: a row a corpus, the pooled ones first, a column a measure, a line a model."""
    rows = _rows(connection, board)
    if not rows:
        return no_results(board.title, names)
    for row in rows:
        row |= {
            "label": _place(row) + names.model(row["model"]) + _remark(row),
            "colour": names.colour(row["model"]),
        }
    notes = _notes(connection, board, rows, names)
    kinds = [kind for kind in _MARKS if any(row["published"] == (kind == "published") for row in rows)]
    last, domains = rows[-1]["corpus"], _domains(board.panels, rows)
    extent = max(text_width(row["label"]) for row in rows) + 8  # one for all, or the panels' titles don't stand in line
    panels = []
    for corpus, group in groupby(rows, lambda row: row["corpus"]):
        lines = list(group)
        for measure in board.panels:
            first = measure is board.panels[0]
            title = [measure.title, f"({measure.better} is better)"]
            axis = {"title": title} if corpus == last else {"title": None, "labels": False, "ticks": False}
            scale = {"domain": domains[measure.better], "nice": False}
            x = {"field": "value", "type": "quantitative", "scale": scale, "axis": {"tickCount": 5} | axis}
            panel = _panel(lines, measure, x, extent if first else None, kinds, board)
            if first:
                look = {"anchor": "start", "frame": "bounds"}
                panel["title"] = {"text": names.corpus(corpus), "subtitle": notes[corpus]} | look
            panels.append(panel)
    shared = {"scale": dict.fromkeys(("shape", "fill", "stroke"), "shared")}
    grid = {"concat": panels, "columns": len(board.panels), "spacing": {"row": 16, "column": 14}, "resolve": shared}
    by = board.by.title.removesuffix(", %")
    subtitle = f"Models by {by[0].lower()}{by[1:]} in the {STRICT} protocol"
    if any(row["tied_with"] for row in rows):
        subtitle += "; = marks those that differ by no more than chance from another"
    if "published" in kinds:
        subtitle += "; published figures are official ones and have no rank"
    return finish(grid, board.title, subtitle, names)


def _rows(connection: duckdb.DuckDBPyConnection, board: Board) -> list[dict]:
    """The board in percent, as panels and the models in them follow one another."""
    metrics = [measure.metric for measure in board.panels]
    values = ", ".join(f"{name} * 100 AS {name}" for metric in metrics for name in (metric, f"official_{metric}"))
    where = "subset = 'all'" if board.subsets else "true"
    by = f"{board.headline} DESC" if board.by.better == "higher" else board.headline
    return rows_of(
        connection,
        f"""SELECT corpus, model, rank, tied_with, n_items, coverage, published, failure, {values}
        FROM leaderboard_{board.task} LEFT JOIN (SELECT corpus, rowid AS place FROM corpora) USING (corpus)
        WHERE {where} ORDER BY place NULLS FIRST, corpus, published, rank, {by}, lower(model)""",
    )


def _notes(
    connection: duckdb.DuckDBPyConnection, board: Board, rows: Sequence[Mapping], names: Names
) -> dict[str, str]:
    """What stands below the title of each corpus: its registers, and on how much models were scored."""
    registers = dict(
        connection.execute(
            "SELECT corpus, list_sort(list(DISTINCT split_part(subset, '=', 2))) FROM metrics "
            "WHERE task = ? AND subset LIKE 'register=%' GROUP BY corpus",
            [board.task],
        ).fetchall()
    )
    notes = {}
    for corpus in dict.fromkeys(row["corpus"] for row in rows):
        found = names.drawable(registers.get(corpus, []))
        parts = [f"{'registers' if len(found) > 1 else 'register'} {' + '.join(found)}"] if found else []
        # Of published rows only where there are no others; those may come without a number.
        n = next((row["n_items"] for row in rows if row["corpus"] == corpus and row["n_items"] is not None), None)
        notes[corpus] = ", ".join(parts + ([] if n is None else [counted(n, board.counted)]))
    return notes


def _domains(measures: Sequence[Measure], rows: Sequence[Mapping]) -> dict[str, tuple[float, float]]:
    """The axes by the better direction: a percentage point is as long on all, from 0 upwards or from 100 downwards."""
    distances = [
        100 - row[column] if measure.better == "higher" else row[column]
        for measure in measures
        for column in (measure.metric, f"official_{measure.metric}")
        for row in rows
        if row[column] is not None
    ]
    farthest = max(distances, default=0.0)
    span = 100.0 if 90 < farthest <= 100 else math.ceil(farthest / 10 + 0.1) * 10.0
    return {"lower": (0.0, span), "higher": (100.0 - span, 100.0)}


def _panel(
    rows: Sequence[Mapping], measure: Measure, x: Mapping, extent: float | None, kinds: Sequence[str], board: Board
) -> dict:
    """One corpus and measure, the numbers beside the dots.

    extent: pixels for the models' names, None without them; kinds: the marks that the picture has.
    """
    numbers = [kind for kind in kinds if kind != "published"] or ["official"]
    values = []
    for row in rows:
        for kind in numbers if not row["published"] else ["official"]:
            value = row[measure.metric if kind == "definition" else f"official_{measure.metric}"]
            text = "–" if value is None else f"{value:.{measure.decimals}f}"
            mark = "published" if row["published"] else kind
            found = {"line": row["model"], "colour": row["colour"], "value": value, "text": text}
            values.append(found | {"mark": mark, "number": kind})
    y = model_lines("line", {row["model"]: row["label"] for row in rows}, extent)
    dot = {"x": x, "y": y, "color": {"field": "colour", "type": "nominal", "scale": None}}
    dots = [
        {
            "transform": [{"filter": "isValid(datum.value)"}, {"filter": f"datum.mark === '{kind}'"}],
            "mark": {"type": "point", "shape": shape, "filled": filled, "size": size, "strokeWidth": 1.6, "opacity": 1},
            "encoding": dot,
        }
        for kind, (shape, filled, size) in _MARKS.items()
    ]
    texts = []
    for place, kind in enumerate(numbers, start=1):
        right = {"value": board.panel_px + place * _NUMBER_PX}
        mark = {"type": "text", "align": "right"}
        own = {"x": right, "y": y, "text": {"field": "text", "type": "nominal"}}
        name = {"x": right, "y": {"value": -8}, "text": {"value": STRICT if kind == "definition" else kind}}
        texts += [
            {
                "transform": [{"filter": f"datum.number === '{kind}'"}],
                "mark": mark | {"color": "#333", "fontSize": 11},
                "encoding": own,
            },
            {"data": {"values": [{}]}, "mark": mark | {"color": "#777", "fontSize": 10}, "encoding": name},
        ]
    layers = [_key(y, kinds, board), *dots, *texts]
    size = {"width": board.panel_px, "height": ROW_PX * len(rows)}
    return {"data": {"values": values}, "layer": layers} | size


def _key(y: Mapping, kinds: Sequence[str], board: Board) -> dict:
    """Invisible marks that carry the legend: Vega's legends can't show the opacity of a filling."""
    titles = {"definition": f"{STRICT} protocol", "official": "official protocol"}
    domain = [titles.get(kind, "published, official protocol") for kind in kinds]
    shapes, filled, _ = zip(*(_MARKS[kind] for kind in kinds), strict=True)
    ranges = {"stroke": ["#555"], "fill": ["#555" if full else "#fff" for full in filled], "shape": list(shapes)}
    key = {"field": "key", "type": "nominal", "legend": {"title": None, "orient": "bottom", "symbolOpacity": 1}}
    encoding = {channel: key | {"scale": {"domain": domain, "range": found}} for channel, found in ranges.items()}
    mark = {"type": "point", "opacity": 0, "strokeWidth": 1.5}
    return {"mark": mark, "encoding": {"x": {"value": 0}, "y": y} | encoding}


def _place(row: Mapping) -> str:
    """The rank before a model's title, with = where another model shares or may share it."""
    return "" if row["rank"] is None else f"{row['rank']}{'=' if row['tied_with'] else '.'} "


def _remark(row: Mapping) -> str:
    """What stands beside a model's title; a coverage is rounded down, so that a gap never reads 100 %."""
    if row["published"]:
        return ", published"
    if row["failure"]:
        return ", failed"
    if row["coverage"] is None or row["coverage"] >= 1:
        return ""
    return f" ({math.floor(row['coverage'] * 1000) / 10:.1f} % covered)"
