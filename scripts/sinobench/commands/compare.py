"""``sinobench compare``: systems on the same items, what tells them apart, how surely, and on which items."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.commands import runs, scored, standard_input
from sinobench.commands.layout import FORMATS, Layout, render
from sinobench.commands.scored import PROTOCOLS, System
from sinobench.commands.stored_figures import stored_contest, stored_systems
from sinobench.errors import InputError

if TYPE_CHECKING:
    from sinobench.results.boards import Board, Measure
    from sinobench.results.statistics.resampling import Settings

N_ITEMS = 10  # that decide
_COMPARED = (
    "protocol",
    "metric",
    "difference",
    "ci_low",
    "ci_high",
    "interval",
    "p",
    "p_holm",
    "n_units",
    "n_undefined",
    "detectable",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options that the comparisons of all tasks share."""
    scored.add_statistics(parser)
    parser.add_argument("--format", choices=(FORMATS[0], "json", *FORMATS[1:]), default="table")


def run(options: argparse.Namespace) -> str:
    """What ``compare`` prints; raises Incomplete and InputError as ``score`` of each system."""
    runs.refuse_lone_database(options)
    given = scored.settings(options)
    module = import_module(f"sinobench.{options.task}.command")
    board = import_module(f"sinobench.{options.task}.board").BOARD
    paths = options.systems
    if options.corpus is None:
        _require_two(paths)
        systems = module.read_systems(options)
    else:
        with runs.corpus_of(options, options.task, module.ITEMS) as corpus:
            given = scored.settings(options, **corpus.settings())
            if corpus.has_figures_alone() and not paths and options.resamples is options.seed is None:
                shown = stored_systems(corpus, board.headline)
                names = [system["system"] for system in shown]
                _require_two(names)
                return _answer(options, board, _result(names, shown, stored_contest(corpus), given), names, [])
            paths = paths or corpus.models()
            _require_two(paths)
            systems = [corpus.system(path) for path in paths]
    names = named(list(map(standard_input.named, paths)))
    result = compare(names, systems, board, options.corpus or "", given)
    return _answer(options, board, result, names, systems)


def _answer(
    options: argparse.Namespace, board: Board, result: dict, names: Sequence[str], systems: Sequence[System]
) -> str:
    reasons = [reason for system in systems for reason in system.result.get("refused", {}).values()]
    lines = [] if options.format == "json" else [render(_layouts(result, names, systems, board), options.format)]
    return scored.answer(options.format, result, lines, reasons)


def named(systems: Sequence[str]) -> list[str]:
    """A name for each: that of its file, or its path where two files are called the same; never one twice."""
    names = [Path(path).name for path in systems]
    if len(set(names)) < len(names):
        names = list(systems)
    return [name if name not in names[:i] else f"{name} ({i + 1})" for i, name in enumerate(names)]


def compare(names: Sequence[str], systems: Sequence[System], board: Board, corpus: str, given: Settings) -> dict:
    """The figures of the systems, their differences by pair and metric, their ranks, and the items that decide.

    A comparison is the system less the other, which is named before it. Holm's family is all pairs of a metric under a
    protocol. corpus: blank for files.
    """
    from sinobench.results.statistics.contest import Contest

    contest = Contest(board, corpus)
    for name, system in zip(names, systems, strict=True):
        contest.add(name, [score for group in PROTOCOLS for score in system.scores.get(group, ())])
    shown = []
    for name, system in zip(names, systems, strict=True):
        intervals = scored.intervals_of(system, given, board.task)
        signed = {"intervals": intervals, "signatures": scored.signatures_of(system, board.task, given)}
        shown.append({"system": name, **system.result, **signed})
    n_deciding, places = _deciding(systems)
    return _result(names, shown, contest.rows(given), given) | {
        "n_deciding_items": n_deciding,
        "items": _item_rows(names, systems, places),
    }


