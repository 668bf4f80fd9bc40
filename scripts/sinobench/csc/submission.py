"""The result in a submission of NLPCC 2023 Task 8: a text a corpus.

Source: "Testing Instructions and Submission" of the task's README.
"""

from collections.abc import Sequence

from sinobench.csc.alignment import misalignment
from sinobench.errors import InputError, short


def result_lines(corpus: str, inputs: Sequence[str], items: Sequence[str], predictions: Sequence[str | None]) -> str:
    """The text ``input⇥output`` of a corpus, checked against the corpus's own inputs before it is written.

    inputs, predictions: the model's rows; items: the corpus's inputs. Raises InputError for another number or order of
    lines, a line without prediction, or one of another length.
    """
    if len(inputs) != len(items):
        raise InputError(f"{corpus}: {len(inputs)} predictions for {len(items)} lines; the submission needs every line")
    for line, (source, item, output) in enumerate(zip(inputs, items, predictions, strict=True), start=1):
        if source != item:
            raise InputError(f"{corpus}, line {line}: predicted for '{short(source)}', the corpus has '{short(item)}'")
        if output is None:
            raise InputError(
                f"{corpus}, line {line}: no prediction for '{short(item)}'; the submission needs every line"
            )
        if problem := misalignment(source, output):
            others = sum(
                p is not None and misalignment(s, p) is not None for s, p in zip(inputs, predictions, strict=True)
            )
            raise InputError(
                f"{corpus}, line {line}: the output is {problem}: '{short(output)}' for '{short(source)}'; {others} of "
                f"{len(items)} outputs are so, and the task takes none: the model must return each text's length"
            )
    return "".join(f"{source}\t{output}\n" for source, output in zip(inputs, predictions, strict=True))
