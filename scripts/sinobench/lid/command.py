"""``sinobench score lid`` and ``compare lid``: language identification scores of segments against a reference."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from sinobench.commands import scored
from sinobench.commands.scored import PROTOCOLS, Items, System
from sinobench.commands.standard_input import readable

if TYPE_CHECKING:
    import numpy as np

    from sinobench.score import Score

EXAMPLES = """examples:
  sinobench score lid --reference labels.csv --predictions prediction.txt
  my-model | sinobench score lid --reference labels.csv --predictions - --format json
"""
COMPARISONS = """examples:
  sinobench compare lid --reference labels.csv one.txt other.txt
"""
_DIGITS = 6
_ENDS = {"official": 44, "strict": 66}
_OF_WORST = "balanced_accuracy_worst_decile"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``score lid``."""
    _add_reference(parser)
    parser.add_argument(
        "--predictions",
        type=readable,
        required=True,
        metavar="FILE",
        help="lines of id, 0 or 1, score, or of id and both scores; '-': standard input",
    )
    scored.add_statistics(parser, can_leave_out=True)
    parser.add_argument("--format", choices=("table", "json"), default="table")


def add_comparison(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``compare lid`` that say what is compared."""
    _add_reference(parser)
    parser.add_argument("systems", nargs="+", type=readable, metavar="FILE", help="predictions, a file each system")


def _add_reference(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--reference", required=True, metavar="FILE", help="lines of id and 0 (English) or 1, or a labels CSV"
    )


def run(options: argparse.Namespace) -> str:
    """What ``score lid`` prints. Raises InputError for a file that can't be scored."""
    return scored.run(options, "lid", lambda: read_system(options.reference, options.predictions), _table, _remarks)


def read_systems(options: argparse.Namespace) -> list[System]:
    """The systems of ``compare lid``."""
    return [read_system(options.reference, path) for path in options.systems]


def read_system(reference: str, predictions: str) -> System:
    """The figures of two files. Raises InputError for a file that can't be scored."""
    # numpy waits until something is scored.
    import numpy as np

    from sinobench.lid.predictions import read_predictions, read_reference

    truth = read_reference(reference)
    given = read_predictions(predictions, truth.ids)
    segments = np.column_stack([given.english, given.mandarin, truth.is_english])
    return system_of(segments, truth.ids, truth.recordings, format=given.format, order_differs=given.order_differs)


def system_of(segments: np.ndarray, ids: Sequence[str], recordings: Sequence[str], **read: object) -> System:
    """The figures of segments (n, 3): English score, Mandarin score, and whether it is English; read: of the file."""
    import numpy as np

    from sinobench.lid.breakdown import whole_scores
    from sinobench.lid.suspicion import suspicions
    from sinobench.score import plain

    llr, is_english = segments[:, 0] - segments[:, 1], segments[:, 2].astype(bool)
    common = {"n_items": len(ids), "coverage": 1.0}  # every segment has a score, or the file is refused
    metrics = {protocol: dict(common) for protocol in PROTOCOLS}
    scores: dict[str, list] = {protocol: [] for protocol in PROTOCOLS}
    for score in whole_scores(segments, recordings):
        found = score if score.subset == "all" else _of_worst(score)
        scores[found.protocol].append(found)
        metrics[found.protocol] |= plain(found.metrics())
    metrics["strict"]["recordings_with_one_class"] = int(metrics["strict"]["recordings_with_one_class"])
    result = {
        **metrics,
        "official_print": {"EER": metrics["official"]["eer"], "BAC": metrics["official"]["balanced_accuracy"]},
        **read,
        "warnings": suspicions(llr, is_english),
    }

    def describe(place: int, brief: bool) -> dict[str, str]:
        return {"segment": ids[place], "language": "English" if is_english[place] else "Mandarin"}

    is_wrong = (llr >= 0) != is_english
    items = Items(np.where(is_wrong, 1 + np.abs(llr), 0), describe, lambda place, brief: f"{llr[place]:+.3f}")
    return System(result, scores, items)


def _of_worst(score: Score) -> Score:
    """The score of the worst recordings under a name of its own."""
    from dataclasses import replace

    def formula(of: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
        (values,) = score.formula(of, weights).values()
        return {_OF_WORST: values}

    return replace(score, formula=formula)


def _table(result: Mapping, intervals: Mapping) -> list[str]:
    """Metrics in rows, as fractions; each protocol with its floor, what constant English reaches, beside it."""
    protocols = [result["official"], result["strict"]]
    lines = [f"{'metric':<33}" + "".join(f"{name:>11}" for name in ("official", "floor", "strict", "floor"))]
    for name in dict.fromkeys(name for values in protocols for name in values):
        if name not in ("n_items", "coverage") and not name.startswith("floor_"):
            cells = (_cell(values, shown) for values in protocols for shown in (name, f"floor_{name}"))
            lines.append(f"{name:<33}" + "".join(f"{cell:>11}" for cell in cells))
            lines += scored.interval_lines(intervals, name, _ENDS, "{:.4f}".format)
    return lines


def _remarks(result: Mapping) -> list[str]:
    lines = [
        f"{result['strict']['n_items']} segments, predictions in format {result['format']}; floor: constant English"
    ]
    if result["order_differs"]:
        lines.append("the predictions stand in another order than the reference, which a submission must not")
    return lines + [f"warning: {warning}" for warning in result["warnings"]]


def _cell(column: Mapping, name: str) -> str:
    if name not in column:
        return ""
    value = column[name]
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.{_DIGITS}f}"
