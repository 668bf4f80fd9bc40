"""``sinobench score ld`` and ``compare ld``: turns of recordings against a reference, under both protocols."""

from __future__ import annotations

import argparse
import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sinobench.commands import runs, scored
from sinobench.commands.scored import Items, Source, System
from sinobench.commands.standard_input import readable
from sinobench.errors import InputError
from sinobench.merlion.languages import TARGETS

if TYPE_CHECKING:
    from sinobench.ld.breakdown import Comparison
    from sinobench.results.stored import Stored

ITEMS = "ld_turns"
log = logging.getLogger(__name__)


EXAMPLES = """examples:
  sinobench score ld --reference labels.csv --predictions results/ --regions regions.xlsx --redactions redactions.csv
  sinobench score ld --reference reference.rttm --predictions model.rttm --regions official.uem
  sinobench score ld --corpus merlion-dev --predictions results/
"""
COMPARISONS = """examples:
  sinobench compare ld --reference labels.csv --regions regions.xlsx one/ other/
  sinobench compare ld --corpus merlion-dev
  sinobench compare ld --database results/full/sinobench.duckdb --corpus merlion-dev window+gmm theirs/
"""
_TURNS = "folder of one <recording>.txt each (start end language, ms), or an .rttm file"
_ENDS = {"official": 56, "strict": 80}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``score ld``."""
    _add_reference(parser)
    parser.add_argument(
        "--predictions",
        type=partial(readable, suffix=".rttm"),
        required=True,
        metavar="DIR",
        help=f"of the system: {_TURNS}; '-': RTTM on standard input",
    )
    scored.add_statistics(parser, can_leave_out=True)
    parser.add_argument("--format", choices=("table", "json"), default="table")


def add_comparison(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``compare ld`` that say what is compared."""
    _add_reference(parser)
    runs.add_systems(parser, "DIR", f"each system: {_TURNS}", ".rttm")


def _add_reference(parser: argparse.ArgumentParser) -> None:
    runs.add_corpus(parser, "--reference", "DIR", f"{_TURNS}, or a labels CSV as released")
    parser.add_argument("--regions", metavar="FILE", help="evaluated regions: XLSX, CSV or UEM")
    parser.add_argument("--redactions", metavar="FILE", help="redactions to leave out under strict: CSV or XLSX")
    parser.add_argument(
        "--strict-regions",
        metavar="FILE",
        help="what strict scores, if at hand, as in strict.uem of the workflow; otherwise the evaluated regions",
    )
    parser.add_argument(
        "--collar-ms", type=_collar, default=0, metavar="MS", help="leave out so much on both sides of a bound (strict)"
    )


def run(options: argparse.Namespace) -> str:
    """What ``score ld`` prints. Raises InputError for wrong input."""
    return scored.run(options, "ld", lambda: _system(options, options.predictions), _table, lambda r: r["notes"])


def read_systems(options: argparse.Namespace) -> list[System]:
    """The systems of ``compare ld``."""
    return [_system(options, path) for path in options.systems]


def _system(options: argparse.Namespace, predictions: str) -> System:
    if options.corpus is not None:
        for name in ("regions", "redactions", "strict_regions", "collar_ms"):
            if getattr(options, name):
                raise InputError(
                    f"--{name.replace('_', '-')} goes with --reference, and --corpus has its own; leave it out"
                )
        with runs.corpus_of(options, "ld", ITEMS) as corpus:
            return corpus.of_file(predictions)
    if options.regions is None:
        raise InputError("--regions is missing; name the evaluated regions of the reference")
    files = (options.reference, predictions, options.regions, options.redactions, options.strict_regions)
    return read_system(*files, options.collar_ms)


