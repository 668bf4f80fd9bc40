"""``sinobench leaderboard``: who is better, by how much, from the database of a run."""

import argparse
from dataclasses import replace

from sinobench.commands.layout import FORMATS
from sinobench.results.reading import DATABASE

EXAMPLES = """examples:
  sinobench leaderboard
  sinobench leaderboard csc --corpus nlpcc2023-dev --format markdown
  sinobench leaderboard --database results/full/sinobench.duckdb
"""
TASKS = ("g2p", "csc", "lid", "ld")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Its arguments."""
    tasks = f"{', '.join(TASKS)}; all where none is named"
    parser.add_argument("task", nargs="?", choices=TASKS, metavar="TASK", help=tasks)
    parser.add_argument("--corpus", metavar="CORPUS", help="one corpus or pool")
    parser.add_argument("--database", metavar="FILE", default=DATABASE, help=f"of a run; else {DATABASE}")
    parser.add_argument("--format", choices=(*FORMATS, "csv", "json"), default="table")


def run(options: argparse.Namespace) -> str:
    """The leaderboards as text: percentages; ``csv`` and ``json`` have the columns of the views, with fractions.

    Raises InputError where there is no such database or leaderboard.
    """
    from sinobench.commands.layout import Layout, fitted, render
    from sinobench.commands.rows import as_csv, as_json
    from sinobench.results.reading import opened
    from sinobench.results.standings import standings

    with opened(options.database) as connection:
        found = standings(connection, options.task, options.corpus)
        [(level,)] = connection.execute("SELECT max(level) FROM metrics").fetchall()
    if options.format in ("csv", "json"):
        rows = [{"task": standing.board.task} | row for standing in found for row in standing.rows]
        return as_csv(rows) if options.format == "csv" else as_json(rows)
    layouts = []
    for standing in found:
        rows = [standing.cells(row) for row in standing.rows]
        right = frozenset(standing.names) - {"model"}
        layouts.append(Layout(standing.heading, standing.names, rows, right, standing.remarks))
    if layouts:
        about = "Percentages under strict" + (f", with intervals at {level:.0%}" if level else "")
        layouts[-1] = replace(layouts[-1], notes=[*layouts[-1].notes, "", f"{about}. Columns: docs/glossary.md."])
    return render(map(fitted, layouts) if options.format == "table" else layouts, options.format)
