"""``sinobench verify``: whether a figure is what its signature says."""

import argparse
from collections.abc import Iterator

from sinobench.results.reading import DATABASE

EXAMPLES = """examples:
  sinobench verify --all
  sinobench verify --database results/full/sinobench.duckdb --all
"""


class Differs(Exception):
    """What was verified is not what it should be; the text says in which part. Exit status 1."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Its arguments."""
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("signature", nargs="?", metavar="SIGNATURE", help="of a figure of the database, in quotes")
    what.add_argument("--all", action="store_true", help="every figure of the database")
    parser.add_argument("--database", metavar="FILE", default=DATABASE, help=f"of a run; else {DATABASE}")


def run(options: argparse.Namespace) -> str:
    """That what is computed anew equals what is stored.

    Raises Differs, with what was expected and found of each part, where it does not; InputError for what is no
    signature, or one of no figure that the database has, and for a database of another version's tables.
    """
    import duckdb

    from sinobench.errors import InputError
    from sinobench.results.reading import opened
    from sinobench.results.signature import parsed
    from sinobench.results.verification import interval, verify, verify_all

    signed = None if options.all else parsed(options.signature)
    try:
        with opened(options.database) as connection:
            if signed is None:
                lines, equal = _overview(verify_all(connection))
            else:
                found = verify(connection, signed)
                equal = not found.differences
                lines = [f"{'equal' if equal else 'differs'}: {signed}"]
                lines += [f"computed anew: {signed.metric} {row['value']}, {interval(row)}" for row in found.figures]
                lines += map(str, found.differences)
    except (duckdb.CatalogException, duckdb.BinderException):
        reason = "lacks tables or columns that figures are computed from: another version made it; run again"
        raise InputError(reason, options.database) from None
    if not equal:
        raise Differs("\n".join(lines))
    return "\n".join(lines)


def _overview(verified: Iterator) -> tuple[list[str], bool]:
    """A line a model on a corpus, its differences below; and whether there are none."""
    lines, n_models, n_equal, n_figures = [], 0, 0, 0
    for each in verified:
        if each.hidden:
            lines.append(f"{each.task} {each.corpus} {each.model}: not computed anew: {each.hidden}")
            continue
        n_models += 1
        n_equal += not each.differences
        n_figures += len(each.figures)
        said = f"{len(each.differences)} differences" if each.differences else "equal"
        lines.append(f"{each.task} {each.corpus} {each.model}: {len(each.figures)} figures computed anew, {said}")
        lines += [f"    {difference}" for difference in each.differences]
    lines.append(f"{n_equal} of {n_models} equal, {n_figures} figures in all")
    return lines, n_equal == n_models
