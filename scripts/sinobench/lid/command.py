"""``sinobench score lid`` and ``compare lid``: language identification scores of segments against a reference."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from sinobench.commands import runs, scored
from sinobench.commands.scored import PROTOCOLS, Items, Source, System
from sinobench.commands.standard_input import readable

if TYPE_CHECKING:
    import numpy as np

    from sinobench.results.stored import Stored
    from sinobench.score import Score

ITEMS = "lid_segments"
EXAMPLES = """examples:
  sinobench score lid --reference labels.csv --predictions prediction.txt
  sinobench score lid --corpus merlion-dev --predictions prediction.txt
  my-model | sinobench score lid --reference labels.csv --predictions - --format json
"""
COMPARISONS = """examples:
  sinobench compare lid --reference labels.csv one.txt other.txt
  sinobench compare lid --corpus merlion-dev
  sinobench compare lid --database results/full/sinobench.duckdb --corpus merlion-dev gmm theirs.txt
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
    runs.add_systems(parser, "FILE", "predictions, a file each system")


def _add_reference(parser: argparse.ArgumentParser) -> None:
    runs.add_corpus(parser, "--reference", "FILE", "lines of id and 0 (English) or 1, or a labels CSV")


def run(options: argparse.Namespace) -> str:
    """What ``score lid`` prints. Raises InputError for a file that can't be scored."""
    return scored.run(options, "lid", lambda: _read(options), _table, _remarks)


def _read(options: argparse.Namespace) -> System:
    if options.corpus is None:
        return read_system(options.reference, options.predictions)
    with runs.corpus_of(options, "lid", ITEMS) as corpus:
        return corpus.of_file(options.predictions)


def read_systems(options: argparse.Namespace) -> list[System]:
    """The systems of ``compare lid``."""
    return [read_system(options.reference, path) for path in options.systems]


def read_system(reference: str, predictions: str) -> System:
    """The figures of two files. Raises InputError for a file that can't be scored."""
    # numpy waits until something is scored.
    import numpy as np

    from sinobench.lid.predictions import read_both

    truth, given = read_both(reference, predictions)
    corpus, model = Source.beside(reference), Source.beside(predictions)
    segments = np.column_stack([given.english, given.mandarin, truth.is_english])
    read = {"format": given.format, "order_differs": given.order_differs}
    system = system_of(segments, truth.ids, truth.recordings, **read)
    return replace(system, corpus=corpus(), model=model())


def of_stored(stored: Stored) -> System:
    """The figures of a model on a corpus of a run."""
    from sinobench.lid.stored import trials

    segments, english, mandarin = trials(stored)
    return _of_trials({**segments, "segment_id": segments["segment_id"].to_pylist()}, english, mandarin)


def of_stored_and_file(stored: Stored, path: str) -> System:
    """The figures of a file on a corpus of a run."""
    from sinobench.lid.predictions import read_predictions
    from sinobench.lid.tables import SEGMENTS

    segments = stored.columns(SEGMENTS)
    given = read_predictions(path, segments["segment_id"])
    read = {"format": given.format, "order_differs": given.order_differs}
    return _of_trials(segments, given.english, given.mandarin, **read)


def _of_trials(segments: Mapping[str, Sequence], english: np.ndarray, mandarin: np.ndarray, **read: object) -> System:
    import numpy as np

    from sinobench.lid.breakdown import english_trials

    columns = np.column_stack([english, mandarin, english_trials(segments)])
    return system_of(columns, segments["segment_id"], segments["recording"], **read)


def system_of(segments: np.ndarray, ids: Sequence[str], recordings: Sequence[str], **read: object) -> System:
    """The figures of segments (n, 3): English score, Mandarin score, and whether it is English; read: of the file."""
    from concurrent.futures import ThreadPoolExecutor

    import numpy as np

    from sinobench.lid.breakdown import whole_scores
    from sinobench.lid.suspicion import suspicions
    from sinobench.score import plain

    llr, is_english = segments[:, 0] - segments[:, 1], segments[:, 2].astype(bool)
    common = {"n_items": len(ids), "coverage": 1.0}  # every segment has a score, or the file is refused
    metrics = {protocol: dict(common) for protocol in PROTOCOLS}
    scores: dict[str, list] = {protocol: [] for protocol in PROTOCOLS}
    with ThreadPoolExecutor() as pool:
        remarks = pool.submit(suspicions, llr, is_english)
        whole = (
            score if score.subset == "all" else _of_worst(score) for score in whole_scores(segments, recordings, ())
        )
        # Figures are made while the next scores are.
        for score, found in [(score, pool.submit(score.metrics)) for score in whole]:
            scores[score.protocol].append(score)
            metrics[score.protocol] |= plain(found.result())
        warnings = remarks.result()
    metrics["strict"]["recordings_with_one_class"] = int(metrics["strict"]["recordings_with_one_class"])
    result = {
        **metrics,
        "official_print": {"EER": metrics["official"]["eer"], "BAC": metrics["official"]["balanced_accuracy"]},
        **read,
        "warnings": warnings,
    }

    def describe(place: int, brief: bool) -> dict[str, str]:
        return {"segment": ids[place], "language": "English" if is_english[place] else "Mandarin"}

    is_wrong = (llr >= 0) != is_english
    items = Items(np.where(is_wrong, 1 + np.abs(llr), 0), describe, lambda place, brief: f"{llr[place]:+.3f}")
    return System(result, scores, items)


def _of_worst(score: Score) -> Score:
    """The score of the worst recordings under a name of its own."""

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
    read = f", predictions in format {result['format']}" if "format" in result else ""
    lines = [f"{result['strict']['n_items']} segments{read}; floor: constant English"]
    if result.get("order_differs"):
        lines.append("the predictions stand in another order than the reference, which a submission must not")
    return lines + [f"warning: {warning}" for warning in result["warnings"]]


def _cell(column: Mapping, name: str) -> str:
    if name not in column:
        return ""
    value = column[name]
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.{_DIGITS}f}"
