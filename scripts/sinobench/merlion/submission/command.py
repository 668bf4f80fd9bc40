"""``sinobench validate submission``: what the challenge would reject, before it is uploaded."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sinobench.merlion.submission.archive import Finding, Report

TASKS = ("lid", "ld")

EXAMPLES = """examples:
  sinobench validate submission results.zip --task lid --reference timestamps.csv
  sinobench validate submission results.zip --task ld --reference evaluated_regions.xlsx --format json
"""


class Rejected(Exception):
    """The submission is not valid; its text is what a user reads. Exit status 1."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of the command."""
    parser.add_argument("submission", metavar="ZIP", help="the zip to upload")
    parser.add_argument("--task", required=True, choices=TASKS, help="lid: identification; ld: diarization")
    parser.add_argument(
        "--reference",
        required=True,
        metavar="FILE",
        help="timestamps, labels or a list of segment ids; for ld also evaluated regions or a list of recordings",
    )
    parser.add_argument("--format", choices=("table", "json"), default="table")


def run(options: argparse.Namespace) -> str:
    """What is printed for a valid submission; raises Rejected, with all findings, for another."""
    from sinobench.merlion.submission.validation import validate

    report = validate(options.submission, options.task, options.reference)
    text = _json(report) if options.format == "json" else "\n".join(_lines(report, options.submission, options.task))
    if not report.valid:
        raise Rejected(text)
    return text


def _json(report: Report) -> str:
    return json.dumps({"valid": report.valid} | asdict(report), indent=1)


def _lines(report: Report, path: str, task: str) -> list[str]:
    warnings = [_line(finding, "warning") for finding in report.warnings] + _more(report.warning_counts)
    if report.valid:
        return [f"valid: {report.n} {'segments' if task == 'lid' else 'recordings'}", *warnings]
    lines = [f"not valid: {sum(report.counts.values())} findings in {path}"]
    lines += [_line(finding, finding.kind) for finding in report.findings]
    return lines + _more(report.counts) + warnings


def _more(counts: dict[str, int]) -> list[str]:
    from sinobench.merlion.submission.archive import SHOWN

    return [f"{kind}: {count - SHOWN} more" for kind, count in counts.items() if count > SHOWN]


def _line(finding: Finding, kind: str) -> str:
    # A member's name may hold what a terminal obeys.
    member = None if finding.member is None else ascii(finding.member)[1:-1]
    place = "" if member is None else f"{member}: " if finding.line is None else f"{member}, line {finding.line}: "
    return f"{kind}: {place}{finding.message}"