def _result(names: Sequence[str], shown: Sequence[dict], rows: Iterable[Sequence[dict]], given: Settings) -> dict:
    """What JSON shows, without items; rows: of the tables of comparison."""
    compared, ranked, detectable = rows
    return {
        "systems": [system | {"difference": _differences(system, shown[0])} for system in shown],
        "comparisons": [_turned(row, names) for row in compared],
        "ranks": [
            {"protocol": row["protocol"], "metric": row["metric"], "system": row["model"]}
            | {name: row[name] for name in ("rank", "letters", "tied_with")}
            for row in ranked
        ],
        "detectable_differences": [
            {name: row[name] for name in ("protocol", "metric", "n_units", "paired", "unpaired", "power")}
            for row in detectable
        ],
        "statistics": vars(given),
        "n_deciding_items": None,
        "items": [],
    }


def _turned(row: Mapping, names: Sequence[str]) -> dict:
    """A row of ``comparisons``, whose pairs stand in alphabetical order, in the order of the names."""
    result = {"system": row["model"], "other": row["other"]} | {name: row[name] for name in _COMPARED}
    if names.index(row["model"]) < names.index(row["other"]):
        negative = {
            name: None if row[of] is None else -row[of]
            for name, of in (("difference", "difference"), ("ci_low", "ci_high"), ("ci_high", "ci_low"))
        }
        result |= {"system": row["other"], "other": row["model"]} | negative
    return result


def _deciding(systems: Sequence[System]) -> tuple[int | None, list[int]]:
    """How many items tell the systems apart, None where that is not known, and the places of those that do most.

    One system is right there and another one most wrong; where nobody is quite right, they are furthest apart.
    """
    import numpy as np

    if not systems or any(system.items is None for system in systems):
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


def _require_two(systems: Sequence[str]) -> None:
    if len(systems) < 2:
        raise InputError(f"{len(systems) or 'no'} system can't be compared; name two or more")


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
        measures = [measure for measure in board.panels if protocol in measure.protocols]
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
    systems = {system["system"]: system for system in result["systems"] if system[protocol] is not None}
    ranks = {(row["metric"], row["system"]): row for row in result["ranks"] if row["protocol"] == protocol}
    rows = []
    for measure in measures:
        # Ranked ones stand best first, those without a value last.
        known = [name for metric, name in ranks if metric == measure.metric]
        order = [*known, *(name for name in systems if name not in known)]
        for name in order:
            system = systems[name]
            value, found = system[protocol][measure.metric], system["intervals"][protocol][measure.metric]
            rank = ranks.get((measure.metric, name), {"rank": "-", "letters": ""})
            cells = ("-" if value is None else _percent(value), _interval(found["low"], found["high"], found["kind"]))
            title = measure.title if name == order[0] else ""
            rows.append([title, name, *cells, str(rank["rank"]), rank["letters"]])
    if rows:
        header = ("metric", "system", "score", level, "rank", "ties")
        yield Layout(f"scores, {protocol}", header, rows, frozenset({"score", level, "rank"}))


def _pairs(result: Mapping, protocol: str, measures: Sequence[Measure], level: str) -> Iterator[Layout]:
    rows = []
    for measure in measures:
        of = [row for row in result["comparisons"] if (row["protocol"], row["metric"]) == (protocol, measure.metric)]
        for row in of:
            difference = "-" if row["difference"] is None else _percent(row["difference"], "+")
            bounds = _interval(row["ci_low"], row["ci_high"], row["interval"], "+")
            title = measure.title if row is of[0] else ""
            systems = f"{row['system']} less {row['other']}"
            rows.append([title, systems, difference, bounds, _p(row["p"]), _p(row["p_holm"])])
    if rows:
        header = ("metric", "systems", "difference", level, "p", "p (Holm)")
        yield Layout(f"differences, {protocol}", header, rows, frozenset({"difference", level, "p", "p (Holm)"}))


def _interval(low: float | None, high: float | None, kind: str, sign: str = "") -> str:
    return kind if low is None else f"{_percent(low, sign)} to {_percent(high, sign)}"


def _percent(value: float, sign: str = "") -> str:
    return f"{100 * value:{sign}z.2f}"


def _p(p: float | None) -> str:
    return "-" if p is None else "<.0001" if p < 0.0001 else f"{p:.4f}".removeprefix("0")
