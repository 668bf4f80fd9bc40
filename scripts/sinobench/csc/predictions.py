"""From the outputs of a model, or a file of predictions, to one prediction an item."""

from collections.abc import Sequence
from typing import Any

from sinobench.csc.pairs import read_predictions
from sinobench.errors import InputError, short


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
