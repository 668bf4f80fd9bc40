"""The conformer at the baseline's size: its parameters, and a training step at batch 32 of 3 s; 4 on a CPU.

The peer is the same step as a plain loop makes it: fp32, on the same device, from a batch that lies there already.
"""

import time
from collections.abc import Callable

import numpy as np
import torch
from timing import compared
from torch.nn import functional

from sinobench.lid.models.conformer import Conformer
from sinobench.lid.models.conformer.batches import stack
from sinobench.lid.models.conformer.scoring import THREE_SECONDS
from sinobench.lid.models.conformer.training import training_step


def seconds(step: Callable[[], object], n: int) -> float:
    """Wall time of one of n steps, after one that is not counted; the device has finished them."""
    synchronize = torch.cuda.synchronize if torch.cuda.is_available() else lambda: None
    step()
    synchronize()
    started = time.perf_counter()
    for _ in range(n):
        step()
    synchronize()
    return (time.perf_counter() - started) / n


def main() -> None:
    """Print parameters, and seconds or steps per second."""
    model, gpu = Conformer(), torch.cuda.is_available()
    options, network = model.options, model.make().to("cuda" if gpu else "cpu")
    optimizer = torch.optim.Adam(network.parameters(), options.learning_rate, fused=True)
    print(f"{sum(parameter.numel() for parameter in network.parameters()):,} parameters")
    random = np.random.default_rng(0)
    batch, n = (options.batch, 200) if gpu else (4, 2)
    chunks = list(random.normal(size=(batch, THREE_SECONDS, 39)).astype(np.float32))
    languages = random.integers(0, 2, batch)
    ours_s = seconds(lambda: training_step(network, optimizer, chunks, languages), n)

    plain = torch.optim.Adam(network.parameters(), options.learning_rate)
    features, n_frames, wanted = (x.to(network.mean.device) for x in (*stack(chunks), torch.from_numpy(languages)))

    def plain_step() -> None:
        plain.zero_grad()
        functional.cross_entropy(network(features, n_frames), wanted).backward()
        plain.step()

    plain_s = seconds(plain_step, n)
    where = torch.cuda.get_device_name() if gpu else f"CPU, {torch.get_num_threads()} threads"
    print(f"training step on {where}: {ours_s:.3g} s, {1 / ours_s:.3g} steps/s")
    compared(f"training step of the Conformer, {batch} chunks", ours_s, "plain float32 loop", plain_s)


if __name__ == "__main__":
    main()
