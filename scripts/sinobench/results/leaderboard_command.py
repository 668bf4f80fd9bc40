"""``sinobench leaderboard``: who is better, by how much, from the database of a run."""

import argparse
import json
import sys

from sinobench.entries import TASKS
from sinobench.results.standings import DATABASE


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Its arguments."""
    parser.add_argument(
        "task", nargs="?", choices=TASKS, metavar="TASK", help=f"{', '.join(TASKS)}; all where none is named"
    )
    parser.add_argument("--corpus", metavar="CORPUS", help="one corpus or pool")
    parser.add_argument(
        "--database", metavar="FILE", default=DATABASE, help=f"of a run; {DATABASE} where none is named"
    )
    parser.add_argument("--format", choices=("table", "markdown", "latex", "csv", "json"), default="table")


def run(options: argparse.Namespace) -> str:
    """The leaderboards as text; ``csv`` and ``json`` have the columns of the views, with fractions."""
    from sinobench import printing
    from sinobench.results.database import reading
    from sinobench.results.standings import database, standings

    with reading(database(options.database)) as connection:
        found = standings(connection, options.task, options.corpus)
    if options.format in ("csv", "json"):
        rows = [{"task": standing.board.task} | row for standing in found for row in standing.rows]
        return _csv(rows) if options.format == "csv" else _json(rows)
    parts = []
    for standing in found:
        rows = [standing.cells(row) for row in standing.rows]
        lines = getattr(printing, options.format)(standing.names, rows, ("model",))
        before, after = [standing.heading], standing.remarks
        if options.format == "table":
            before, after = ([printing.cut(line, printing.WIDTH) for line in part] for part in (before, after))
        elif options.format == "markdown":
            before, after = [*before, ""], ["", *after] if after else []
        else:
            before, after = ([f"% {line}" for line in part] for part in (before, after))
        parts.append("\n".join([*before, *lines, *after]))
    return "\n\n".join(parts)


def _json(rows: list[dict]) -> str:
    return json.dumps(rows, ensure_ascii=sys.stdout.encoding.lower() != "utf-8", indent=1)


def _csv(rows: list[dict]) -> str:
    import csv
    import io

    lines = io.StringIO()
    writer = csv.DictWriter(lines, list(dict.fromkeys(name for row in rows for name in row)), lineterminator="\n")
    writer.writeheader()
    writer.writerows(row | {"tied_with": ", ".join(row["tied_with"])} for row in rows)
    return lines.getvalue().rstrip("\n")
