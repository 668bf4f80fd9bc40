"""Run a G2P model on a corpus, or read someone's predictions for it."""

from collections.abc import Callable, Mapping, Sequence

from sinobench import models
from sinobench.g2p.model import G2pModel
from sinobench.g2p.predictions import check_output, from_file, from_outputs
from sinobench.g2p.upstream import supplied_modules


def predict(
    corpus: str, model: str, entry: Mapping, files: Sequence[str], inputs: Mapping[str, Sequence], threads: int
) -> tuple[dict[str, object], list[dict]]:
    """Columns of ``g2p_predictions``, and rows of ``runs``: none for a file of predictions.

    entry: the model's, of the catalog; files: that of predictions; inputs: columns of ``g2p_inputs``.
    """
    items, runs = (inputs["text"], inputs["position"]), []
    if entry["kind"] == "predictions":
        predictions, lengths = from_file(files[0], *items)
    else:
        run = models.run(model, _maker(entry), inputs["text"], check_output)
        predictions, lengths = from_outputs(*items, run.outputs)
        runs = [run.row("g2p", corpus, model, threads, entry["packages"])]
    columns = {"item_id": inputs["item_id"], "prediction": predictions, "output_length": lengths}
    return {"corpus": corpus, "model": model, **columns}, runs


def _maker(entry: Mapping) -> Callable[[], G2pModel]:
    cls = models.load_class(entry["class"], supplied_modules())
    return lambda: models.make(cls, entry)
