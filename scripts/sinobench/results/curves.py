"""The curves of the speech tasks: detection error trade-off, and LDER against the collar."""

from __future__ import annotations

import json
from statistics import NormalDist
from typing import TYPE_CHECKING

from sinobench.results.drawing import Names, finish, no_results, rows_of

if TYPE_CHECKING:
    import altair as alt
    import duckdb

_TICKS_PERCENT = (1, 2, 5, 10, 20, 40, 60, 80, 90, 95, 98, 99)
_PANEL_PX = 280
# A rate of 0 or 1 has no place on a probit axis.
_EDGE = 0.005


def det_curves(connection: duckdb.DuckDBPyConnection, names: Names) -> alt.TopLevelMixin:
    """Misses against false alarms of each lid model, a panel a development set, on the axes of normal deviates.

    English is the target; the plan's protocol.
    """
    import altair as alt

    title = "MERLIon CCS, Task 1: detection error trade-off"
    rows = rows_of(
        connection,
        f"""SELECT corpus, model, false_alarm, miss FROM lid_det
        WHERE protocol = 'plan' AND false_alarm BETWEEN {_EDGE} AND {1 - _EDGE} AND miss BETWEEN {_EDGE} AND {1 - _EDGE}
        ORDER BY corpus, model, false_alarm, miss DESC""",
    )
    if not rows:
        return no_results(title, names)
    for row in rows:
        row |= {name: NormalDist().inv_cdf(row[name]) for name in ("false_alarm", "miss")}
    places = {round(NormalDist().inv_cdf(percent / 100), 3): str(percent) for percent in _TICKS_PERCENT}
    texts = {str(round(place * 1000)): text for place, text in places.items()}
    label = f"{json.dumps(texts)}[round(datum.value * 1000)]"
    edge = NormalDist().inv_cdf(_EDGE)
    scale = alt.Scale(domain=[edge, -edge], nice=False)
    axes = [
        axis(f"{name}:Q", scale=scale, axis=alt.Axis(title=text, values=list(places), labelExpr=label))
        for axis, name, text in (
            (alt.X, "false_alarm", "Mandarin taken for English, %"),
            (alt.Y, "miss", "English missed, %"),
        )
    ]
    return finish(_lines(rows, names, *axes), title, "Plan protocol; the nearer to the lower left, the better", names)


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
    y = alt.Y("lder:Q", scale=alt.Scale(zero=True), axis=alt.Axis(title="LDER, %"))
    return finish(_lines(rows, names, x, y, point=True), title, "Plan protocol", names)


def _lines(rows: list[dict], names: Names, x: alt.X, y: alt.Y, point: bool = False) -> alt.TopLevelMixin:
    """A panel a corpus with a line a model."""
    import altair as alt

    models = {row["model"]: names.model(row["model"]) for row in rows}
    colours = alt.Scale(domain=list(models.values()), range=[names.colour(model) for model in models])
    colour = alt.Color("title:N", scale=colours, legend=alt.Legend(title=None, orient="bottom", columns=3))
    panels = []
    for corpus in dict.fromkeys(row["corpus"] for row in rows):
        values = [row | {"title": models[row["model"]], "place": i} for i, row in enumerate(rows)]
        chart = alt.Chart(
            alt.Data(values=[row for row in values if row["corpus"] == corpus]),
            width=_PANEL_PX,
            height=_PANEL_PX,
            title=alt.TitleParams(names.corpus(corpus), anchor="start", frame="group", offset=6),
        )
        panels.append(chart.mark_line(point=point, clip=True).encode(x=x, y=y, color=colour, order="place:O"))
    return alt.concat(*panels, columns=2, spacing=30)
