"""Vega-Lite specifications of the charts; each is drawn from the rows of one query, with titles in the place of ids."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

MODEL = {"field": "Model", "type": "nominal", "sort": None}
_LEGEND = {"orient": "top", "title": None}
_POINT = {"type": "point", "filled": True, "size": 65, "opacity": 1}
_LINE = {"type": "line", "point": {"size": 45, "filled": True}}
PERCENT = ".0%"
_EDGE = 0.005


def _scaled(field: str, title: str, kind: str = "quantitative", **others: object) -> dict:
    return {"field": field, "type": kind, "title": title, **others}


def _percent(field: str, title: str, zero: bool = True, **others: object) -> dict:
    axis = {"format": PERCENT, "tickCount": 6}
    return _scaled(field, title, axis=axis, scale={"zero": zero, "nice": True}, **others)


def _tips(*fields: tuple[str, str, str | None]) -> list[dict]:
    """Tooltips of field, heading and number format; None for text."""
    return [
        {"field": field, "title": title, "type": "quantitative" if form else "nominal"}
        | ({"format": form} if form else {})
        for field, title, form in fields
    ]


def _chosen(name: str, values: Sequence[Mapping]) -> tuple[dict, dict]:
    """A list of which readers choose, and the filter that goes with it."""
    options = list(dict.fromkeys(row[name] for row in values))
    bind = {"input": "select", "options": options, "name": f"{name} "}
    return (
        {"name": f"chosen_{name}", "value": options[0], "bind": bind},
        {"filter": f"datum[{name!r}] === chosen_{name}"},
    )


def _choices(values: Sequence[Mapping], *names: str) -> dict:
    """The parts of a specification by which readers choose one value of each of the columns."""
    pairs = [_chosen(name, values) for name in names]
    return {"params": [param for param, _ in pairs], "transform": [rule for _, rule in pairs]}


def finished(spec: Mapping, values: Sequence[Mapping], models: Sequence[str]) -> dict:
    """The specification with one look a model in all charts of a page, whichever of them a chart has.

    models: the titles of all models of the page, in their order.
    """
    here = {row.get("Model") for row in values}
    look = {"scale": {"domain": list(models)}, "sort": list(models)}

    def walk(part: object, key: str = "") -> object:
        if isinstance(part, Mapping):
            found = {name: walk(inner, name) for name, inner in part.items()}
            if part.get("field") == "Model" and key in ("color", "shape", "strokeDash"):
                found |= look | {"legend": _LEGEND | {"values": [model for model in models if model in here]}}
            elif part.get("field") == "Model" and key in ("xOffset", "yOffset"):
                found["sort"] = list(models)
            return found
        return [walk(inner) for inner in part] if isinstance(part, list) else part

    # As wide as the page, and as high as its parts together.
    return {"autosize": {"type": "fit-x", "contains": "padding"}, **walk(spec)}


def _lines(values: Sequence[Mapping], groups: str, height: int) -> int:
    """The height of a chart with a line a model in each group."""
    return height * max(2, len({row[groups] for row in values}) * len({row["Model"] for row in values}))


def quality(values: Sequence[Mapping], title: str, higher_is_better: bool) -> dict:
    """The headline of each model with its interval, a group a corpus; official figures as rings."""
    tips = _tips(
        ("Corpus", "Corpus", None),
        ("Model", "Model", None),
        ("value", "strict", ".2%"),
        ("ci_low", "from", ".2%"),
        ("ci_high", "to", ".2%"),
        ("official_value", "official", ".2%"),
    )
    better = "higher is better" if higher_is_better else "lower is better"
    x = {"type": "quantitative", "title": f"{title} ({better})", "axis": {"format": PERCENT, "tickCount": 6}}
    layers = {
        "ci_low": {"mark": {"type": "rule", "strokeWidth": 2.5}, "encoding": {"x2": {"field": "ci_high"}}},
        "value": {"mark": _POINT, "encoding": {}},
        "official_value": {
            "mark": {"type": "point", "filled": False, "size": 130, "strokeWidth": 1.3, "opacity": 0.9},
            "encoding": {},
        },
    }
    return {
        "width": "container",
        "height": _lines(values, "Corpus", 16),
        "encoding": {
            "y": {"field": "Corpus", "type": "nominal", "sort": None, "title": None, "axis": {"grid": False}},
            "yOffset": {"field": "Model", "sort": None},
            "color": MODEL,
            "tooltip": tips,
        },
        "layer": [
            layer
            | {
                "transform": [{"filter": f"isValid(datum.{field})"}],
                "encoding": layer["encoding"] | {"x": x | {"field": field}},
            }
            for field, layer in layers.items()
            if any(row[field] is not None for row in values)
        ],
    }


def speed(values: Sequence[Mapping], measure: str, title: str, headline: str, higher_is_better: bool) -> dict:
    """The headline against the speed of each model, a point a corpus; a line over the repetitions, if there are any."""
    x = {
        "type": "quantitative",
        "title": f"{title} (more is better)",
        "scale": {"type": "log"},
        "axis": {"format": "~s"},
    }
    tips = _tips(
        ("Corpus", "Corpus", None),
        ("Model", "Model", None),
        (measure, title, ",.3s"),
        ("measured", "measured", None),
        ("value", headline, ".2%"),
    )
    low, high = f"{measure}_min", f"{measure}_max"
    ranges = {
        "transform": [{"filter": f"isValid(datum.{low})"}],
        "mark": {"type": "rule", "strokeWidth": 2},
        "encoding": {"x": x | {"field": low}, "x2": {"field": high}},
    }
    ranged = any(row[low] is not None and row["value"] is not None for row in values)
    return {
        "width": "container",
        "height": 300,
        "transform": [{"filter": f"isValid(datum.value) && datum.{measure} > 0"}],
        "encoding": {
            "y": _percent("value", f"{headline} ({'higher' if higher_is_better else 'lower'} is better)"),
            "color": MODEL,
            "tooltip": tips,
        },
        "layer": [  # one without a mark would be a picture without words to who does not see it
            *([ranges] if ranged else []),
            {"mark": _POINT | {"size": 90}, "encoding": {"x": x | {"field": measure}, "shape": MODEL}},
        ],
    }


def confusions(values: Sequence[Mapping]) -> dict:
    """What was expected against what a model gave, of one corpus, model and part; what is right is left blank."""
    axis = {"type": "nominal", "sort": "ascending"}
    choices = _choices(values, "Corpus", "Model", "Part")
    wrong = "datum.expected !== datum.predicted"
    return {
        "width": "container",
        "height": 380,
        "params": choices["params"],
        "transform": [
            *choices["transform"],
            {"joinaggregate": [{"op": "sum", "field": "n", "as": "total"}], "groupby": ["expected"]},
            {"calculate": "datum.n / datum.total", "as": "share"},
            {"filter": wrong},
        ],
        "encoding": {
            "x": axis
            | {
                "field": "predicted",
                "title": "given",
                "axis": {"labelAngle": 0, "labelExpr": "datum.value === 'null' ? 'none' : datum.label"},
            },
            "y": axis | {"field": "expected", "title": "expected"},
            "tooltip": _tips(
                ("expected", "expected", None),
                ("predicted", "given", None),
                ("n", "times", ",d"),
                ("share", "share", ".1%"),
            ),
        },
        "layer": [
            {
                "mark": "rect",
                "encoding": {
                    "color": {
                        "field": "share",
                        "type": "quantitative",
                        "title": "share of the expected",
                        "scale": {"range": ["#dce9ff", "#5f9dff"]},
                        "legend": {"format": ".1%", "orient": "top"},
                    }
                },
            },
            {
                "mark": {"type": "text", "fontSize": 11, "color": "#111"},
                "encoding": {"text": {"field": "n", "type": "quantitative"}},
            },
        ],
    }


def recall_by_error_type(values: Sequence[Mapping]) -> dict:
    """The share of errors that were corrected, by their type, of one corpus."""
    return _choices(values, "Corpus") | {
        "width": "container",
        "height": _lines(values, "error_type", 18),
        "encoding": {
            "y": {
                "field": "error_type",
                "type": "nominal",
                "sort": {"field": "n_errors", "order": "descending"},
                "title": None,
            },
            "yOffset": {"field": "Model"},
            "color": MODEL,
            "tooltip": _tips(
                ("Model", "Model", None),
                ("n_errors", "errors", ",d"),
                ("corrected", "corrected", ".1%"),
                ("detected", "found", ".1%"),
            ),
        },
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {
                    "x": _percent("ci_low", "errors corrected (higher is better)"),
                    "x2": {"field": "ci_high"},
                },
            },
            {"mark": _POINT, "encoding": {"x": _percent("corrected", "errors corrected (higher is better)")}},
        ],
    }


def edits_by_outcome(values: Sequence[Mapping]) -> dict:
    """What became of errors, and right characters that were changed, of one corpus."""
    return _choices(values, "Corpus") | {
        "width": "container",
        "height": _lines(values, "outcome", 16),
        "mark": "bar",
        "encoding": {
            "y": {"field": "outcome", "type": "nominal", "title": None, "sort": "-x"},
            "yOffset": {"field": "Model"},
            "x": _scaled("n", "characters", aggregate="sum"),
            "color": {"field": "error_type", "type": "nominal", "legend": _LEGEND},
            "tooltip": _tips(("Model", "Model", None), ("error_type", "kind", None), ("n", "characters", ",d")),
        },
    }


def det(values: Sequence[Mapping]) -> dict:
    """Misses against false alarms on the axes of normal deviates; dots on the diagonal are the equal error rates.

    A rate of 0 or 1 has no place on such an axis: it is drawn on the frame.
    """
    ticks = [f"quantileNormal({rate})" for rate in (0.01, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99)]
    frame = {"domain": [{"expr": f"quantileNormal({end})"} for end in (_EDGE, 1 - _EDGE)], "nice": False, "zero": False}
    axis = {"values": {"expr": f"[{', '.join(ticks)}]"}, "labelExpr": "format(cumulativeNormal(datum.value), '.0%')"}

    def placed(rate: str, name: str) -> dict:
        return {"calculate": f"quantileNormal(clamp(datum.{rate}, {_EDGE}, {1 - _EDGE}))", "as": name}

    x, y = (
        _scaled(name, title, scale=frame, axis=axis)
        for name, title in (
            ("x", "Mandarin taken for English (lower is better)"),
            ("y", "English missed (lower is better)"),
        )
    )
    diagonal = [{"x": end, "y": end} for end in (-2.575, 2.575)]
    choices = _choices(values, "Corpus")
    return {
        "params": choices["params"],
        "width": "container",
        "height": 380,
        "layer": [
            {
                "data": {"values": diagonal},
                "mark": {"type": "line", "strokeDash": [4, 4], "strokeWidth": 1, "color": "#888", "clip": True},
                "encoding": {"x": x, "y": y},
            },
            {
                "transform": [*choices["transform"], placed("false_alarm", "x"), placed("miss", "y")],
                "mark": {"type": "line", "strokeWidth": 2},
                "encoding": {"x": x, "y": y, "order": {"field": "false_alarm"}, "color": MODEL, "strokeDash": MODEL},
            },
            {
                "transform": [
                    *choices["transform"],
                    {"aggregate": [{"op": "max", "field": "eer", "as": "eer"}], "groupby": ["Model"]},
                    placed("eer", "x"),
                    placed("eer", "y"),
                ],
                "mark": _POINT,
                "encoding": {
                    "x": x,
                    "y": y,
                    "color": MODEL,
                    "tooltip": _tips(("Model", "Model", None), ("eer", "EER", ".2%")),
                },
            },
        ],
    }


def reliability(values: Sequence[Mapping]) -> dict:
    """How often English is spoken where a model gives it a probability; on the diagonal it says what is so."""
    x = _percent("given", "probability of English that the model gives")
    y = _percent("spoken", "share that is English")
    return _choices(values, "Corpus") | {
        "width": "container",
        "height": 340,
        "layer": [
            {
                "data": {"values": [{"given": end, "spoken": end} for end in (0, 1)]},
                "mark": {"type": "line", "strokeDash": [4, 4], "strokeWidth": 1, "color": "#888"},
                "encoding": {"x": x, "y": y},
            },
            {
                "mark": _LINE,
                "encoding": {
                    "x": x,
                    "y": y,
                    "color": MODEL,
                    "tooltip": _tips(
                        ("Model", "Model", None),
                        ("given", "given", ".1%"),
                        ("spoken", "English", ".1%"),
                        ("n", "segments", ",d"),
                    ),
                },
            },
        ],
    }


def by_duration(values: Sequence[Mapping]) -> dict:
    """Accuracy with its interval by the duration of a segment."""
    x = {
        "field": "duration_s",
        "type": "ordinal",
        "title": "duration of the segment, s",
        "sort": None,
        "axis": {"labelAngle": 0},
    }
    return _choices(values, "Corpus") | {
        "width": "container",
        "height": 300,
        "encoding": {"x": x, "xOffset": {"field": "Model"}, "color": MODEL},
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {
                    "y": _percent("ci_low", "accuracy (higher is better)", zero=False),
                    "y2": {"field": "ci_high"},
                },
            },
            {
                "mark": _POINT,
                "encoding": {
                    "y": _percent("accuracy", "accuracy (higher is better)", zero=False),
                    "tooltip": _tips(
                        ("Model", "Model", None), ("accuracy", "accuracy", ".1%"), ("n_segments", "segments", ",d")
                    ),
                },
            },
        ],
    }


def lder_parts(values: Sequence[Mapping]) -> dict:
    """Miss, false alarm and confusion of each model at one collar."""
    return _choices(values, "Corpus", "Collar") | {
        "width": "container",
        "height": 36 * len({row["Model"] for row in values}),
        "mark": "bar",
        "encoding": {
            "y": {"field": "Model", "type": "nominal", "sort": None, "title": None},
            "x": _percent("rate", "share of the reference's time (lower is better)"),
            "color": {"field": "part", "type": "nominal", "legend": _LEGEND},
            "tooltip": _tips(("Model", "Model", None), ("part", "part", None), ("rate", "rate", ".1%")),
        },
    }


def lder_by_collar(values: Sequence[Mapping]) -> dict:
    """LDER of each model against the collar."""
    return _choices(values, "Corpus") | {
        "width": "container",
        "height": 280,
        "mark": _LINE,
        "encoding": {
            "x": _scaled("collar_ms", "collar on either side of a bound, ms"),
            "y": _percent("lder", "LDER (lower is better)"),
            "color": MODEL,
            "strokeDash": MODEL,
            "tooltip": _tips(("Model", "Model", None), ("collar_ms", "collar, ms", ",d"), ("lder", "LDER", ".1%")),
        },
    }


def near_switches(values: Sequence[Mapping]) -> dict:
    """LDER within a distance of a language switch as dots, elsewhere as rings."""
    tips = _tips(
        ("Model", "Model", None),
        ("within_s", "within, s", None),
        ("lder", "LDER there", ".1%"),
        ("miss", "miss", ".1%"),
        ("false_alarm", "false alarm", ".1%"),
        ("confusion", "confusion", ".1%"),
        ("lder_elsewhere", "LDER elsewhere", ".1%"),
    )
    title = "LDER (lower is better)"
    return _choices(values, "Corpus") | {
        "width": "container",
        "height": 260,
        "encoding": {
            "x": _scaled("within_s", "distance from a switch, s", "ordinal", axis={"labelAngle": 0}),
            "xOffset": {"field": "Model"},
            "color": MODEL,
            "tooltip": tips,
        },
        "layer": [
            {"mark": _POINT, "encoding": {"y": _percent("lder", title)}},
            {
                "mark": {"type": "point", "filled": False, "size": 110, "opacity": 1},
                "encoding": {"y": _percent("lder_elsewhere", title)},
            },
        ],
    }
