"""From the outputs of a model, or a file of predictions, to one prediction an item."""

from collections.abc import Sequence
from typing import Any

from sinobench.csc.pairs import read_pairs
from sinobench.errors import InputError
from sinobench.text import short


def check_output(text: str, output: Any) -> str | None:
    """What is wrong with a model's output for one text, or None: a string of its length, without tab or newline."""
    if not isinstance(output, str):
        return f"the output is {output!r} ({type(output).__name__}); expected a string"
    if len(output) != len(text):
        return f"the output '{short(output)}' has {len(output)} characters, the text {len(text)}; expected as many"
    if any(a != b and b in "\t\r\n" for a, b in zip(text, output, strict=True)):
        return "the output puts a tab or a line end into the text"
    return None


def from_file(path: str, inputs: Sequence[str]) -> list[str | None]:
    """Predictions of ``input⇥output`` lines: line by line where the inputs agree in full, else by the input.

    None for an input that the file lacks. Raises InputError for an input that the corpus lacks and, matching by input,
    for one that stands twice with different outputs.
    """
    pairs = read_pairs(path)
    if pairs.inputs == list(inputs):
        return list(pairs.outputs)
    known = set(inputs)
    found: dict[str, str] = {}
    for line, (source, output) in enumerate(zip(pairs.inputs, pairs.outputs, strict=True), start=pairs.first_line):
        if source not in known:
            raise InputError(f"input '{short(source)}' is not in the corpus", path, line)
        if found.setdefault(source, output) != output:
            raise InputError(f"input '{short(source)}' stands twice with different outputs", path, line)
    return [found.get(source) for source in inputs]
