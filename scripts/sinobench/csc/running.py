"""Run a spelling-check model on a corpus, or read someone's predictions for it."""

from collections.abc import Callable, Mapping, Sequence

from sinobench import models
from sinobench.csc.alignment import misalignment
from sinobench.csc.model import CscModel
from sinobench.csc.predictions import check_output, from_file
from sinobench.text import storable


def predict(
    corpus: str,
    model: str,
    entry: Mapping,
    files: Sequence[str],
    fitted: str | None,
    inputs: Mapping[str, Sequence],
    threads: int,
    answers: str = "",
) -> tuple[dict[str, object], list[dict]]:
    """Columns of ``csc_predictions``, and rows of ``runs``: none for a file of predictions.

    entry: the model's, of the catalog; files: that of predictions; fitted: what was saved, None for a model that is not
    fitted. inputs: columns of ``csc_inputs``. answers: the folder where those of chat models are kept.
    """
    texts, runs = inputs["input"], []
    if entry["kind"] == "predictions":
        predictions = from_file(files[0], texts)
    else:
        cls = models.load_class(entry["class"])
        served = cls(entry["options"], entry["service"], answers) if entry["kind"] == "chat" else None
        run = models.run(model, (lambda: served) if served else _maker(cls, entry, fitted), texts, check_output)
        predictions = [storable(run.outputs[text]) for text in texts]
        runs = [run.row("csc", corpus, model, threads, entry["packages"]) | (served.took if served else {})]
    misaligned = [
        line
        for line, text, output in zip(inputs["line"], texts, predictions, strict=True)
        if output is not None and misalignment(text, output)
    ]
    if misaligned:
        n = f"{len(misaligned)} of {len(predictions)}"
        print(f"{model}: {n} outputs are misaligned, the first on line {misaligned[0]} of {corpus}")
    columns = {"item_id": inputs["item_id"], "input": texts, "prediction": predictions}
    return {"corpus": corpus, "model": model, **columns}, runs


def _maker(cls: type, entry: Mapping, fitted: str | None) -> Callable[[], CscModel]:
    return (lambda: cls.load(fitted)) if fitted else (lambda: models.make(cls, entry))
