"""From the outputs of a model, or a file of predictions, to one prediction an item."""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from sinobench.beside import beside
from sinobench.csc.pairs import is_header, note_official_header, read_predictions
from sinobench.errors import InputError, short
from sinobench.text import stream_lines

log = logging.getLogger(__name__)


def check_output(text: str, output: Any) -> str | None:
    """What is wrong with a model's output for one text, or None: a string; the scores judge one that is misaligned."""
    if not isinstance(output, str):
        return f"the output is {output!r} ({type(output).__name__}); expected a string"
    return None


def from_file(path: str, inputs: Sequence[str]) -> list[str | None]:
    """Predictions of ``input⇥output`` lines: line by line where the inputs agree in full, else by the input; or of
    lines without a tab, an output each in the order of the inputs.

    None for an input that the file lacks; an output may have another length than its input. Raises InputError for an
    input that the corpus lacks and, matching by input, for one that stands twice with different outputs.
    """
    pairs = read_predictions(path, inputs, equal_lengths=False)
    if pairs.inputs == list(inputs):
        return list(pairs.outputs)
    known = set(inputs)
    outputs: dict[str, str] = {}
    for line, (source, output) in enumerate(zip(pairs.inputs, pairs.outputs, strict=True), start=pairs.first_line):
        if source not in known:
            raise InputError(f"input '{short(source)}' is not in the corpus", path, line)
        if outputs.setdefault(source, output) != output:
            raise InputError(f"input '{short(source)}' stands twice with different outputs", path, line)
    return [outputs.get(source) for source in inputs]


def stream_file(path: str, parts: Callable[[], Iterable[Sequence[str]]]) -> Iterator[list[str | None]]:
    """``from_file`` of inputs that are had some at a time, as often as they are wanted: the predictions of each part.

    A file in the order of the inputs is read beside them, any other is held as a whole.
    """

    def given(texts: Sequence[str], rows: Sequence[tuple[str | None, str]]) -> list[str | None] | None:
        alike = len(rows) == len(texts) and all(
            source is None or source == text for (source, _), text in zip(rows, texts, strict=True)
        )
        return [output for _, output in rows] if alike else None

    return beside(parts, _rows(path), given, lambda texts: from_file(path, texts))


def _rows(path: str) -> Iterator[tuple[str | None, str]]:
    """Input and output of each line, None and output without a tab in the file; two empty texts where it is neither."""
    lines = stream_lines(path)
    first = next(lines)
    field, tab, _ = first.partition("\t")
    if is_header(field):
        log.info("%s, line 1: header skipped", path)
    else:
        lines = chain([first], lines)
        if tab:
            note_official_header(path, 1, field)
    n_fields = 2 if tab or is_header(field) else 1
    for line in lines:
        fields = line.split("\t")
        if len(fields) != n_fields:
            yield "", ""
        else:
            yield (fields[0] if n_fields == 2 else None, fields[-1])
