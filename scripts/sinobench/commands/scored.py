"""What ``sinobench score`` and ``compare`` have in common: a system's figures, their intervals, how they print."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.commands.runs import refuse_lone_database
from sinobench.commands.standard_input import named
from sinobench.text import whole_number

if TYPE_CHECKING:
    import numpy as np

    from sinobench.results.statistics.resampling import Settings
    from sinobench.score import Score

PROTOCOLS = ("official", "strict")


@dataclass(frozen=True)
class Items:
    """n items that a system answers.

    cost: (n,) 0 where it is right, and more the more it is wrong. describe, answer: of the item at a place, what it is
    by name, and what the system made of it; ``brief`` ones fit a cell of a table. is_graded: nobody is quite right, as
    of recordings, so that items decide by how much.
    """

    cost: np.ndarray
    describe: Callable[[int, bool], dict[str, str]]
    answer: Callable[[int, bool], str]
    is_graded: bool = False


@dataclass(frozen=True)
class Source:
    """A corpus or a system in a signature: its name, the SHA-256 of what it holds, the version of a model.

    The hash is None for a model of a run whose code is not known: nothing can be signed with it.
    """

    name: str
    sha256: str | None
    version: str = ""

    @classmethod
    def of(cls, path: str, **others: str | int | None) -> Source:
        """A file or folder; others: files that belong to it, and settings."""
        from sinobench.hashes import of_file, of_rows

        held = {name: of_file(value) if isinstance(value, str) else value for name, value in others.items()}
        own = of_file(path)
        return cls(Path(named(path)).name, of_rows([["", own], *held.items()]) if any(held.values()) else own)

    @classmethod
    def beside(cls, path: str, **others: str | int | None) -> Callable[[], Source]:
        """``of`` files that have been read, whose hashes are worked out beside what follows; call it to wait."""
        from concurrent.futures import ThreadPoolExecutor

        pool = ThreadPoolExecutor(1)
        source = pool.submit(cls.of, path, **others)
        pool.shutdown(wait=False)
        return source.result


@dataclass(frozen=True)
class System:
    """The figures of one system: ``result`` is what JSON shows, with a key of ``scores`` for each group of its figures.

    items: None where strict refuses the files. key: of the random stream of its intervals, beside the task. corpus,
    model: what it is signed with.
    """

    result: dict
    scores: Mapping[str, Sequence[Score]]
    items: Items | None
    key: tuple[str, ...] = ()
    corpus: Source | None = None
    model: Source | None = None


class Incomplete(Exception):
    """One protocol has no figures: ``text`` is what the other one gives, ``reasons`` are why. Exit status 2."""

    def __init__(self, text: str, reasons: Iterable[str]) -> None:
        super().__init__(text)
        self.text, self.reasons = text, list(dict.fromkeys(reasons))


def add_statistics(parser: argparse.ArgumentParser, can_leave_out: bool = False) -> None:
    """The options of the intervals."""
    number = parser.add_mutually_exclusive_group() if can_leave_out else parser
    number.add_argument("--resamples", type=_whole, metavar="N", help="for intervals and tests: 100 or more (10000)")
    if can_leave_out:
        number.add_argument("--no-intervals", action="store_true", help="print the figures alone")
    parser.add_argument("--seed", type=_whole, metavar="N", help="of the random numbers (2023)")


def settings(options: argparse.Namespace, **otherwise: float) -> Settings:
    """What the options say of the intervals, else these or the defaults. Raises InputError for too few resamples."""
    from sinobench.results.statistics.resampling import Settings

    said = {name: getattr(options, name) for name in ("resamples", "seed")}
    return Settings(**otherwise | {name: value for name, value in said.items() if value is not None})


def run(
    options: argparse.Namespace,
    task: str,
    read: Callable[[], System],
    table: Callable[[Mapping, Mapping], list[str]],
    remarks: Callable[[Mapping], list[str]],
) -> str:
    """What ``score`` prints of the system that ``read`` gives, with its intervals unless the options say otherwise.

    table: lines of a result and its intervals; remarks: lines that stand below them.
    """
    refuse_lone_database(options)
    given = None if options.no_intervals else settings(options)
    system = read()
    result, intervals, legend = system.result, {}, []
    if given:
        intervals = intervals_of(system, given, task)
        result = result | {"intervals": intervals, "statistics": vars(given)}
        legend = [interval_legend(given)]
    result = result | {"signatures": signatures_of(system, task, given)}
    legend += [f"signature: {each}" for each in result["signatures"].values()]
    lines = [*table(result, intervals), *legend, *remarks(result)]
    return answer(options.format, result, lines, result.get("refused", {}).values())


def intervals_of(system: System, given: Settings, task: str) -> dict[str, dict[str, dict]]:
    """By group and metric low, high, kind, n_units and n_undefined."""
    from sinobench.results.statistics.intervals import intervals

    found: dict[str, dict[str, dict]] = {}
    for group, scores in system.scores.items():
        each = (intervals(score, given, task, *system.key) for score in scores)
        found[group] = {name: vars(interval) for part in each for name, interval in part.items()}
    return found


def signatures_of(system: System, task: str, given: Settings | None) -> dict[str, str]:
    """By protocol the signature of the headline."""
    from sinobench.results.signature import signature

    headline = import_module(f"sinobench.{task}.board").BOARD.headline
    corpus, model = system.corpus, system.model
    if None in (corpus.sha256, model.sha256):
        return {}
    return {
        protocol: signature(
            task,
            corpus.name,
            corpus.sha256,
            protocol,
            headline,
            model.name,
            model.sha256,
            system.result[protocol]["n_items"],
            given,
            model_version=model.version,
        )
        for protocol in system.scores
        if protocol in PROTOCOLS
    }


def interval_lines(
    intervals: Mapping[str, Mapping], metric: str, ends: Mapping[str, int], shown: Callable[[float], str]
) -> list[str]:
    """The lines below a metric: kind, units and bounds, each interval up to the column at which its group ends.

    Groups whose intervals are of one kind share a line; their numbers of units stand in their order where they differ.
    """
    kinds: dict[str, list[str]] = {}
    for group in ends:
        if found := intervals.get(group, {}).get(metric):
            kinds.setdefault(found["kind"], []).append(group)
    lines, undefined = [], {}
    for kind, groups in kinds.items():
        units = list(dict.fromkeys(intervals[group][metric]["n_units"] for group in groups))
        line = f"  {kind}, {'/'.join(map(str, units))} unit{'s' * (units != [1])}"
        for group in groups:
            found = intervals[group][metric]
            if found["low"] is not None:
                cell = f"[{shown(found['low'])}, {shown(found['high'])}]"
                line = line.ljust(ends[group] - len(cell)) + cell
                undefined[group] = found["n_undefined"]
        lines.append(line)
    if any(undefined.values()):
        lines.append(f"  without a value in {'/'.join(map(str, undefined.values()))} resamples")
    return lines


def interval_legend(given: Settings) -> str:
    """What the intervals are."""
    return f"in brackets intervals of {100 * given.level:g} %: {given.resamples} resamples of units, seed {given.seed}"


def answer(form: str, result: Mapping, lines: Iterable[str], reasons: Iterable[str] = ()) -> str:
    """What is printed; raises Incomplete for the reasons why figures are lacking."""
    is_ascii = sys.stdout.encoding.lower() != "utf-8"
    text = json.dumps(result, ensure_ascii=is_ascii, indent=1) if form == "json" else "\n".join(lines)
    if reasons := list(reasons):
        raise Incomplete(text, reasons)
    return text


def _whole(text: str) -> int:
    if (number := whole_number(text)) is None:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number of at most nine digits")
    return number
