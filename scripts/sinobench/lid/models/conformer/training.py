"""Training: Adam on cross-entropy, a learning rate that rises and falls, and a state to go on from after a kill.

What is random in a step depends on the seed and the step alone, so that a training that goes on from a step ends in the
same bytes as one that was never killed.
"""

import contextlib
import hashlib
import json
import logging
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from sinobench import digest
from sinobench.errors import InputError
from sinobench.lid.models.conformer import checkpoint
from sinobench.lid.models.conformer.batches import Drawn, Epochs, moments, stack
from sinobench.lid.models.conformer.diary import Diary
from sinobench.lid.models.conformer.network import Network
from sinobench.progress import progress

if TYPE_CHECKING:
    from sinobench.lid.models.conformer import Options
    from sinobench.merlion.training.features import TrainingChunks

_log = logging.getLogger(__name__)


def train(network: Network, data: "TrainingChunks", options: "Options", seed: int, folder: Path) -> None:
    """Train a fresh network, in place, on the device where it lies; from the state in ``folder`` if it is of this run.

    Raises InputError where the loss is no number any more.
    """
    batches = _batches(network, data, options, seed)
    optimizer = torch.optim.Adam(network.parameters(), fused=True)
    state = _State(network, optimizer, folder, _run_digest(data, options, seed))
    first = state.restore()
    diary = Diary(network, data.held_out, first, batches.n, state.lines)
    network.train()
    # Sums over frames are made in parts, one a thread: with one, a small network's bytes are the same on any cores.
    with _threads(1 if options.drawn_batches else torch.get_num_threads()):
        for step in progress(range(first, batches.n), total=batches.n - first, desc="training", unit="step"):
            for group in optimizer.param_groups:
                group["lr"] = learning_rate(step, batches.n, options.learning_rate, options.warmup_steps)
            torch.manual_seed(_seed_of_step(seed, step))
            diary.note(training_step(network, optimizer, *batches[step]))
            done = step + 1
            if done == batches.n or diary.is_due():
                diary.write(done)
                state.save(done)


def training_step(
    network: Network, optimizer: torch.optim.Optimizer, chunks: Sequence[np.ndarray], languages: np.ndarray
) -> Tensor:
    """One step of the optimizer on the features of chunks and their languages, (n,); the loss, still on the device."""
    device = network.mean.device
    features, n_frames = (tensor.to(device) for tensor in stack(chunks))
    with torch.autocast(device.type, torch.bfloat16, enabled=device.type == "cuda"):
        logits = network(features, n_frames)
    loss = functional.cross_entropy(logits.float(), torch.from_numpy(languages.astype(np.int64)).to(device))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.detach()


def learning_rate(step: int, n_steps: int, peak: float, warmup_steps: int) -> float:
    """The rate of a step: from 0 to ``peak`` in a line, then, over what is left, to 0 in half a cosine."""
    if step < warmup_steps:
        return peak * step / warmup_steps
    return peak * (1 + math.cos(math.pi * (step - warmup_steps) / (n_steps - warmup_steps))) / 2


def _batches(network: Network, data: "TrainingChunks", options: "Options", seed: int) -> Epochs | Drawn:
    if not options.drawn_batches:
        return Epochs(data, options.batch, seed, options.epochs)
    mean, deviation = moments(data)
    network.mean.copy_(torch.from_numpy(mean))
    network.scale.copy_(torch.from_numpy(1 / deviation))
    return Drawn(data, options.batch, seed, options.drawn_batches, mean, deviation)


@contextlib.contextmanager
def _threads(n: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(n)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class _State:
    """Network and optimizer after a step, in one file, with the digest of the run that they belong to."""

    def __init__(self, network: Network, optimizer: torch.optim.Adam, folder: Path, run: str) -> None:
        self._network, self._optimizer, self._run = network, optimizer, run
        self._path = folder / "state.safetensors"
        self.lines: list[str] = []  # of the log, up to this state

    def save(self, done: int) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        tensors = self._network.state_dict()
        for name, parameter in self._network.named_parameters():
            for moment in ("exp_avg", "exp_avg_sq"):
                tensors[f"{moment}.{name}"] = self._optimizer.state[parameter][moment]
        notes = {"run": self._run, "step": str(done), "log": "\n".join(self.lines)}
        checkpoint.write_tensors(tensors, self._path, notes)

    def restore(self) -> int:
        """The number of steps that are done: 0 without a state of this run."""
        if not self._path.exists():
            return 0
        parameters = dict(self._network.named_parameters())
        expected = self._network.state_dict()
        expected |= {f"{moment}.{name}": p for name, p in parameters.items() for moment in ("exp_avg", "exp_avg_sq")}
        try:
            notes = checkpoint.read_notes(self._path)
            if notes.get("run") != self._run:
                raise InputError("is of other options, data, seed or code", self._path)
            tensors = checkpoint.read_tensors(self._path, expected)
        except InputError as error:
            _log.warning("the training starts anew, the state is not used: %s", error)
            return 0
        done = int(notes["step"])
        moments_of = {
            i: {"step": torch.tensor(float(done))} | {m: tensors.pop(f"{m}.{name}") for m in ("exp_avg", "exp_avg_sq")}
            for i, name in enumerate(parameters)
        }
        self._optimizer.load_state_dict({**self._optimizer.state_dict(), "state": moments_of})
        self._network.load_state_dict(tensors)
        self.lines += notes.get("log", "").splitlines()
        for line in self.lines:
            _log.info(line)
        _log.info("goes on after step %d, which an earlier run had reached", done)
        return done


def _run_digest(data: "TrainingChunks", options: "Options", seed: int) -> str:
    """SHA-256 of all that a training depends on, but for the machine."""
    code = digest.code(None, "sinobench.lid.models.conformer:Conformer")
    digested = hashlib.sha256(json.dumps([asdict(options), seed, code]).encode())
    for array in (data.language, data.speaker, data.n_frames):
        digested.update(np.ascontiguousarray(array).data)
    for i in range(len(data)):
        digested.update(np.ascontiguousarray(data.features(i)).data)
    return digested.hexdigest()


def _seed_of_step(seed: int, step: int) -> int:
    return int(np.random.SeedSequence([seed, step]).generate_state(1, np.uint64)[0] >> 1)
