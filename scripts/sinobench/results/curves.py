"""The curves of the speech tasks: detection error trade-off, and LDER against the collar."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING

from sinobench.results.drawing import Names, data_of, finish, no_results
from sinobench.results.reading import rows_of

if TYPE_CHECKING:
    import altair as alt
    import duckdb

_TICKS_PERCENT = (1, 2, 5, 10, 20, 40, 60, 80, 90, 95, 99)
_PANEL_PX = 300
# A rate of 0 or 1 has no place on a probit axis: it is drawn on the frame.
_EDGE = 0.005
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3])


def det_curves(connection: duckdb.DuckDBPyConnection, names: Names) -> alt.TopLevelMixin:
    """Misses against false alarms of each lid model, a panel a development set, on the axes of normal deviates.

    English is the target; the plan's protocol. On the diagonal, where misses and false alarms are as frequent, stands
    each model's EER; it is that of the convex hull, which may lie a little nearer to the corner than the curve.
    """
    import altair as alt

    title = "MERLIon CCS, Task 1: detection error trade-off"
    curves = rows_of(
        connection,
        "SELECT corpus, model, false_alarm, miss FROM lid_det WHERE protocol = 'strict' "
        "ORDER BY corpus, model, false_alarm, miss DESC",
    )
    if not curves:
        return no_results(title, names)
    for row in curves:
        row |= {name: _probit(row[name]) for name in ("false_alarm", "miss")}
    points = rows_of(
        connection, "SELECT corpus, model, eer FROM leaderboard_lid WHERE eer IS NOT NULL ORDER BY corpus, eer, model"
    )
    places = {round(_probit(percent / 100), 3): str(percent) for percent in _TICKS_PERCENT}
    texts = {str(round(place * 1000)): text for place, text in places.items()}
    label = f"{json.dumps(texts)}[round(datum.value * 1000)]"
    scale = alt.Scale(domain=[_probit(0), _probit(1)], nice=False)
    x, y = (
        axis(f"{name}:Q", scale=scale, axis=alt.Axis(title=text, values=list(places), labelExpr=label))
        for axis, name, text in (
            (alt.X, "false_alarm", "Mandarin taken for English, % (lower is better)"),
            (alt.Y, "miss", "English missed, % (lower is better)"),
        )
    )
    ends = [{"false_alarm": end, "miss": end} for end in (_probit(0), _probit(1))]
    diagonal = alt.Chart(data_of(ends)).mark_line(color="#888", strokeWidth=1, strokeDash=[3, 3])
    look, layers = _look(curves, names, None), {}
    for corpus in dict.fromkeys(row["corpus"] for row in curves):
        own = [row for row in points if row["corpus"] == corpus]
        layers[corpus] = [diagonal.encode(x=x, y=y), *_eer_points(own, x, y, look, names)]
    subtitle = "Strict protocol; the dots on the diagonal are the equal error rates (EER)"
    return finish(_lines(curves, names, x, y, look, layers), title, subtitle, names)


def _probit(rate: float) -> float:
    return NormalDist().inv_cdf(min(max(rate, _EDGE), 1 - _EDGE))


def _eer_points(
    rows: Sequence[dict], x: alt.X, y: alt.Y, look: tuple[alt.Color, alt.StrokeDash], names: Names
) -> list[alt.Chart]:
    """A dot a model on the diagonal, and in the upper right corner, which is worse than chance, the list of them."""
    import altair as alt

    values = [
        {
            "false_alarm": _probit(row["eer"]),
            "miss": _probit(row["eer"]),
            "colour": names.colour(row["model"]),
            "title": names.model(row["model"]),
            "text": f"{names.model(row['model'])}  {row['eer'] * 100:.1f}",
            "at": 26 + 15 * place,
        }
        for place, row in enumerate(rows)
    ]
    base = alt.Chart(data_of(values))
    dots = base.mark_circle(size=70, opacity=1, stroke="white", strokeWidth=1)
    dots = dots.encode(x=x, y=y, fill=alt.Fill("colour:N", scale=None))
    place, right = alt.Y("at:Q", scale=None), alt.XValue(_PANEL_PX - 28)
    ends = {"x": alt.XValue(_PANEL_PX - 23), "x2": alt.X2Value(_PANEL_PX - 5)}
    marks = base.mark_rule(strokeWidth=2).encode(**ends, y=place, color=look[0], strokeDash=look[1])
    texts = [
        base.mark_text(align="right", fontSize=11, **look).encode(x=right, y=place, text=alt.Text("text:N"))
        for look in ({"stroke": "white", "strokeWidth": 4}, {})
    ]
    heading = alt.Chart(data_of([{}])).mark_text(align="right", fontSize=10, color="#777", text="EER, %")
    return [dots, marks, *texts, heading.encode(x=right, y=alt.YValue(11))]


def collar_curves(connection: duckdb.DuckDBPyConnection, names: Names) -> alt.TopLevelMixin:
    """LDER of each ld model against the collar around the reference's bounds, a panel a development set."""
    import altair as alt

    title = "MERLIon CCS, Task 2: LDER against the collar"
    rows = rows_of(
        connection,
        "SELECT corpus, model, collar_ms, lder * 100 AS lder FROM ld_collars WHERE lder IS NOT NULL "
        "ORDER BY corpus, model, collar_ms",
    )
    if not rows:
        return no_results(title, names)
    x = alt.X("collar_ms:Q", axis=alt.Axis(title="Collar on either side of a bound, ms", tickCount=5))
    most = math.ceil(max(row["lder"] for row in rows) / 10 + 0.1) * 10
    y_axis = alt.Axis(title="LDER, % (lower is better)")
    y = alt.Y("lder:Q", scale=alt.Scale(domain=[0, most], nice=False), axis=y_axis)
    legend = alt.Legend(title=None, orient="bottom", columns=2, symbolType="stroke", symbolSize=400)
    grid = _lines(rows, names, x, y, _look(rows, names, legend), {}, points=True)
    return finish(grid, title, "Strict protocol", names)


