"""How values stand in the cells of tables, by the kind of their column."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from sinobench.report.material import Column
from sinobench.report.tasks import TASKS, measure_title
from sinobench.results.drawing import Names

NONE = "–"
_ORIGINS = {"synthetic": "synthetic", "joined": "joined clips"}


def shown(row: Mapping, column: Column, names: Names) -> str:
    """The text of a cell."""
    value = row.get(column.name)
    if column.kind == "remarks":
        return remarks(row)
    if column.kind == "interval":
        bounds = [row.get(f"{column.name}_{end}") for end in ("low", "high")]
        return " to ".join(map(rounded, bounds)) if in_bits(row) and None not in bounds else interval(*bounds)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return NONE
    if column.kind == "models":
        return ", ".join(map(names.model, value.replace(" ", "").split(","))) or NONE
    if column.kind == "percent" and in_bits(row):
        return rounded(value)
    if column.kind in ("model", "corpus"):
        return getattr(names, column.kind)(value)
    return _KINDS.get(column.kind, str)(value)


def order(row: Mapping, column: Column) -> str | float | None:
    """What a cell is sorted by; None where that is its text. What is absent stands last in rising order."""
    if column.kind not in _NUMBERS:
        return None
    value = row.get(f"{column.name}_low" if column.kind == "interval" else column.name)
    return value if value is not None and math.isfinite(value) else ""


def in_bits(row: Mapping) -> bool:
    """Whether the row is of a metric that is no fraction."""
    return str(row.get("metric")).endswith("cllr")


def is_number(column: Column) -> bool:
    """Whether its cells stand to the right."""
    return column.kind in _NUMBERS


def percent(value: float) -> str:
    """A fraction as a percentage with two digits after the point."""
    return f"{value * 100:.2f}"


def interval(low: float | None, high: float | None) -> str:
    """The bounds of an interval as percentages."""
    return NONE if low is None or high is None else f"{low * 100:.2f} to {high * 100:.2f}"


def covered(value: float) -> str:
    """A coverage in percent, rounded down, so that a gap never reads 100."""
    return f"{math.floor(value * 1000) / 10:g}"


def remarks(row: Mapping) -> str:
    """What readers should know before they compare a row of a leaderboard."""
    found = [f"failed: {row['failure']}"] if row["failure"] else []
    return "; ".join([*found, *filter(None, [row.get("warning")])])


def badges(row: Mapping) -> list[str]:
    """What sets a model of a leaderboard apart from the others, in a word."""
    marks = {
        "published": row.get("published"),
        "failed": row.get("failure"),
        "not all covered": (row.get("coverage") or 1) < 1,
        "contaminated": row.get("contaminated"),
        "suspect outputs": row.get("warning"),
        "inspected": row.get("trust") == "pinned" and not row.get("failure"),
        "unverified": row.get("trust") == "unverified",
        "flagged": row.get("trust") == "flagged",
    }
    return [name for name, holds in marks.items() if holds]


def corpus_badge(origin: str | None) -> str | None:
    """What sets a corpus apart from recordings as they were made, in a word or two."""
    return _ORIGINS.get(origin)


def rounded(value: float) -> str:
    """Three digits that count."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    digits = max(0, 2 - math.floor(math.log10(abs(value))))
    return f"{value:,.{min(digits, 6)}f}"


def listed(values: Sequence[str]) -> str:
    """Several values in one cell."""
    return ", ".join(values)


_KINDS: dict[str, Callable[[float], str]] = {
    "percent": percent,
    "coverage": covered,
    "task": lambda value: TASKS[value].title if value in TASKS else "MERLIon CCS",
    "metric": measure_title,
    "list": listed,
    "count": lambda value: f"{value:,.0f}",
    "number": rounded,
}
_NUMBERS = ("percent", "coverage", "count", "number", "interval")
