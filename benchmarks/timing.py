"""What the benchmarks share."""

import time
from collections.abc import Callable


def best_of(repeats: int, function: Callable, *arguments: object) -> tuple[float, object]:
    """The shortest of some runs in seconds, and the result of the last."""
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        result = function(*arguments)
        times.append(time.perf_counter() - started)
    return min(times), result
