"""The document in a submission of NLPCC 2023 Task 8.

Source: "Testing Instructions and Submission" of the task's README.
"""

import platform
from collections.abc import Mapping, Sequence

from sinobench.archive import TO_FILL
from sinobench.csc.submitted_code import System
from sinobench.hashes import of_file


def document(system: System, training: Sequence[Mapping]) -> str:
    """The document with the task's three headings; what nobody but the author can know is marked.

    training: rows of ``training_sets``; none for a model that sinobench did not fit.
    """
    fitted = "\n".join(
        f"- `{row['corpus']}`: {row['n_pairs']} pairs; {row['n_removed_scored']} more were removed because their gold "
        f"stands in a scored corpus, {row['n_set_aside']} could not be used"
        for row in training
    )
    data = f"Fitted by sinobench on\n\n{fitted}" if fitted else f"{TO_FILL} data that the model was trained on."
    if prior_data := system.entry["prior_data"]:
        data += f"\n\nBefore that: {prior_data}"
    return f"""# {system.entry["title"]}

## Data Description

{data}

{TO_FILL} data augmentation methods, if any.

## Sharing Link of Additional Data

{TO_FILL} a link to every additional data set, or "none".

## Code Reproduction Process

{_reproduction(system)}
"""


def _reproduction(system: System) -> str:
    if system.entry["kind"] == "chat":
        return (
            f"The texts were sent one by one to `{system.entry['chat_model']}` at {system.entry['endpoint']}, at "
            "temperature 0, with the prompt in `code/model.yaml`; whoever asks again may be answered otherwise."
        )
    if system.entry["kind"] not in ("python", "hub"):
        return f"{TO_FILL} how the predictions were made; they were given to sinobench as a file."
    local = [f"- `{path}`, sha256 {of_file(path)}" for path in system.local_files()]
    steps = [
        f"`code/` holds the code of the model `{system.model}` with all that it uses of sinobench, its catalog entry, "
        "the config and the corpora that its results depend on, and the versions of the packages. It was run on Python "
        f"{platform.python_version()}.",
        "Lay these files of data into `code/`, under the same paths:\n\n" + "\n".join(local) if local else "",
        "In the folder `code/`:\n\n```\npython -m venv .venv\n.venv/bin/python -m pip install -r requirements.txt\n"
        ".venv/bin/python reproduce_csc.py\n```",
        "This makes `code/reproduced/` with the texts submitted, and compares them.",
    ]
    if external := system.external_files():
        steps[-1] = (
            f"This retrieves {', '.join(f'`{name}`' for name in external)}, pinned in `sources.yaml` and `model.yaml`, "
            f"or copies them from the folder that `SINOBENCH_MIRROR` names. {steps[-1]}"
        )
    return "\n\n".join(filter(None, steps))
