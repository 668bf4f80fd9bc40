"""``sinobench score`` and ``sinobench compare`` for the text tasks, g2p and csc.

``official`` and ``strict`` hold the database's metrics by its names, as fractions; ``official_print`` what the official
script prints, under its names. Where one protocol refuses the files, it is null, and ``refused`` says why.
"""

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from sinobench.errors import MAX_LINE, InputError, short

PROTOCOLS = ("official", "strict")
_SHOWN = 20  # inputs without a prediction
# Names of the official script's printout, by ours.
OFFICIAL_CSC = {
    "sentence_fpr": "sentence_FPR",
    "detection_precision": "char_detect_precision",
    "detection_recall": "char_detect_recall",
    "detection_f1": "char_detect_F1",
    "correction_precision": "char_correct_precision",
    "correction_recall": "char_correct_recall",
    "correction_f1": "char_correct_F1",
}
OFFICIAL_G2P = {"accuracy": "Accuracy", "per": "Phoneme Error Rate (PER)"}


class Incomplete(Exception):
    """One protocol has no figures: ``text`` is what the other one gives, ``reasons`` are why. Exit status 2."""

    def __init__(self, text: str, reasons: Sequence[str]) -> None:
        super().__init__(text)
        self.text, self.reasons = text, list(reasons)


def score(options: Namespace) -> str:
    """What ``score`` prints. Raises Incomplete where one protocol refuses the files, InputError where both do."""
    result = _result(options, options.items if options.task == "g2p" else options.predictions)
    lines = [*_table(result, options.task), *_remarks(result)]
    return _answer(options, result, lines, result["refused"].values())


def compare(options: Namespace) -> str:
    """What ``compare`` prints; raises as ``score`` does."""
    if options.task == "g2p":
        _check_same_items(options.systems)
    systems = [{"system": system, **_result(options, system)} for system in options.systems]
    lines, reasons = [], []
    for number, system in enumerate(systems):
        system["difference"] = _difference(system, systems[0])
        lines += [f"{system['system']}" + (f"  (differences from {options.systems[0]})" if number else "")]
        lines += _table(system, options.task, system["difference"] if number else None) + _remarks(system) + [""]
        reasons += system["refused"].values()
    return _answer(options, {"systems": systems}, lines[:-1], reasons)


def score_g2p(items: str | Path) -> dict:
    """The scores of the scorer's TSV."""
    from sinobench.g2p.breakdown import figures
    from sinobench.g2p.metrics import score as outcomes_of
    from sinobench.g2p.table import read_items

    table = read_items(items)
    outcomes = outcomes_of(table.labels, table.predictions, table.positions, None, table.output_lengths)
    scored = figures(outcomes, table.texts)
    printed = {name: scored["official"][ours] for ours, name in OFFICIAL_G2P.items()}
    printed = {name: None if value is None else round(value, 4) for name, value in printed.items()}
    return {"official": scored["official"], "strict": scored["strict"], "official_print": printed, "refused": {}}


def score_csc(gold: str | Path, predictions: str | Path) -> dict:
    """The scores of two pair files, with the inputs that have no prediction and how the files were paired.

    Raises InputError for a file that can't be read, and where both protocols refuse.
    """
    from sinobench.csc.pairs import read_pairs

    golds, predicted = read_pairs(gold), read_pairs(predictions)
    result = dict.fromkeys((*PROTOCOLS, "official_print", "paired_by")) | {"missing": [], "refused": {}}
    errors = []
    for protocol, half in (("strict", _strict_csc), ("official", _official_csc)):
        try:
            result |= half(golds, predicted)
        except InputError as error:
            errors.append(error)
            result["refused"][protocol] = f"no {protocol} figures: {error.shown}"
    if len(errors) == len(PROTOCOLS):
        raise errors[0]
    return result


def _official_csc(golds, predicted) -> dict:
    from sinobench.csc.breakdown import official_score
    from sinobench.csc.metrics import Counts, compare, count, official_counts, official_metrics
    from sinobench.csc.pairs import official_columns
    from sinobench.score import plain

    inputs, *texts = official_columns(golds, predicted)
    counts = count(compare(inputs, *texts))
    score = official_score(inputs, counts, _coverage(golds, predicted))
    summed = Counts(*counts.sum(axis=0).tolist())
    parts, printed = official_counts(summed), {}
    for name, value in plain(official_metrics(summed)).items():
        printed[OFFICIAL_CSC[name]] = value
        if name in parts:
            printed[f"{OFFICIAL_CSC[name]}_counts"] = list(parts[name])
    return {"official": _figures(score), "official_print": printed}


