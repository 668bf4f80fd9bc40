"""``sinobench score csc`` and ``compare csc``: a system's corrections of a gold file, under both protocols.

``official`` and ``strict`` hold the database's metrics by its names, as fractions; ``official_print`` what the official
script prints, under its names. Where one protocol refuses the files, it is null, and ``refused`` says why.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from operator import is_
from typing import TYPE_CHECKING

from sinobench.commands import runs, scored
from sinobench.commands.scored import PROTOCOLS, Items, Source, System
from sinobench.commands.standard_input import readable
from sinobench.errors import MAX_LINE, InputError, short

if TYPE_CHECKING:
    import numpy as np

    from sinobench.csc.breakdown import Comparison
    from sinobench.csc.metrics import Edits
    from sinobench.csc.pairs import Pairs
    from sinobench.results.stored import Stored
    from sinobench.score import Score

ITEMS = "csc_items"
# Names of the official script's printout, by ours.
OFFICIAL_NAMES = {
    "sentence_fpr": "sentence_FPR",
    "detection_precision": "char_detect_precision",
    "detection_recall": "char_detect_recall",
    "detection_f1": "char_detect_F1",
    "correction_precision": "char_correct_precision",
    "correction_recall": "char_correct_recall",
    "correction_f1": "char_correct_F1",
}
EXAMPLES = """examples:
  sinobench score csc --gold gold.txt --predictions modelout.txt
  sinobench score csc --gold gold.txt --predictions modelout.txt --format json --no-intervals
  sinobench score csc --corpus nlpcc2023-dev --predictions modelout.txt
  my-model < inputs.txt | sinobench score csc --gold gold.txt --predictions -
"""
COMPARISONS = """examples:
  sinobench compare csc --gold gold.txt one.txt other.txt
  sinobench compare csc --gold gold.txt one.txt other.txt third.txt --format latex
  sinobench compare csc --corpus nlpcc2023-dev
  sinobench compare csc --database results/full/sinobench.duckdb --corpus sighan15 dictionary theirs.txt
"""
_SHOWN = 20  # inputs without a prediction
_ENDS = {"official": 56, "strict": 80}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``score csc``."""
    runs.add_corpus(parser, "--gold", "FILE", "lines of input⇥gold")
    parser.add_argument(
        "--predictions",
        type=readable,
        required=True,
        metavar="FILE",
        help="lines of input⇥output, or an output a line beside the gold's inputs; '-': standard input",
    )
    scored.add_statistics(parser, can_leave_out=True)
    parser.add_argument("--format", choices=("table", "json"), default="table")


