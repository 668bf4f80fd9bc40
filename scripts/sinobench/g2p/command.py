"""``sinobench score g2p`` and ``compare g2p``: tables of items with a system's syllables, under both protocols."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.commands import runs, scored
from sinobench.commands.scored import PROTOCOLS, Items, Source, System
from sinobench.commands.standard_input import named, readable
from sinobench.errors import InputError

if TYPE_CHECKING:
    from sinobench.g2p.metrics import Outcomes
    from sinobench.g2p.table import Items as Table
    from sinobench.results.stored import Stored

ITEMS = "g2p_items"
OFFICIAL_NAMES = {"accuracy": "Accuracy", "per": "Phoneme Error Rate (PER)"}  # of the script's printout, by ours
EXAMPLES = """examples:
  sinobench score g2p --items items.tsv
  sinobench score g2p --items items.tsv --predictions syllables.txt
  sinobench score g2p --corpus wordshk --predictions syllables.txt
  my-model < texts.txt | sinobench score g2p --items items.tsv --predictions -
"""
COMPARISONS = """examples:
  sinobench compare g2p one.tsv other.tsv
  sinobench compare g2p --items items.tsv one.txt other.txt --format markdown
  sinobench compare g2p --corpus pooled-benchmark
  sinobench compare g2p --database results/full/sinobench.duckdb --corpus wordshk tojyutping theirs.tsv
"""
_ENDS = {"official": 56, "strict": 80}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``score g2p``."""
    runs.add_corpus(parser, "--items", "FILE", "table with a header: text, position, label[, prediction]")
    parser.add_argument(
        "--predictions",
        type=readable,
        metavar="FILE",
        help="text, position, prediction, or a syllable a line in the items' order; '-': standard input",
    )
    scored.add_statistics(parser, can_leave_out=True)
    parser.add_argument("--format", choices=("table", "json"), default="table")


