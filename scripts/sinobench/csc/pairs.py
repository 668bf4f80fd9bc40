"""Two-column files of the official script, ``input⇥output``; how a gold and a prediction file are laid side by side."""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sinobench.csc.columns import Texts, are_distinct, code_points
from sinobench.errors import InputError, short
from sinobench.text import read_text

HEADER = "原文"

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Pairs:
    """n pairs, of equal length unless read otherwise. ``first_line``: the first one's line, 2 after a header."""

    path: Path
    inputs: Sequence[str]
    outputs: Sequence[str]
    first_line: int

    @property
    def official_start(self) -> int:
        """The first pair that the official script reads."""
        return official_start(self.first_line, self.inputs[0])


@dataclass(frozen=True)
class Pairing:
    """n triples of equal length, a gold line each; ``missing`` are inputs without a prediction, taken as unchanged."""

    inputs: Sequence[str]
    golds: Sequence[str]
    predictions: Sequence[str]
    missing: list[str]
    by_line: bool


def is_header(field: str) -> bool:
    """Whether the first line of a file is a header, by its field in the column of the inputs."""
    return field.strip() == HEADER


def official_start(first_line: int, first_input: str) -> int:
    """The row from which the official script reads: it takes a first line that holds 原文 anywhere for a header."""
    return int(first_line == 1 and HEADER in first_input)


def read_pairs(path: str | Path, equal_lengths: bool = True) -> Pairs:
    """Read ``input⇥output`` lines; InputError for a missing tab, a third column, an empty input or unequal lengths.

    equal_lengths: False lets outputs of another length through.
    """
    return _pairs(read_text(path), Path(path), equal_lengths)


def read_predictions(path: str | Path, inputs: Sequence[str], equal_lengths: bool = True, first_line: int = 1) -> Pairs:
    """Predictions as ``read_pairs``, or, in a file without any tab, as one output a line beside the n inputs.

    first_line: of the inputs in their own file. Raises InputError for a file in which some lines have a tab and some
    have none, and for another number of outputs than inputs.
    """
    path = Path(path)
    text = read_text(path)
    if "\t" in text:
        try:
            return _pairs(text, path, equal_lengths)
        except InputError:
            _refuse_mixture(text.split("\n"), path)
            raise
    lines = text.split("\n")
    if len(lines) != len(inputs):
        raise InputError(
            f"has {len(lines)} lines without a tab, for {len(inputs)} inputs; give one output a line in the inputs' "
            "order, or lines of input⇥output",
            path,
        )
    if equal_lengths:
        for number, (source, output) in enumerate(zip(inputs, lines, strict=True), start=1):
            check_pair(source, output, path, number)
    return Pairs(path, inputs, lines, first_line)


def _pairs(text: str, path: Path, equal_lengths: bool) -> Pairs:
    first = 1
    if is_header(re.match(r"[^\t\n]*", text)[0]):
        log.info("%s, line 1: header skipped", path)
        _, end, text = text.partition("\n")
        first = 2
        if not end:
            raise InputError("holds a header and no pair", path, 1)
    codes = code_points(text)
    ends = np.flatnonzero(codes <= ord("\n"))
    kinds = codes[ends]
    if (kinds < ord("\t")).any():  # other control characters are text
        ends, kinds = (of[kinds >= ord("\t")] for of in (ends, kinds))
    if len(kinds) % 2 == 0 or (kinds[::2] != ord("\t")).any() or (kinds[1::2] != ord("\n")).any():
        _refuse_first(text.split("\n"), first, path, equal_lengths)
    ends = np.append(ends, len(codes))
    starts = np.insert(ends[:-1] + 1, 0, 0)
    lengths = ends - starts
    inputs, outputs = (Texts(codes, starts[side::2], lengths[side::2]) for side in (0, 1))
    note_official_header(path, first, inputs[0])
    if not inputs.lengths.all() or (equal_lengths and not np.array_equal(inputs.lengths, outputs.lengths)):
        _refuse_first(text.split("\n"), first, path, equal_lengths)
    return Pairs(path, inputs, outputs, first)


def _refuse_mixture(lines: Sequence[str], path: Path) -> None:
    """Raise InputError where some lines have a tab, others have none, and the first is no header."""
    if is_header(lines[0].split("\t")[0]):
        return
    with_tab, without = (
        next((number for number, line in enumerate(lines, start=1) if ("\t" in line) == wanted), None)
        for wanted in (True, False)
    )
    if without is not None:
        raise InputError(
            f"expected input and output with one tab between, found 0 tabs in '{short(lines[without - 1])}', and some "
            f"in line {with_tab}; write input⇥output in every line, or the output alone in every line",
            path,
            without,
        ) from None


