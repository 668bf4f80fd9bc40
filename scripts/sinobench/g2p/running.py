"""Run a G2P model on a corpus, or read someone's predictions for it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from sinobench import models
from sinobench.g2p.model import G2pModel
from sinobench.g2p.predictions import check_output, from_outputs, stream_file
from sinobench.g2p.upstream import supplied_modules

Parts = Callable[[], Iterable[Mapping[str, Sequence]]]


def predict(
    corpus: str,
    model: str,
    entry: Mapping,
    files: Sequence[str],
    inputs: Parts,
    threads: int,
    written: Callable[[dict[str, object]], None],
) -> list[dict]:
    """The rows of ``runs``: none for a file of predictions.

    entry: the model's, of the catalog; files: that of predictions; inputs: columns of ``g2p_inputs``, some rows at a
    time, as often as they are wanted. written: takes columns of ``g2p_predictions``.
    """
    run = None if entry["kind"] == "predictions" else models.Running(model, _maker(entry), check_output)
    predictions = _of_model(run, inputs) if run else _of_file(files[0], inputs)
    for part, (outputs, lengths) in zip(inputs(), predictions, strict=True):
        columns = {"item_id": part["item_id"], "prediction": outputs, "output_length": lengths}
        written({"corpus": corpus, "model": model, **columns})
    return [run.row("g2p", corpus, threads, entry["packages"])] if run else []


def _of_model(run: models.Running, inputs: Parts) -> Iterator[tuple[list[str | None], list[int]]]:
    for part in inputs():
        yield from_outputs(part["text"], part["position"], run.outputs(part["text"]))


def _of_file(path: str, inputs: Parts) -> Iterator[tuple[list[str | None], list[int]]]:
    def items() -> Iterator[list[tuple[str, int]]]:
        return (list(zip(part["text"], part["position"], strict=True)) for part in inputs())

    for rows in stream_file(path, items):
        yield [prediction for prediction, _ in rows], [length for _, length in rows]


def _maker(entry: Mapping) -> Callable[[], G2pModel]:
    cls = models.load_class(entry["class"], supplied_modules())
    return lambda: models.make(cls, entry)
