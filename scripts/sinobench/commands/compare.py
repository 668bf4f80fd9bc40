"""``sinobench compare``: systems on the same items, what tells them apart, how surely, and on which items."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.commands import scored
from sinobench.commands.layout import FORMATS, Layout, render
from sinobench.commands.scored import PROTOCOLS, System
from sinobench.errors import InputError

if TYPE_CHECKING:
    from sinobench.results.boards import Board, Measure
    from sinobench.results.statistics.resampling import Settings

N_ITEMS = 10  # that decide


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that the comparisons of all tasks share."""
    scored.add_statistics(parser)
    parser.add_argument("--format", choices=(FORMATS[0], "json", *FORMATS[1:]), default="table")


def run(options: argparse.Namespace) -> str:
    """What ``compare`` prints; raises Incomplete and InputError as ``score`` of each system."""
    given = scored.settings(options)
    if len(options.systems) < 2:
        raise InputError("one system can't be compared; name two or more")
    module = import_module(f"sinobench.{options.task}.command")
    board = import_module(f"sinobench.{options.task}.board").BOARD
    names, systems = named(options.systems), module.read_systems(options)
    result = compare(names, systems, options.task, board, given)
    reasons = [reason for system in systems for reason in system.result.get("refused", {}).values()]
    lines = [] if options.format == "json" else [render(_layouts(result, names, systems, board), options.format)]
    return scored.answer(options.format, result, lines, reasons)


def named(systems: Sequence[str]) -> list[str]:
    """A name for each: that of its file, or its path where two files are called the same; never one twice."""
    names = [Path(path).name for path in systems]
    if len(set(names)) < len(names):
        names = list(systems)
    return [name if name not in names[:i] else f"{name} ({i + 1})" for i, name in enumerate(names)]


def compare(
    names: Sequence[str], systems: Sequence[System], task: str, board: Board, given: Settings, *key: str
) -> dict:
    """The figures of the systems, their differences by pair and metric, their ranks, and the items that decide.

    A comparison is the system less the other, which stands before it. Holm's family is all pairs of a metric under a
    protocol. key: of the random streams, beside the task.
    """
    comparisons = list(_comparisons(names, systems, given, task, *key))
    _correct(comparisons)
    shown = []
    for name, system in zip(names, systems, strict=True):
        differences = _differences(system.result, systems[0].result)
        intervals = scored.intervals_of(system, given, task, *key)
        shown.append({"system": name, **system.result, "difference": differences, "intervals": intervals})
    n_deciding, places = _deciding(systems)
    return {
        "systems": shown,
        "comparisons": comparisons,
        "ranks": list(_ranks(shown, comparisons, board, given)),
        "n_deciding_items": n_deciding,
        "items": _item_rows(names, systems, places),
        "statistics": vars(given),
    }


def _comparisons(names: Sequence[str], systems: Sequence[System], given: Settings, *key: str) -> Iterator[dict]:
    from sinobench.results.statistics.comparison import differences

    for (other, first), (name, second) in combinations(zip(names, systems, strict=True), 2):
        for group in first.scores.keys() & second.scores.keys():
            for a, b in zip(second.scores[group], first.scores[group], strict=True):
                for metric, found in differences(a, b, given, *key, name, other).items():
                    if not metric.startswith("floor_") and metric not in a.counts:
                        bounds = {"ci_low": found.low, "ci_high": found.high, "interval": found.kind}
                        others = {
                            name: value for name, value in vars(found).items() if name not in ("low", "high", "kind")
                        }
                        yield {"system": name, "other": other, "protocol": group, "metric": metric} | others | bounds


def _correct(comparisons: Sequence[dict]) -> None:
    """Add what Holm's correction makes of the p of each family."""
    from sinobench.results.statistics.comparison import holm

    families: dict[tuple, list[dict]] = {}
    for row in comparisons:
        row["p_holm"] = None
        if row["p"] is not None:
            families.setdefault((row["protocol"], row["metric"]), []).append(row)
    for rows in families.values():
        for row, p in zip(rows, holm([row["p"] for row in rows]), strict=True):
            row["p_holm"] = p


def _ranks(systems: Sequence[dict], comparisons: Sequence[dict], board: Board, given: Settings) -> Iterator[dict]:
    """By protocol and measure of the board the ranks, with letters that systems share which do not differ."""
    from sinobench.results.statistics.comparison import letters, ranks

    for protocol, measure in _measures(board):
        values = {s["system"]: (s[protocol] or {}).get(measure.metric) for s in systems}
        values = {name: value for name, value in values.items() if value is not None}
        rows = [row for row in comparisons if (row["protocol"], row["metric"]) == (protocol, measure.metric)]
        differing = {
            frozenset((row["system"], row["other"]))
            for row in rows
            if row["p_holm"] is not None and row["p_holm"] <= 1 - given.level
        }
        sign = -1 if measure.better == "higher" else 1
        best_first = sorted(values, key=lambda name, sign=sign, values=values: sign * values[name])
        rank = ranks(values, differing, measure.better)
        letter = letters(best_first, differing)
        for name in best_first:
            tied = [other for other in best_first if other != name and frozenset((name, other)) not in differing]
            row = {"protocol": protocol, "metric": measure.metric, "system": name, "value": values[name]}
            yield row | {"rank": rank[name], "letters": letter[name], "tied_with": tied}


