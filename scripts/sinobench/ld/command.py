"""``sinobench score ld``: score a folder of diarization results under both protocols."""

import argparse
import json
import logging
from collections.abc import Mapping
from pathlib import Path

from sinobench.errors import InputError

log = logging.getLogger(__name__)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of the command."""
    turns = "folder of one <recording>.txt each (start end language, ms), or an .rttm file"
    parser.add_argument("--reference", required=True, metavar="DIR", help=turns)
    parser.add_argument("--predictions", required=True, metavar="DIR", help="the same of the system")
    parser.add_argument("--regions", required=True, metavar="FILE", help="evaluated regions: XLSX, CSV or UEM")
    parser.add_argument("--redactions", metavar="FILE", help="redactions to leave out under plan: CSV or XLSX")
    parser.add_argument(
        "--collar-ms", type=_collar, default=0, metavar="MS", help="leave out so much on both sides of a bound (plan)"
    )
    parser.add_argument("--format", choices=("table", "json"), default="table")


def run(options: argparse.Namespace) -> str:
    """The scores as a table or as JSON. Raises InputError for wrong input."""
    result = score_ld(options.reference, options.predictions, options.regions, options.redactions, options.collar_ms)
    if options.format == "json":
        return json.dumps(result, ensure_ascii=False, indent=1)
    return "\n".join(_table(result))


def score_ld(
    reference: str | Path,
    predictions: str | Path,
    regions: str | Path,
    redactions: str | Path | None = None,
    collar_ms: int = 0,
) -> dict:
    """``official`` and ``plan`` counts and rates, ``switches``, and ``notes`` in words on what a reader must know.

    Redactions and turns that the reference labels non-evaluated are left out of ``plan``, as is the collar.
    """
    import numpy as np

    from sinobench.ld import metrics, switches
    from sinobench.ld.predictions import refuse_seconds
    from sinobench.ld.turns import NON_EVALUATED, read_evaluated, read_turns, spans
    from sinobench.merlion.annotations import read_redactions

    truth, found = read_turns(reference), read_turns(predictions)
    names = truth.recordings
    if not names:
        raise InputError("holds no recording; expected one .txt file for each, or turns", reference)
    aligned = found.aligned(names, predictions)
    evaluated = read_evaluated(regions, names)
    # The audio is not at hand: a recording lasts at least to the last time that the reference names.
    last_ms = np.zeros(len(names), np.int64)
    np.maximum.at(last_ms, evaluated[:, 0], evaluated[:, 2])
    refuse_seconds(truth, dict(zip(names, last_ms.tolist(), strict=True)), reference)
    np.maximum.at(last_ms, truth.recording, truth.end_ms)
    refuse_seconds(found, dict(zip(names, last_ms.tolist(), strict=True)), predictions)
    subtracted = truth.spans(NON_EVALUATED)
    if redactions is not None:
        subtracted = np.concatenate([subtracted, spans(read_redactions(redactions), names, redactions)])
    by_recording = metrics.official_counts(truth, aligned, evaluated)
    official = metrics.pooled(by_recording)
    columns = (by_recording[name].tolist() for name in metrics.OFFICIAL_COUNTS)
    plan = metrics.pooled(metrics.plan_counts(truth, aligned, evaluated, subtracted, collar_ms))
    rates = metrics.plan_rates(plan)
    counts = metrics.pooled(vars(switches.compare_switches(truth, aligned, evaluated, subtracted)))
    result: dict = {
        "official": official
        | metrics.official_rates(official)
        | {"per_recording": {f"{name}.txt": row for name, *row in zip(names, *columns, strict=True)}},
        "plan": plan | {name: rates[name] for name in ("lder", "english_error_rate", "mandarin_error_rate")},
        "switches": {"tolerance_ms": switches.TOLERANCE_MS} | counts | switches.switch_rates(**counts),
    }
    result["notes"] = [*_traps(truth, found), *_undefined(result)]
    if collar_ms:
        result["notes"].append(f"plan leaves out {collar_ms} ms on both sides of each bound of a reference turn")
    return result


def _traps(reference, predictions) -> list[str]:
    """Where the published script would lose something or stop; the figures are those of sorted, complete input."""
    from sinobench.ld.breakdown import prediction_states

    states = prediction_states(reference.recordings, predictions)
    notes = []
    for state, what in (
        ("missing", "no prediction; all of their speech is missed, where the published script skips them"),
        ("empty", "an empty prediction; all of their speech is missed, where the published script stops"),
    ):
        named = [name for name, each in zip(reference.recordings, states, strict=True) if each == state]
        notes += _note(named, what)
    silent = [name for name, each in zip(reference.recordings, reference.has_speech(), strict=True) if not each]
    notes += _note(silent, "no English or Mandarin turn in the reference, where the published script stops")
    for table, side in ((reference, "reference"), (predictions, "predicted")):
        unsorted = [name for name, each in zip(table.recordings, table.is_unsorted(), strict=True) if each]
        notes += _note(unsorted, f"unsorted {side} turns, sorted here, of which the published script loses some")
    return notes


def _note(recordings: list[str], what: str) -> list[str]:
    if not recordings:
        return []
    have = "recording has" if len(recordings) == 1 else "recordings have"
    return [f"{len(recordings)} {have} {what}: {', '.join(recordings)}"]


def _undefined(result: Mapping) -> list[str]:
    notes = []
    for protocol in ("official", "plan"):
        for name, value in result[protocol].items():
            if value is None:
                notes.append(f"{protocol} {name} is undefined: the reference has no such speech in scored time")
                log.warning(notes[-1])
    return notes


def _table(result: Mapping) -> list[str]:
    """Counts and rates in rows, protocols in columns."""
    official = {name: value for name, value in result["official"].items() if name != "per_recording"}
    official["lder"] = official.pop("pooled_error_rate")
    plan = result["plan"]
    lines = [f"{'metric':<24}{'official':>14}{'plan':>14}"]
    for name in dict.fromkeys([*plan, *official]):
        cells = (_cell(values[name]) if name in values else "" for values in (official, plan))
        lines.append(f"{name:<24}{''.join(f'{cell:>14}' for cell in cells)}")
    found = result["switches"]
    lines += [
        f"language switches within {found['tolerance_ms']} ms: {found['n_matched']} of {found['n_reference']} found, "
        f"{found['n_predicted']} predicted; precision {_cell(found['switch_precision'])}, "
        f"recall {_cell(found['switch_recall'])}, F1 {_cell(found['switch_f1'])}"
    ]
    return lines + result["notes"]


def _cell(value: float | int | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.6f}"


def _collar(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 6:
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number of ms")
    return int(text)
