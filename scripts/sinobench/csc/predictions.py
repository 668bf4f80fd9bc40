"""From the outputs of a model, or a file of predictions, to one prediction an item."""

import codecs
import logging
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np

from sinobench.beside import beside
from sinobench.csc.digests import digest, digests, of_bytes, places
from sinobench.csc.pairs import is_header, note_official_header, read_predictions
from sinobench.errors import InputError, short
from sinobench.guard import regular
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

    A file in the order of the inputs is read beside them; of any other the digests of its inputs are held, and where
    each line begins.
    """

    def given(texts: Sequence[str], rows: Sequence[tuple[str | None, str]]) -> list[str | None] | None:
        alike = len(rows) == len(texts) and all(
            source is None or source == text for (source, _), text in zip(rows, texts, strict=True)
        )
        return [output for _, output in rows] if alike else None

    return beside(parts, _rows(path), given, lambda: _matched(path, parts))


def _matched(path: str, parts: Callable[[], Iterable[Sequence[str]]]) -> Iterator[str | None]:
    """``from_file`` of a file that is not in the order of the inputs."""
    starts = _lines_of(path, digests(text for part in parts() for text in part))
    if starts is None:  # as a whole, which tells what is wrong
        yield from from_file(path, [text for part in parts() for text in part])
        return
    with regular(path).open("rb") as file:
        for start in starts:
            file.seek(max(start, 0))
            yield _fields(file.readline())[1] if start >= 0 else None


def _lines_of(path: str, inputs: np.ndarray) -> np.ndarray | None:
    """(n,) the byte at which the line of each of n inputs begins, -1 where there is none.

    inputs: their digests. None for a file with another line than pairs of these, with one output for an input.
    """
    sources, outputs, starts, start = bytearray(), bytearray(), array("q"), 0
    with regular(path).open("rb") as file:
        for line in file:
            fields = _fields(line if start else line.removeprefix(codecs.BOM_UTF8))
            if start or not (fields and is_header(fields[0])):
                if len(fields) != 2 or not fields[0]:
                    return None
                sources += digest(fields[0])
                outputs += digest(fields[1])
                starts.append(start)
            start += len(line)
    order = np.argsort(of_bytes(sources), kind="stable")
    ordered, given = of_bytes(sources)[order], of_bytes(outputs)
    del sources
    again = np.flatnonzero(ordered[1:] == ordered[:-1])
    differ = given[order[again + 1]] != given[order[again]]
    if not len(ordered) or differ.any() or (places(ordered, np.sort(inputs)) < 0).any():
        return None
    place = places(inputs, ordered)
    return np.where(place < 0, -1, np.frombuffer(starts, np.int64)[order[place]])


def _fields(line: bytes) -> list[str]:
    """What stands between the tabs of a line, nothing where it is no text."""
    try:
        text = str(line, "utf-8")
    except UnicodeDecodeError:
        return []
    return [] if "\0" in text else text.removesuffix("\n").removesuffix("\r").split("\t")


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
