"""Run a spelling-check model on a corpus, or read someone's predictions for it."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from sinobench import models
from sinobench.csc.alignment import misalignment
from sinobench.csc.model import CscModel
from sinobench.csc.predictions import check_output, stream_file
from sinobench.text import storable

Columns = Mapping[str, Sequence]


def predict(
    corpus: str,
    model: str,
    entry: Mapping,
    files: Sequence[str],
    fitted: str | None,
    inputs: Callable[[], Iterable[Columns]],
    threads: int,
    written: Callable[[dict[str, object]], None],
    answers: str = "",
) -> list[dict]:
    """The rows of ``runs``: none for a file of predictions.

    entry: the model's, of the catalog; files: that of predictions; fitted: what was saved, None for a model that is not
    fitted. inputs: columns of ``csc_inputs``, some rows at a time, as often as they are wanted. written: takes columns
    of ``csc_predictions``. answers: the folder where those of chat models are kept.
    """
    run = served = None
    if entry["kind"] == "predictions":
        predictions = stream_file(files[0], lambda: (part["input"] for part in inputs()))
    else:
        cls = models.load_class(entry["class"])
        if entry["kind"] == "chat":
            served = cls(entry["options"], entry["service"], answers)
        run = models.Running(model, (lambda: served) if served else _maker(cls, entry, fitted), check_output)
        predictions = (_outputs(run, part["input"]) for part in inputs())
    n, misaligned = 0, []
    for part, outputs in zip(inputs(), predictions, strict=True):
        columns = {"item_id": part["item_id"], "input": part["input"], "prediction": outputs}
        written({"corpus": corpus, "model": model, **columns})
        n += len(outputs)
        misaligned += [
            line
            for line, text, output in zip(part["line"], part["input"], outputs, strict=True)
            if output is not None and misalignment(text, output)
        ]
    if misaligned:
        of_all = f"{len(misaligned)} of {n}"
        print(f"{model}: {of_all} outputs are misaligned, the first on line {misaligned[0]} of {corpus}")
    return [run.row("csc", corpus, threads, entry["packages"]) | (served.took if served else {})] if run else []


def _outputs(run: models.Running, texts: Sequence[str]) -> list[str]:
    found = run.outputs(texts)
    return [storable(found[text]) for text in texts]


def _maker(cls: type, entry: Mapping, fitted: str | None) -> Callable[[], CscModel]:
    return (lambda: cls.load(fitted)) if fitted else (lambda: models.make(cls, entry))
