"""``sinobench score lid``: score a file of language identification scores against a reference."""

import argparse
import json
from collections.abc import Mapping

_DIGITS = 6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    parser.add_argument(
        "--reference", required=True, metavar="FILE", help="lines of id and 0 (English) or 1, or a labels CSV"
    )
    parser.add_argument(
        "--predictions", required=True, metavar="FILE", help="lines of id, 0 or 1, score, or of id and both scores"
    )
    parser.add_argument("--format", choices=("table", "json"), default="table")


def run(options: argparse.Namespace) -> str:
    """What the command prints. Raises InputError for a file that can't be scored."""
    # numpy waits until something is scored.
    import numpy as np

    from sinobench.lid.breakdown import whole_scores
    from sinobench.lid.predictions import read_predictions, read_reference
    from sinobench.lid.suspicion import suspicions
    from sinobench.score import plain

    reference = read_reference(options.reference)
    scores = read_predictions(options.predictions, reference.ids)
    segments = np.column_stack([scores.english, scores.mandarin, reference.is_english])
    common = {"n_items": len(reference.ids), "coverage": 1.0}  # every segment has a score, or the file is refused
    metrics = {"official": dict(common), "strict": dict(common)}
    for score in whole_scores(segments, reference.recordings):
        if score.subset == "all":
            metrics[score.protocol] |= plain(score.metrics())
        else:
            worst = plain(score.metrics())
    metrics["strict"]["recordings_with_one_class"] = int(metrics["strict"]["recordings_with_one_class"])
    metrics["strict"]["balanced_accuracy_worst_decile"] = worst["balanced_accuracy_recording_mean"]
    result = {
        **metrics,
        "official_print": {"EER": metrics["official"]["eer"], "BAC": metrics["official"]["balanced_accuracy"]},
        "format": scores.format,
        "order_differs": scores.order_differs,
        "warnings": suspicions(scores.english - scores.mandarin, reference.is_english),
    }
    return json.dumps(result, indent=1) if options.format == "json" else "\n".join(_table(result))


def _table(result: Mapping) -> list[str]:
    """Metrics in rows, as fractions; each protocol with its floor, what constant English reaches, beside it."""
    protocols = [result["official"], result["strict"]]
    lines = [f"{'metric':<33}" + "".join(f"{name:>11}" for name in ("official", "floor", "strict", "floor"))]
    for name in dict.fromkeys(name for values in protocols for name in values):
        if name not in ("n_items", "coverage") and not name.startswith("floor_"):
            cells = (_cell(values, shown) for values in protocols for shown in (name, f"floor_{name}"))
            lines.append(f"{name:<33}" + "".join(f"{cell:>11}" for cell in cells))
    lines.append(
        f"{result['strict']['n_items']} segments, predictions in format {result['format']}; floor: constant English"
    )
    if result["order_differs"]:
        lines.append("the predictions stand in another order than the reference, which a submission must not")
    lines += [f"warning: {warning}" for warning in result["warnings"]]
    return lines


def _cell(column: Mapping, name: str) -> str:
    if name not in column:
        return ""
    value = column[name]
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.{_DIGITS}f}"
