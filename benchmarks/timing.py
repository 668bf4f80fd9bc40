"""What the benchmarks share."""

import json
import os
import time
from collections.abc import Callable

NOTED = "SINOBENCH_RATIOS"  # the file in which benchmarks/run finds the ratios
ENOUGH_S = 5.0  # what took so long is not measured again


def best_of(repeats: int, function: Callable, *arguments: object) -> tuple[float, object]:
    """The shortest of some runs in seconds, and the result of the last; fewer of what takes long."""
    times = []
    while len(times) < repeats and sum(times) < ENOUGH_S:
        started = time.perf_counter()
        result = function(*arguments)
        times.append(time.perf_counter() - started)
    return min(times), result


def compared(what: str, ours_s: float, peer: str, peer_s: float) -> None:
    """Print how many times as fast as a peer something is, and note it for ``benchmarks/run``."""
    print(f"{peer_s / ours_s:.1f} x {peer}: {what}, {ours_s:.4g} s against {peer_s:.4g} s")
    if path := os.environ.get(NOTED):
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps({"what": what, "ours_s": ours_s, "peer": peer, "peer_s": peer_s}) + "\n")
