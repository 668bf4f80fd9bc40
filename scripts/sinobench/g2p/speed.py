"""The texts on which the speed of a G2P model is measured."""

from collections.abc import Callable, Mapping

from sinobench.g2p.running import predict
from sinobench.results import tables
from sinobench.speed import evenly_spaced

SAMPLE = 500


def predicting(corpus: str, model: str, params: Mapping, given: Mapping, threads: int) -> Callable[[], list[dict]]:
    """Predicts the sample, and returns the row of ``runs``. params, given: params and input files of `measure_g2p`."""
    inputs = tables.read(given["inputs"])
    sample = inputs.take(evenly_spaced(range(len(inputs)), SAMPLE)).to_pydict()
    return lambda: predict(
        corpus, model, params["entry"], given.get("files", []), lambda: [sample], threads, lambda columns: None
    )
