"""How fast a model is: it predicts a sample of a corpus again and again, with nothing beside it on the machine."""

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

T = TypeVar("T")

REPEATS = 5
_LIBRARIES = ("OMP", "OPENBLAS", "MKL", "VECLIB", "NUMEXPR")


def limit_threads(threads: int) -> None:
    """Let libraries use so many threads; called before they are imported. A job's own number is all of the machine."""
    os.environ.update({f"{name}_NUM_THREADS": str(threads) for name in _LIBRARIES})


def evenly_spaced(values: Sequence[T], n: int) -> list[T]:
    """At most n of the values, in their order and from all of their length; the same at each call."""
    n = min(n, len(values))
    return [values[i * len(values) // n] for i in range(n)]


def repeated(predict: Callable[[], Sequence[Mapping]]) -> list[dict]:
    """Rows of ``speeds``, less the model's hash: one a repetition, after one prediction that only warms up.

    predict: loads the model, predicts, and returns the row of ``runs``, or none where there was nothing to predict.
    """
    predict()
    names = ("task", "corpus", "model", "audio_s", "predict_s", "threads", "host")
    return [
        {name: row[name] for name in names} | {"repeat": repeat, "n_items": row["n_texts"]}
        for repeat in range(1, REPEATS + 1)
        for row in predict()
    ]
