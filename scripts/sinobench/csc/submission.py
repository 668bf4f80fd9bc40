"""The submission of NLPCC 2023 Task 8: one zip with the result, the code that made it and a document.

Source: "Testing Instructions and Submission" of the task's README.
"""

from collections.abc import Mapping, Sequence

from sinobench.archive import TO_FILL
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


def document(model: str, title: str, training: Sequence[Mapping], prior_data: str = "") -> str:
    """The document with the task's three headings; what nobody but the author can know is marked.

    training: rows of ``training_sets``; none for a model that sinobench did not fit. prior_data: what it learnt from
    before.
    """
    fitted = "\n".join(
        f"- `{row['corpus']}`: {row['n_pairs']} pairs; {row['n_removed_scored']} more were removed because their gold "
        f"stands in a scored corpus, {row['n_set_aside']} could not be used"
        for row in training
    )
    data = f"Fitted by sinobench on\n\n{fitted}" if fitted else f"{TO_FILL} data that the model was trained on."
    if prior_data:
        data += f"\n\nBefore that: {prior_data}"
    return f"""# {title}

## Data Description

{data}

{TO_FILL} data augmentation methods, if any.

## Sharing Link of Additional Data

{TO_FILL} a link to every additional data set, or "none".

## Code Reproduction Process

`code/model.yaml` is the catalog entry of the model `{model}`, `code/config.yaml` the config of the run and
`code/revision.txt` the revision of sinobench. With that revision and these two files in `config/`, run
`snakemake --cores 8 submissions`.
"""
