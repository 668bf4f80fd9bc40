"""The members of a submission of NLPCC 2023 Task 8: a text a corpus, the code and the document."""

from collections.abc import Iterable, Mapping, Sequence

from sinobench.csc.document import document
from sinobench.csc.submission import result_lines
from sinobench.csc.submitted_code import System, code_members


def members(
    system: System, predicted: Iterable[tuple[Mapping[str, Sequence], Mapping[str, Sequence]]], training: list[dict]
) -> dict[str, str]:
    """The texts by the name of their file.

    predicted: of each corpus without gold, columns of ``csc_items`` and ``csc_predictions``; training: rows of
    ``training_sets``. Raises InputError where a corpus's result is not whole.
    """
    texts = {}
    for items, predictions in predicted:
        corpus = items["corpus"][0]
        lines = result_lines(corpus, predictions["input"], items["input"], predictions["prediction"])
        texts[f"{corpus}.txt"] = lines
    texts["README.md"] = document(system, training)
    return texts | {f"code/{name}": text for name, text in code_members(system).items()}