def add_comparison(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``compare csc`` that say what the items are."""
    runs.add_corpus(parser, "--gold", "FILE", "lines of input⇥gold")
    runs.add_systems(parser, "FILE", "predictions, a file each system")


def run(options: argparse.Namespace) -> str:
    """What ``score csc`` prints. Raises Incomplete where one protocol refuses the files, InputError where both do."""
    return scored.run(options, "csc", lambda: _read(options), _table, _remarks)


def _read(options: argparse.Namespace) -> System:
    if options.corpus is None:
        return read_system(options.gold, options.predictions)
    with runs.corpus_of(options, "csc", ITEMS) as corpus:
        return corpus.of_file(options.predictions)


def read_systems(options: argparse.Namespace) -> list[System]:
    """The systems of ``compare csc``."""
    return [read_system(options.gold, path) for path in options.systems]


def read_system(gold: str, predictions: str) -> System:
    """The figures of two files, with the inputs that have no prediction and how the files were paired.

    Raises InputError for a file that can't be read, and where both protocols refuse.
    """
    from sinobench.csc.pairs import read_pairs, read_predictions

    golds = read_pairs(gold)
    corpus = Source.beside(gold)
    predicted = read_predictions(predictions, golds.inputs, first_line=golds.first_line)
    model = Source.beside(predictions)
    if predicted.inputs == golds.inputs:
        predicted = replace(predicted, inputs=golds.inputs)
    result = dict.fromkeys((*PROTOCOLS, "official_print", "paired_by")) | {"missing": [], "refused": {}}
    scores, items, errors, files = {}, None, [], _Files(golds, predicted)
    for protocol, half in (("strict", _strict), ("official", _official)):
        try:
            score, part, answered = half(files)
        except InputError as error:
            errors.append(error)
            result["refused"][protocol] = f"no {protocol} figures: {error.shown}"
        else:
            result |= {protocol: _figures(score)} | part
            scores[protocol] = [score]
            items = answered or items
    if len(errors) == len(PROTOCOLS):
        raise errors[0]
    scores = {protocol: scores[protocol] for protocol in PROTOCOLS if protocol in scores}
    return System(result, scores, items, corpus=corpus(), model=model())


def of_stored(stored: Stored) -> System:
    """The figures of a model on a corpus of a run. Raises InputError for a corpus without gold."""
    from sinobench.csc.stored import comparison

    return _of_comparison(comparison(_with_gold(stored)), stored)


def of_stored_and_file(stored: Stored, path: str) -> System:
    """The figures of a file on a corpus of a run. Raises InputError for a corpus without gold."""
    from sinobench.csc.breakdown import compare_outputs
    from sinobench.csc.pairs import official_start
    from sinobench.csc.predictions import from_file
    from sinobench.csc.tables import ITEMS as TABLE

    items = _with_gold(stored).columns(TABLE)
    columns = (items["item_id"], items["input"], items["golds"], from_file(path, items["input"]))
    return _of_comparison(compare_outputs(*columns, official_start(items["line"][0], items["input"][0])), stored)


def _with_gold(stored: Stored) -> Stored:
    from sinobench.csc.tables import ITEMS as TABLE

    if None in stored.columns(TABLE)["golds"]:
        raise InputError(f"corpus '{stored.corpus}' has no gold; score one that has")
    return stored


def _of_comparison(compared: Comparison, stored: Stored) -> System:
    from sinobench.csc.gathered import Gathered
    from sinobench.csc.tables import ITEMS as TABLE

    held = Gathered()
    held.add(compared)
    whole = [score for score in held.scores() if score.subset == "all"]
    scores = {protocol: [score for score in whole if score.protocol == protocol] for protocol in reversed(PROTOCOLS)}
    result = {protocol: {} for protocol in PROTOCOLS}
    for protocol, of in scores.items():
        for score in of:
            result[protocol] |= _figures(score)
    n_misaligned = int(compared.misaligned.sum())
    missing = [source for source, given in zip(compared.inputs, compared.predictions, strict=True) if given is None]
    result |= {
        "official_print": printed(held.official_counts.sums()),
        "paired_by": None,
        "missing": missing,
        "refused": {},
    }
    if n_misaligned:
        reason = f"no official figures: {n_misaligned} outputs are not as long as their input"
        result |= {"official": None, "official_print": None, "refused": {"official": reason}}
        del scores["official"]
    lines = stored.columns(TABLE)["line"]
    items = items_of(lines, compared.inputs, compared.golds, compared.predictions, compared.edits)
    return System(result, {protocol: scores[protocol] for protocol in PROTOCOLS if protocol in scores}, items)


class _Files:
    """A gold and a prediction file, and what both protocols need of them, made once."""

    def __init__(self, golds: Pairs, predicted: Pairs) -> None:
        self.golds, self.predicted = golds, predicted
        self._columns: tuple[Sequence[str], ...] = ()

    @cached_property
    def coverage(self) -> float:
        """Share of the gold lines that have a prediction."""
        golds, predicted = self.golds.inputs, self.predicted.inputs
        if golds is predicted:
            return 1.0
        known = set(predicted)
        return sum(map(known.__contains__, golds)) / len(golds)

    def compare(self, *columns: Sequence[str]) -> tuple[Edits, np.ndarray]:
        """The edits and the counts of inputs, golds and predictions; the same columns are compared once."""
        from sinobench.csc.metrics import compare, count

        if not self._columns or not all(map(is_, columns, self._columns)):
            edits = compare(*columns)
            self._columns, self._compared = columns, (edits, count(edits))
        return self._compared


def _official(files: _Files) -> tuple[Score, dict, None]:
    from sinobench.csc.gathered import official_score
    from sinobench.csc.pairs import official_columns

    columns = official_columns(files.golds, files.predicted)
    _, counts = files.compare(*columns)
    score = official_score(columns[0], counts, files.coverage)
    return score, {"official_print": printed(counts.sum(axis=0))}, None


def _strict(files: _Files) -> tuple[Score, dict, Items]:
    from sinobench.csc.gathered import strict_score
    from sinobench.csc.pairs import pair

    pairing = pair(files.golds, files.predicted)
    columns = (pairing.inputs, pairing.golds, pairing.predictions)
    edits, counts = files.compare(*columns)
    part = {"paired_by": "line" if pairing.by_line else "input", "missing": pairing.missing}
    lines = range(files.golds.first_line, files.golds.first_line + len(pairing.inputs))
    return strict_score(pairing.inputs, counts, files.coverage), part, items_of(lines, *columns, edits)


def items_of(
    lines: Sequence[int], inputs: Sequence[str], golds: Sequence[str], predictions: Sequence[str | None], edits: Edits
) -> Items:
    """The sentences of a comparison; one costs the characters that are not as in the gold."""
    import numpy as np

    wrong = np.bincount(edits.sentence[edits.gold != edits.prediction], minlength=len(inputs)) + edits.n_unaligned

    def describe(place: int, brief: bool) -> dict[str, str]:
        source, gold, line = inputs[place], golds[place], str(lines[place])
        if not brief:
            return {"line": line, "input": source, "gold": gold}
        return {"line": line, "input": short(source, 16), "gold": _changes(source, gold)}

    def answer(place: int, brief: bool) -> str:
        prediction = predictions[place]
        if prediction is None:
            return "no prediction"
        return _changes(inputs[place], prediction) if brief else prediction

    return Items(wrong, describe, answer)


def printed(sums: np.ndarray) -> dict:
    """What the official script prints of the sums (len(COUNTS),) over the sentences that it reads."""
    from sinobench.csc.metrics import Counts, official_counts, official_metrics
    from sinobench.score import plain

    summed = Counts(*sums.tolist())
    parts, found = official_counts(summed), {}
    for name, value in plain(official_metrics(summed)).items():
        found[OFFICIAL_NAMES[name]] = value
        if name in parts:
            found[f"{OFFICIAL_NAMES[name]}_counts"] = list(parts[name])
    return found


def _figures(score: Score) -> dict:
    from sinobench.score import plain

    return {"n_items": score.n_items, "coverage": score.coverage} | plain(score.metrics())


def _changes(source: str, output: str) -> str:
    if len(source) != len(output):
        return f"{len(output)} for {len(source)} characters"
    changed = [f"{s}→{o}" for s, o in zip(source, output, strict=True) if s != o]
    return " ".join(changed[:3]) + (" …" if len(changed) > 3 else "") if changed else "-"


def _table(result: Mapping, intervals: Mapping) -> list[str]:
    """Metrics in rows, protocols in columns, as percentages."""
    columns = {protocol: result[protocol] or {} for protocol in PROTOCOLS}
    lines = [f"{'metric':<32}{'official':>24}{'strict':>24}"]
    for name in dict.fromkeys([*columns["strict"], *columns["official"]]):
        cells = []
        for protocol, values in columns.items():
            value = values.get(name)
            cell = "" if name not in values else "-" if value is None else str(value)
            if isinstance(value, float):
                cell = _percent(value)
            counts = (result["official_print"] or {}).get(f"{OFFICIAL_NAMES.get(name)}_counts")
            if protocol == "official" and counts:
                cell += f" ({counts[0]}/{counts[1]})"
            cells.append(cell)
        lines.append(f"{name:<32}{cells[0]:>24}{cells[1]:>24}")
        lines += scored.interval_lines(intervals, name, _ENDS, _percent)
    return lines


def _remarks(result: Mapping) -> list[str]:
    remarks = list(result["refused"].values())
    if missing := result["missing"]:
        remarks.append(f"{len(missing)} inputs have no prediction and count as unchanged:")
        remarks += [f"  {short(source, MAX_LINE)}" for source in missing[:_SHOWN]]
        remarks += [f"  and {len(missing) - _SHOWN} more"] if len(missing) > _SHOWN else []
    return remarks


def _percent(value: float) -> str:
    return f"{100 * value:.2f}"