def read_system(
    reference: str,
    predictions: str,
    regions: str,
    redactions: str | None = None,
    strict_regions: str | None = None,
    collar_ms: int = 0,
) -> System:
    """The figures of files: ``official`` and ``strict``, the database's metrics by its names, and the ms of them.

    Beside them ``official_print``, what the published script prints; ``recordings``, rows as of ``ld_recordings``;
    ``switches``; and ``notes`` in words on what a reader must know. ``strict`` scores the plan's regions, the evaluated
    ones where none are given, less redactions, turns that the reference labels non-evaluated, and the collar.
    """
    from sinobench.ld import breakdown
    from sinobench.ld.metrics import strict_counts
    from sinobench.ld.turns import NON_EVALUATED, evaluated_spans, less, read_intervals, read_turns, spans
    from sinobench.merlion.annotation.tables import read_redactions

    truth, predicted, intervals = read_turns(reference), read_turns(predictions), read_intervals(regions)
    if not Path(reference).is_dir():
        # A file of turns can't name a recording without any.
        truth = truth.aligned(list(dict.fromkeys([*truth.recordings, *(region.recording for region in intervals)])))
    names = truth.recordings
    if not names:
        raise InputError("holds no recording; expected one .txt file for each, or turns", reference)
    aligned = predicted.aligned(names, predictions)
    evaluated = evaluated_spans(intervals, names, regions)
    _refuse_seconds(truth, predicted, evaluated, reference, predictions)
    scored = evaluated if strict_regions is None else spans(read_intervals(strict_regions), names, strict_regions)
    subtracted = [truth.spans(NON_EVALUATED)]
    if redactions is not None:
        subtracted.append(spans(read_redactions(redactions), names, redactions))
    for taken in subtracted:
        scored = less(scored, taken)
    compared = breakdown.compare_turns(truth, predicted, evaluated, scored)
    if collar_ms:
        compared = replace(compared, strict={0: strict_counts(truth, aligned, scored, collar_ms=collar_ms)})
    system = system_of(compared)
    result = system.result
    result["notes"] = [*_traps(truth, predicted), *_undefined(result)]
    if strict_regions is None and redactions is None and not len(subtracted[0]):
        result["notes"].append("strict scores the evaluated regions whole: nothing says what is to be left out of them")
    if collar_ms:
        result["notes"].append(f"strict leaves out {collar_ms} ms on both sides of each bound of a reference turn")
    others = {"regions": regions, "redactions": redactions, "strict_regions": strict_regions, "collar_ms": collar_ms}
    return replace(system, corpus=Source.of(reference, **others), model=Source.of(predictions))


def of_stored(stored: Stored) -> System:
    """The figures of a model on a corpus of a run."""
    from sinobench.ld.stored import comparison

    compared = comparison(stored)
    system = system_of(compared)
    system.result["notes"] = [*_states(compared.recordings, compared.prediction), *_undefined(system.result)]
    return system


def of_stored_and_file(stored: Stored, path: str) -> System:
    """The figures of a file or folder on a corpus of a run."""
    from sinobench.ld.predictions import from_file, refuse_seconds
    from sinobench.ld.tables import PREDICTIONS
    from sinobench.merlion.tables import RECORDINGS
    from sinobench.results import tables

    recordings = stored.columns(RECORDINGS)
    turns = from_file(path, recordings["recording"])
    refuse_seconds(turns, dict(zip(recordings["recording"], recordings["duration_ms"], strict=True)), path)
    given = tables.to_arrow(PREDICTIONS, turns.columns())
    return of_stored(
        replace(
            stored,
            in_arrow=lambda table, names: given if table is PREDICTIONS else stored.in_arrow(table, names),
        )
    )


def system_of(compared: Comparison) -> System:
    """The figures of a comparison, without notes; a recording costs the ms that strict counts as errors."""
    from sinobench.ld.breakdown import recording_columns, scores
    from sinobench.ld.metrics import pooled
    from sinobench.ld.switches import TOLERANCE_MS
    from sinobench.score import plain

    switches = {"tolerance_ms": TOLERANCE_MS} | pooled(vars(compared.switches))
    result: dict = {}
    chosen: dict[str, list] = {}
    for score in scores(compared):
        if score.subset == "all":
            counts = compared.official if score.protocol == "official" else compared.strict[0]
            result[score.protocol] = {"n_items": score.n_items, "coverage": score.coverage}
            result[score.protocol] |= plain(score.metrics()) | pooled(counts)
            chosen[score.protocol] = [score]
        elif score.subset == f"tolerance_ms={TOLERANCE_MS}":
            switches |= plain(score.metrics())
            chosen["switches"] = [score]
    result["official_print"] = {
        f"Total {language} LDER": result["official"][f"{language.lower()}_error_rate"] for language in TARGETS
    }
    result["switches"] = switches
    columns = recording_columns(compared)
    rows = zip(*(each if isinstance(each, list) else each.tolist() for each in columns.values()), strict=True)
    result["recordings"] = [dict(zip(columns, row, strict=True)) for row in rows]
    error_ms = sum(compared.strict[0][f"{kind}_ms"] for kind in ("miss", "false_alarm", "confusion"))

    def describe(place: int, brief: bool) -> dict[str, str]:
        return {"recording": compared.recordings[place], "scored ms": str(compared.strict[0]["scored_ms"][place])}

    items = Items(error_ms, describe, lambda place, brief: f"{error_ms[place]} ms", is_graded=True)
    return System(result, chosen, items)