def _measures(board: Board) -> Iterator[tuple[str, Measure]]:
    """Protocol and measure of what the tables show."""
    for protocol in reversed(PROTOCOLS):
        yield from ((protocol, measure) for measure in board.panels if protocol in measure.protocols)


def _deciding(systems: Sequence[System]) -> tuple[int | None, list[int]]:
    """How many items tell the systems apart, None where that is not known, and the places of those that do most.

    One system is right there and another one most wrong; where nobody is quite right, they are furthest apart.
    """
    import numpy as np

    if any(system.items is None for system in systems):
        return None, []
    cost = np.array([system.items.cost for system in systems])
    spread = cost.max(axis=0) - cost.min(axis=0)
    if not systems[0].items.is_graded:
        spread = np.where(cost.min(axis=0) == 0, spread, 0)
    n = int(np.count_nonzero(spread))
    return n, np.argsort(-spread, kind="stable")[: min(N_ITEMS, n)].tolist()


def _item_rows(names: Sequence[str], systems: Sequence[System], places: Sequence[int]) -> list[dict]:
    return [
        systems[0].items.describe(place, False)
        | {
            "systems": [
                {"system": name, "cost": float(each.items.cost[place]), "answer": each.items.answer(place, False)}
                for name, each in zip(names, systems, strict=True)
            ]
        }
        for place in places
    ]


def _differences(result: Mapping, first: Mapping) -> dict:
    return {
        protocol: {
            name: value - first[protocol][name]
            for name, value in (result[protocol] or {}).items()
            if isinstance(value, float) and isinstance((first[protocol] or {}).get(name), float)
        }
        for protocol in PROTOCOLS
    }


def _layouts(result: Mapping, names: Sequence[str], systems: Sequence[System], board: Board) -> Iterator[Layout]:
    level = f"{100 * result['statistics']['level']:g} % interval"
    for protocol in reversed(PROTOCOLS):
        measures = [measure for of, measure in _measures(board) if of == protocol]
        yield from _scores(result, protocol, measures, level)
        yield from _pairs(result, protocol, measures, level)
    _, places = _deciding(systems)
    if places:
        described = [systems[0].items.describe(place, True) for place in places]
        answers = [[system.items.answer(place, True) for system in systems] for place in places]
        rows = [[*of.values(), *given] for of, given in zip(described, answers, strict=True)]
        title = f"the {len(places)} of {result['n_deciding_items']} items that decide most"
        yield Layout(title, [*described[0], *names], rows)


def _scores(result: Mapping, protocol: str, measures: Sequence[Measure], level: str) -> Iterator[Layout]:
    ranked = [row for row in result["ranks"] if row["protocol"] == protocol]
    intervals = {system["system"]: system["intervals"].get(protocol, {}) for system in result["systems"]}
    rows = []
    for measure in measures:
        first = measure.title
        for row in (row for row in ranked if row["metric"] == measure.metric):
            found = intervals[row["system"]][measure.metric]
            cells = (f"{100 * row['value']:.2f}", _interval(found["low"], found["high"], found["kind"]))
            rows.append([first, row["system"], *cells, str(row["rank"]), row["letters"]])
            first = ""
    if rows:
        header = ("metric", "system", "score", level, "rank", "ties")
        yield Layout(f"scores, {protocol}", header, rows, frozenset({"score", level, "rank"}))


def _pairs(result: Mapping, protocol: str, measures: Sequence[Measure], level: str) -> Iterator[Layout]:
    rows = []
    for measure in measures:
        first = measure.title
        for row in result["comparisons"]:
            if (row["protocol"], row["metric"]) == (protocol, measure.metric) and row["difference"] is not None:
                bounds = _interval(row["ci_low"], row["ci_high"], row["interval"], "+")
                difference = f"{100 * row['difference']:+.2f}"
                rows.append(
                    [
                        first,
                        f"{row['system']} less {row['other']}",
                        difference,
                        bounds,
                        *map(_p, (row["p"], row["p_holm"])),
                    ]
                )
                first = ""
    if rows:
        header = ("metric", "systems", "difference", level, "p", "p (Holm)")
        yield Layout(f"differences, {protocol}", header, rows, frozenset({"difference", level, "p", "p (Holm)"}))


def _interval(low: float | None, high: float | None, kind: str, sign: str = "") -> str:
    return kind if low is None else f"{100 * low:{sign}.2f} to {100 * high:{sign}.2f}"


def _p(p: float | None) -> str:
    return "-" if p is None else "<.0001" if p < 0.0001 else f"{p:.4f}".removeprefix("0")
