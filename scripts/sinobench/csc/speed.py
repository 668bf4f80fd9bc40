"""The sentences on which the speed of a spelling-check model is measured."""

from collections.abc import Callable, Mapping

from sinobench.csc.running import predict
from sinobench.results import tables
from sinobench.speed import evenly_spaced

SAMPLE = 200


def predicting(corpus: str, model: str, params: Mapping, given: Mapping, threads: int) -> Callable[[], list[dict]]:
    """Predicts the sample, and returns the row of ``runs``. params, given: params and input files of `measure_csc`."""
    inputs = tables.read(given["inputs"])
    sample = inputs.take(evenly_spaced(range(len(inputs)), SAMPLE)).to_pydict()
    files, fitted = given.get("files", []), given.get("fitted") or None
    return lambda: predict(
        corpus, model, params["entry"], files, fitted, lambda: [sample], threads, lambda columns: None
    )