def _look(rows: Sequence[dict], names: Names, legend: alt.Legend | None) -> tuple[alt.Color, alt.StrokeDash]:
    """Colour and dashes of the models' lines, by title: of models that share a colour, all but the first are dashed."""
    import altair as alt

    models, used, dashes = list(dict.fromkeys(row["model"] for row in rows)), Counter(), []
    for colour in map(names.colour, models):
        dashes.append(_DASHES[used[colour] % len(_DASHES)])
        used[colour] += 1
    domain = [names.model(model) for model in models]
    colours = alt.Scale(domain=domain, range=[names.colour(model) for model in models])
    return (
        alt.Color("title:N", scale=colours, legend=legend),
        alt.StrokeDash("title:N", scale=alt.Scale(domain=domain, range=dashes), legend=legend),
    )


def _lines(
    rows: Sequence[dict],
    names: Names,
    x: alt.X,
    y: alt.Y,
    look: tuple[alt.Color, alt.StrokeDash],
    layers: Mapping[str, Sequence[alt.Chart]],
    points: bool = False,
) -> alt.TopLevelMixin:
    """A panel a corpus with a line a model, all on the same axes; layers: what else stands in a corpus's panel."""
    import altair as alt

    values = [
        row | {"title": names.model(row["model"]), "colour": names.colour(row["model"]), "place": i}
        for i, row in enumerate(rows)
    ]
    panels = []
    for corpus in dict.fromkeys(row["corpus"] for row in rows):
        base = alt.Chart(data_of([row for row in values if row["corpus"] == corpus])).encode(x=x, y=y)
        shown = [base.mark_line(strokeWidth=1.8).encode(color=look[0], strokeDash=look[1], order=alt.Order("place:O"))]
        if points:
            shown.append(base.mark_circle(size=45, opacity=1).encode(fill=alt.Fill("colour:N", scale=None)))
        title = alt.TitleParams(names.corpus(corpus), anchor="start", frame="group", offset=6)
        panel = alt.layer(*shown, *layers.get(corpus, []))
        panels.append(panel.properties(width=_PANEL_PX, height=_PANEL_PX, title=title))
    return alt.concat(*panels, columns=2, spacing=30)