def _refuse_seconds(truth, predicted, evaluated, reference: str | Path, predictions: str | Path) -> None:
    """The audio is not at hand: a recording lasts at least to the last time that regions and reference name."""
    import numpy as np

    from sinobench.ld.predictions import refuse_seconds

    last_ms = np.zeros(len(truth.recordings), np.int64)
    for table, source, times in (
        (truth, reference, evaluated[:, [0, 2]]),
        (predicted, predictions, np.column_stack([truth.recording, truth.end_ms])),
    ):
        np.maximum.at(last_ms, times[:, 0], times[:, 1])
        refuse_seconds(table, dict(zip(truth.recordings, last_ms.tolist(), strict=True)), source)


def _traps(reference, predictions) -> list[str]:
    """Where the published script would lose something or stop; the figures are those of sorted, complete input."""
    from sinobench.ld.breakdown import prediction_states

    notes = _states(reference.recordings, prediction_states(reference.recordings, predictions))
    silent = [name for name, each in zip(reference.recordings, reference.has_speech(), strict=True) if not each]
    notes += _note(silent, "no English or Mandarin turn in the reference, where the published script stops")
    for table, side in ((reference, "reference"), (predictions, "predicted")):
        unsorted = [name for name, each in zip(table.recordings, table.is_unsorted(), strict=True) if each]
        notes += _note(unsorted, f"unsorted {side} turns, sorted here, of which the published script loses some")
    return notes


def _states(recordings: Sequence[str], states: Sequence[str]) -> list[str]:
    notes = []
    for state, problem in (
        ("missing", "no prediction; all of their speech is missed, where the published script skips them"),
        ("empty", "an empty prediction; all of their speech is missed, where the published script stops"),
    ):
        notes += _note([name for name, each in zip(recordings, states, strict=True) if each == state], problem)
    return notes


def _note(recordings: list[str], problem: str) -> list[str]:
    if not recordings:
        return []
    have = "recording has" if len(recordings) == 1 else "recordings have"
    return [f"{len(recordings)} {have} {problem}: {', '.join(recordings)}"]


def _undefined(result: Mapping) -> list[str]:
    notes = []
    for protocol in ("official", "strict"):
        for name, value in result[protocol].items():
            if value is None:
                notes.append(f"{protocol} {name} is undefined: the reference has no such speech in scored time")
                log.warning(notes[-1])
    return notes


def _table(result: Mapping, intervals: Mapping) -> list[str]:
    """Counts and rates in rows, protocols in columns."""
    official, strict = result["official"], result["strict"]
    lines = [f"{'metric':<32}{'official':>24}{'strict':>24}"]
    for name in dict.fromkeys([*strict, *official]):
        cells = (_cell(values[name]) if name in values else "" for values in (official, strict))
        lines.append(f"{name:<32}{''.join(f'{cell:>24}' for cell in cells)}")
        lines += scored.interval_lines(intervals, name, _ENDS, _cell)
    switches = result["switches"]
    lines.append(
        f"language switches within {switches['tolerance_ms']} ms: {switches['n_matched']} of "
        f"{switches['n_reference']} found, {switches['n_predicted']} predicted"
    )
    for name in ("switch_precision", "switch_recall", "switch_f1"):
        lines.append(f"{name:<32}{_cell(switches[name]):>48}")
        lines += scored.interval_lines(intervals, name, {"switches": _ENDS["strict"]}, _cell)
    return lines


def _cell(value: float | int | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.6f}"


def _collar(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number of ms")
    return int(text)