def _refuse_first(lines: Sequence[str], first_line: int, path: Path, equal_lengths: bool) -> None:
    """Raise the InputError of the first line that is no pair."""
    for number, line in enumerate(lines, start=first_line):
        fields = line.split("\t")
        if len(fields) != 2:
            raise InputError(
                f"expected input and output with one tab between, found {len(fields) - 1} tabs in '{short(line)}'",
                path,
                number,
            )
        check_pair(fields[0], fields[1] if equal_lengths else fields[0], path, number)


def note_official_header(path: Path, first_line: int, first_input: str) -> None:
    """Log that the official script would skip a sentence."""
    if official_start(first_line, first_input):
        log.info("%s, line 1: a sentence; the official script skips it, because it holds %s", path, HEADER)


def check_pair(source: str, output: str, path: Path, line: int) -> None:
    """InputError for an empty input, and for an output that is not as long as its input."""
    if not source:
        raise InputError("the input is empty; remove the line, or write the sentence", path, line)
    if len(source) != len(output):
        raise InputError(
            f"input has {len(source)} characters, output {len(output)}; spelling check replaces characters one by one: "
            f"'{short(source)}' → '{short(output)}'",
            path,
            line,
        )


def pair(gold: Pairs, predicted: Pairs) -> Pairing:
    """Lay predictions beside golds: line by line where the two input columns agree in full, else by the input sentence.

    Raises InputError, naming file and line, for a
    predicted input that the gold file lacks and, when matching by input, for a repeated input with different outputs.
    """
    by_line = gold.inputs == predicted.inputs
    if by_line:
        predictions, missing = predicted.outputs, []
    else:
        known = set(gold.inputs)
        for line, source in enumerate(predicted.inputs, start=predicted.first_line):
            if source not in known:
                _refuse_unknown(source, gold, predicted, line)
        for pairs in (gold, predicted):
            _refuse_ambiguous(pairs)
        prediction_of = dict(zip(predicted.inputs, predicted.outputs, strict=True))
        predictions = [prediction_of.get(source, source) for source in gold.inputs]
        missing = [source for source in gold.inputs if source not in prediction_of]
    return Pairing(gold.inputs, gold.outputs, predictions, missing, by_line)


def official_columns(gold: Pairs, predicted: Pairs) -> tuple[Sequence[str], Sequence[str], Sequence[str]]:
    """Inputs, golds and predictions of two files as the official script reads and matches them.

    It matches by the input: the last gold, the first prediction, the input itself where there is none. Raises
    InputError for a predicted input that the gold file lacks.
    """
    start = predicted.official_start
    if start == gold.official_start and predicted.inputs == gold.inputs and are_distinct(gold.inputs):
        columns = (gold.inputs, gold.outputs, predicted.outputs)
        return columns if start == 0 else tuple(column[start:] for column in columns)
    golds = dict(list(zip(gold.inputs, gold.outputs, strict=True))[gold.official_start :])
    predictions: dict[str, str] = {}
    rows = list(zip(predicted.inputs, predicted.outputs, strict=True))[start:]
    for line, (source, output) in enumerate(rows, start=predicted.first_line + start):
        if source not in golds:
            _refuse_unknown(source, gold, predicted, line)
        predictions.setdefault(source, output)
    return list(golds), list(golds.values()), [predictions.get(source, source) for source in golds]


def _refuse_unknown(source: str, gold: Pairs, predicted: Pairs, line: int) -> None:
    message = f"input '{short(source)}' is not in {gold.path}; predict that file's inputs only"
    if source in gold.inputs:
        message = f"input '{short(source)}' is line 1 of {gold.path}, which the official script takes for a header"
    raise InputError(message, predicted.path, line)


def _refuse_ambiguous(pairs: Pairs) -> None:
    seen: dict[str, str] = {}
    for line, (source, output) in enumerate(zip(pairs.inputs, pairs.outputs, strict=True), start=pairs.first_line):
        if seen.setdefault(source, output) != output:
            raise InputError(
                f"input '{short(source)}' stands twice with different outputs, and the two files' inputs differ, so "
                "they are matched by input; bring the prediction file's lines into the gold file's order",
                pairs.path,
                line,
            )