def _strict_csc(golds, predicted) -> dict:
    from sinobench.csc.breakdown import strict_score
    from sinobench.csc.metrics import compare, count
    from sinobench.csc.pairs import pair

    pairing = pair(golds, predicted)
    counts = count(compare(pairing.inputs, pairing.golds, pairing.predictions))
    return {
        "strict": _figures(strict_score(pairing.inputs, counts, _coverage(golds, predicted))),
        "paired_by": "line" if pairing.by_line else "input",
        "missing": pairing.missing,
    }


def _figures(score) -> dict:
    from sinobench.score import plain

    return {"n_items": score.n_items, "coverage": score.coverage} | plain(score.metrics())


def _coverage(golds, predicted) -> float:
    """Share of the gold lines that have a prediction."""
    known = set(predicted.inputs)
    return sum(source in known for source in golds.inputs) / len(golds.inputs)


def _result(options: Namespace, system: str) -> dict:
    return score_g2p(system) if options.task == "g2p" else score_csc(options.gold, system)


def _answer(options: Namespace, result: Mapping, lines: Sequence[str], reasons: Sequence[str]) -> str:
    plain = sys.stdout.encoding.lower() != "utf-8"
    text = json.dumps(result, ensure_ascii=plain, indent=1) if options.format == "json" else "\n".join(lines)
    if reasons:
        raise Incomplete(text, list(dict.fromkeys(reasons)))
    return text


def _difference(result: Mapping, first: Mapping) -> dict:
    return {
        protocol: {
            name: value - first[protocol][name]
            for name, value in (result[protocol] or {}).items()
            if isinstance(value, float) and isinstance((first[protocol] or {}).get(name), float)
        }
        for protocol in PROTOCOLS
    }


def _check_same_items(systems: Sequence[str]) -> None:
    from sinobench.g2p.table import read_items

    tables = [read_items(system) for system in systems]
    keys = [list(zip(t.texts, t.positions, t.labels, strict=True)) for t in tables]
    for system, table in zip(systems[1:], keys[1:], strict=True):
        if len(table) != len(keys[0]):
            raise InputError(f"has {len(table)} items where {systems[0]} has {len(keys[0])}", system)
        for line, (item, first) in enumerate(zip(table, keys[0], strict=True), start=2):
            if item != first:
                raise InputError(f"the item {item} is not that of {systems[0]}, {first}", system, line)


def _table(result: Mapping, task: str, difference: Mapping | None = None) -> list[str]:
    """Metrics in rows, protocols in columns; percentages for csc, fractions for g2p, as the field prints them."""
    columns = {protocol: result[protocol] or {} for protocol in PROTOCOLS}
    printed: Callable = (lambda value: f"{100 * value:.2f}") if task == "csc" else (lambda value: f"{value:.6f}")
    signed: Callable = (lambda value: f"{100 * value:+.2f}") if task == "csc" else (lambda value: f"{value:+.6f}")
    lines = [f"{'metric':<34}{'official':>26}{'strict':>26}"]
    for name in dict.fromkeys([*columns["strict"], *columns["official"]]):
        cells = []
        for protocol, values in columns.items():
            value = values.get(name)
            cell = "" if name not in values else "-" if value is None else str(value)
            if isinstance(value, float):
                cell = printed(value)
            counts = (result["official_print"] or {}).get(f"{OFFICIAL_CSC.get(name)}_counts")
            if protocol == "official" and counts:
                cell += f" ({counts[0]}/{counts[1]})"
            if difference and name in difference[protocol]:
                cell += f" {signed(difference[protocol][name])}"
            cells.append(cell)
        lines.append(f"{name:<34}{cells[0]:>26}{cells[1]:>26}")
    return lines


def _remarks(result: Mapping) -> list[str]:
    remarks = list(result["refused"].values())
    if missing := result.get("missing"):
        remarks.append(f"{len(missing)} inputs have no prediction and count as unchanged:")
        remarks += [f"  {short(source, MAX_LINE)}" for source in missing[:_SHOWN]]
        remarks += [f"  and {len(missing) - _SHOWN} more"] if len(missing) > _SHOWN else []
    if dropped := (result["official"] or {}).get("dropped"):
        remarks.append(f"official drops {dropped} items whose output ends before the target; strict counts them wrong")
    return remarks