def add_comparison(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``compare g2p`` that say what the items are."""
    about = "table of the items, where the systems' files have no labels"
    runs.add_corpus(parser, "--items", "FILE", about, required=False)
    about = "of each system: the table with labels; with --items or --corpus as its --predictions"
    runs.add_systems(parser, "FILE", about)


def run(options: argparse.Namespace) -> str:
    """What ``score g2p`` prints. Raises InputError for wrong input."""
    return scored.run(options, "g2p", lambda: _read(options), _table, _remarks)


def _read(options: argparse.Namespace) -> System:
    if options.corpus is None:
        return read_system(readable(options.items), options.predictions, not options.no_intervals)
    if options.predictions is None:
        raise InputError("--corpus has the items, and --predictions is missing; name the file")
    with runs.corpus_of(options, "g2p", ITEMS) as corpus:
        return corpus.of_file(options.predictions)


def read_systems(options: argparse.Namespace) -> list[System]:
    """The systems of ``compare g2p``. Raises InputError where a file has other items than the first."""
    from sinobench.g2p.table import read_items

    if options.items is not None:
        return [read_system(options.items, path) for path in options.systems]
    tables = [read_items(path) for path in options.systems]
    keys = [list(zip(table.texts, table.positions, table.labels, strict=True)) for table in tables]
    for path, table in zip(options.systems[1:], keys[1:], strict=True):
        if len(table) != len(keys[0]):
            raise InputError(f"has {len(table)} items where {options.systems[0]} has {len(keys[0])}", path)
        for line, (item, first) in enumerate(zip(table, keys[0], strict=True), start=2):
            if item != first:
                raise InputError(f"the item {item} is not that of {options.systems[0]}, {first}", path, line)
    return [_of_table(table, options.systems[0], path) for table, path in zip(tables, options.systems, strict=True)]


def read_system(items: str, predictions: str | None = None, with_units: bool = True) -> System:
    """The figures of a table of items, with the predictions of another file where that is given.

    with_units: for intervals; figures alone need none.
    """
    from sinobench.g2p.table import read_items

    table = read_items(items, need_predictions=predictions is None)
    if predictions is not None and table.predictions is not None:
        raise InputError(
            f"has a column 'prediction' beside {predictions}; take it out, or give one of the files", items
        )
    return _of_table(table, items, predictions or items, with_units)


def of_stored(stored: Stored) -> System:
    """The figures of a model on a corpus of a run, or on a pool."""
    from sinobench.g2p.stored import outcomes

    items, predictions, scored_items = outcomes(stored)
    return system_of(scored_items, items, predictions["prediction"])


def of_stored_and_file(stored: Stored, path: str) -> System:
    """The figures of a file on a corpus of a run, or on a pool."""
    from sinobench.g2p.breakdown import score_table
    from sinobench.g2p.predictions import from_file
    from sinobench.g2p.tables import ITEMS as TABLE

    items = stored.columns(TABLE)
    predictions, lengths = from_file(path, items["text"], items["position"])
    lengths = lengths or [len(text) for text in items["text"]]
    outcomes = score_table(items, {"prediction": predictions, "output_length": lengths})
    return system_of(outcomes, items, predictions)


def _of_table(table: Table, items: str, predictions: str, with_units: bool = True) -> System:
    """The figures of a table; items, predictions: the files that it is of, of which it may lack the latter."""
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np

    from sinobench.coded import Coded
    from sinobench.g2p.metrics import score
    from sinobench.g2p.predictions import from_file

    with ThreadPoolExecutor() as pool:
        sha256 = pool.submit(_items_hash, table)  # predictions may stand in the same file
        if table.predictions is None:
            found, lengths = from_file(predictions, table.texts, table.positions)
            table = replace(table, predictions=found, output_lengths=lengths)
        model = Source.beside(predictions)
        outcomes = score(table.labels, table.predictions, table.positions, None, table.output_lengths)
        one = Coded([""], np.zeros(len(table.texts), np.uint8))
        columns = {"corpus": one, "unit": table.texts.coded() if with_units else one}
        columns |= {"text": table.texts, "position": table.positions, "labels": table.labels}
        system = system_of(outcomes, columns, table.predictions)
    corpus = Source(Path(named(items)).name, sha256.result())
    return replace(system, corpus=corpus, model=model())


def _items_hash(table: Table) -> str:
    """The hash of the items alone, as ``hashes.of_rows`` of their texts, positions and labels."""
    import numpy as np

    from sinobench.cell_lines import as_json, sorted_hash
    from sinobench.cells import Cells
    from sinobench.hashes import as_json as in_json

    n = len(table.texts)
    positions = Cells.of([f'", {position}, ' for position in table.positions.values])[table.positions.place]
    labels = Cells.of([f"{in_json(labels)}]\n" for labels in table.labels.values])[table.labels.place]
    return sorted_hash([Cells.of(['["'])[np.zeros(n, np.int64)], as_json(table.texts), positions, labels])


def system_of(outcomes: Outcomes, items: Mapping[str, Sequence], predictions: Sequence[str | None]) -> System:
    """The figures of n outcomes; items: columns of ``g2p_items``."""
    from sinobench.coded import Coded
    from sinobench.g2p.breakdown import figures_of, macro_scores, whole_scores
    from sinobench.score import plain

    whole = whole_scores(outcomes, items["corpus"], items["unit"])
    figures = figures_of(whole)
    means = macro_scores(outcomes, items) if len(Coded.of(items["corpus"]).values) > 1 else []
    for score in means:
        figures[score.protocol] |= plain(score.metrics())
    printed = {name: figures["official"][ours] for ours, name in OFFICIAL_NAMES.items()}
    printed = {name: None if value is None else round(value, 4) for name, value in printed.items()}
    result = {**{protocol: figures[protocol] for protocol in PROTOCOLS}, "official_print": printed, "refused": {}}

    def describe(place: int, brief: bool) -> dict[str, str]:
        text, position = items["text"][place], items["position"][place]
        around = slice(max(0, position - 8), position + 9) if brief else slice(None)
        marked = [f"[{c}]" if i == position else c for i, c in enumerate(text)]
        return {"text": "".join(marked[around]), "label": "/".join(items["labels"][place])}

    answered = Items(outcomes.wrong.sum(axis=1), describe, lambda place, brief: predictions[place] or "-")
    scores = {protocol: [score for score in (*whole, *means) if score.protocol == protocol] for protocol in PROTOCOLS}
    return System(result, scores, answered)


def _table(result: Mapping, intervals: Mapping) -> list[str]:
    """Metrics in rows, protocols in columns, as fractions as the field prints them."""
    shown: Callable[[float], str] = "{:.6f}".format
    columns = [result[protocol] for protocol in PROTOCOLS]
    lines = [f"{'metric':<32}{'official':>24}{'strict':>24}"]
    for name in dict.fromkeys(name for column in reversed(columns) for name in column):
        cells = (_cell(column.get(name, ""), shown) for column in columns)
        lines.append(f"{name:<32}" + "".join(f"{cell:>24}" for cell in cells))
        lines += scored.interval_lines(intervals, name, _ENDS, shown)
    return lines


def _remarks(result: Mapping) -> list[str]:
    if not (dropped := result["official"]["dropped"]):
        return []
    return [f"official drops {dropped} items whose output ends before the target; strict counts them wrong"]


def _cell(value: float | int | str | None, shown: Callable[[float], str]) -> str:
    return "-" if value is None else shown(value) if isinstance(value, float) else str(value)
