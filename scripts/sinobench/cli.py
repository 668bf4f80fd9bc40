"""The command ``sinobench``: score and compare prediction files, and check submissions, without Snakemake.

Exit status 0; 1 for a submission that the challenge would reject; 2 with one message for wrong input. Heavy imports
stay inside the functions that need them.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from sinobench import __version__
from sinobench.errors import InputError
from sinobench.ld import command as ld
from sinobench.lid import command as lid
from sinobench.merlion import validate_command

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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit status."""
    options = _parser().parse_args(arguments)
    try:
        print(options.run(options))
    except validate_command.Rejected as rejected:
        print(rejected)
        return 1
    except InputError as error:
        print(f"sinobench: {error.shown}", file=sys.stderr)
        return 2
    return 0


def score_g2p(items: str | Path) -> dict:
    """``official`` and ``strict`` metrics of the scorer's TSV, as fractions."""
    from sinobench.g2p.metrics import aggregate, score
    from sinobench.g2p.table import read_items

    table = read_items(items)
    outcomes = score(table.labels, table.predictions, table.positions, None, table.output_lengths)
    result = aggregate(outcomes)[0]
    return {"official": result["official"], "strict": result["strict"]}


def score_csc(gold: str | Path, predictions: str | Path) -> dict:
    """``official`` metrics, percentages and counts as printed, and ``strict`` ones, fractions, of two pair files."""
    from sinobench.csc.metrics import compare, count, official_counts, official_metrics, strict_metrics
    from sinobench.csc.pairs import official_columns, pair, read_pairs

    golds, predicted = read_pairs(gold), read_pairs(predictions)
    pairing = pair(golds, predicted)
    official = count(compare(*official_columns(golds, predicted)))
    counts = official_counts(official)
    result: dict = {"official": {"n": official.n}}
    for name, value in official_metrics(official).items():
        result["official"][OFFICIAL_CSC[name]] = value
        if name in counts:
            result["official"][f"{OFFICIAL_CSC[name]}_counts"] = list(counts[name])
    strict = strict_metrics(count(compare(pairing.inputs, pairing.golds, pairing.predictions)))
    result["strict"] = {"n": len(pairing.inputs), "coverage": pairing.coverage}
    result["strict"] |= {OFFICIAL_CSC.get(name, name): value for name, value in strict.items()}
    result["strict"]["paired_by"] = "line" if pairing.by_line else "input"
    result["strict"]["missing"] = pairing.missing
    return result


def _parser() -> argparse.ArgumentParser:
    about = "Score predictions of Chinese speech front-ends, and check submissions."
    parser = argparse.ArgumentParser(prog="sinobench", description=about)
    parser.add_argument("--version", action="version", version=f"sinobench {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command, run, about in (
        ("score", _score, "score one system under both protocols"),
        ("compare", _compare, "score several systems on the same items; differences are against the first"),
    ):
        tasks = commands.add_parser(command, help=about, description=about).add_subparsers(
            dest="task", required=True, metavar="TASK"
        )
        g2p = tasks.add_parser("g2p", help="Cantonese G2P: tab-separated text, position, label, prediction")
        csc = tasks.add_parser("csc", help="Chinese spelling check: lines of input⇥gold and of input⇥output")
        csc.add_argument("--gold", required=True, metavar="FILE", help="lines of input⇥gold")
        if command == "score":
            g2p.add_argument("--items", required=True, metavar="FILE", help="TSV with a header")
            csc.add_argument("--predictions", required=True, metavar="FILE", help="lines of input⇥output")
        else:
            g2p.add_argument("systems", nargs="+", metavar="FILE", help="TSV with a header, one a system")
            csc.add_argument("systems", nargs="+", metavar="FILE", help="lines of input⇥output, one file a system")
        for task in (g2p, csc):
            task.add_argument("--format", choices=("table", "json"), default="table")
            task.set_defaults(run=run)
        if command == "score":
            for name, speech, about in (
                ("lid", lid, "language identification, Task 1 of MERLIon CCS: scores of segments"),
                ("ld", ld, "language diarization, Task 2 of MERLIon CCS: turns of recordings"),
            ):
                task = tasks.add_parser(name, help=about, description=about)
                speech.add_arguments(task)
                task.set_defaults(run=speech.run)
    about = "say what a challenge would reject"
    kinds = commands.add_parser("validate", help=about, description=about).add_subparsers(required=True, metavar="WHAT")
    submission = kinds.add_parser("submission", help="a MERLIon CCS submission: the zip that is uploaded")
    validate_command.add_arguments(submission)
    submission.set_defaults(run=validate_command.run)
    return parser


def _score(options: argparse.Namespace) -> str:
    result = score_g2p(options.items) if options.task == "g2p" else score_csc(options.gold, options.predictions)
    if options.format == "json":
        return json.dumps(result, ensure_ascii=False, indent=1)
    return "\n".join([*_table(result, options.task), *_remarks(result)])


def _compare(options: argparse.Namespace) -> str:
    if options.task == "g2p":
        _check_same_items(options.systems)
        results = [score_g2p(system) for system in options.systems]
    else:
        results = [score_csc(options.gold, system) for system in options.systems]
    first, systems = results[0], []
    for system, result in zip(options.systems, results, strict=True):
        systems.append({"system": system, **result, "difference": _difference(result, first)})
    if options.format == "json":
        return json.dumps({"systems": systems}, ensure_ascii=False, indent=1)
    lines = []
    for number, system in enumerate(systems):
        lines += [f"{system['system']}" + (f"  (differences from {options.systems[0]})" if number else "")]
        lines += _table(system, options.task, system["difference"] if number else None) + _remarks(system) + [""]
    return "\n".join(lines[:-1])


def _difference(result: Mapping, first: Mapping) -> dict:
    return {
        protocol: {
            name: value - first[protocol][name]
            for name, value in result[protocol].items()
            if isinstance(value, float) and isinstance(first[protocol][name], float)
        }
        for protocol in ("official", "strict")
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
    official, strict = result["official"], result["strict"]
    names = [name for name in strict if name not in ("missing", "paired_by")]
    lines = [f"{'metric':<34}{'official':>26}{'strict':>26}"]
    for name in [*names, *(name for name in official if name not in strict and not name.endswith("_counts"))]:
        cells = []
        for protocol, values in (("official", official), ("strict", strict)):
            scale = 100 if task == "csc" and protocol == "strict" else 1
            cell = _cell(values[name], scale, 2 if task == "csc" else 6) if name in values else ""
            if counts := values.get(f"{name}_counts"):
                cell += f" ({counts[0]}/{counts[1]})"
            if difference and name in difference[protocol]:
                cell += f" {difference[protocol][name] * scale:+.{2 if task == 'csc' else 6}f}"
            cells.append(cell)
        lines.append(f"{name:<34}{cells[0]:>26}{cells[1]:>26}")
    return lines


def _cell(value: float | int | None, scale: int, digits: int) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value * scale:.{digits}f}"


def _remarks(result: Mapping) -> list[str]:
    remarks = []
    if missing := result["strict"].get("missing"):
        remarks.append(f"{len(missing)} inputs have no prediction and count as unchanged:")
        remarks += [f"  {source}" for source in missing]
    if dropped := result["official"].get("dropped"):
        remarks.append(f"official drops {dropped} items whose output ends before the target; strict counts them wrong")
    return remarks
