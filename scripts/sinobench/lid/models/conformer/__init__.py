"""The conformer: the challenge's baseline with its own options, and smaller ones with others."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch

from sinobench.errors import InputError, nearest
from sinobench.lid.models.conformer import checkpoint
from sinobench.lid.models.conformer.network import Network
from sinobench.lid.models.conformer.scoring import log_ratios
from sinobench.lid.models.conformer.training import train
from sinobench.merlion.languages import TARGETS

if TYPE_CHECKING:
    from sinobench.merlion.training.features import TrainingChunks


@dataclass(frozen=True)
class Options:
    """The network's sizes and its training; the defaults are the baseline's (evaluation plan, "Baseline System").

    frame_step: the network sees every so manieth frame. drawn_batches: instead of ``epochs`` over all chunks, this many
    batches drawn for corpora of few speakers (`batches.Drawn`), with standardised features. warmup_steps: the learning
    rate rises from 0 to ``learning_rate`` in so many steps, then falls to 0 as a cosine.
    Raises InputError for values out of range.
    """

    d_model: int = 512
    layers: int = 4
    heads: int = 8
    feed_forward: int = 2048
    kernel: int = 31
    dropout: float = 0.1
    frame_step: int = 1
    epochs: int = 5
    drawn_batches: int = 0
    batch: int = 32
    learning_rate: float = 1e-4
    warmup_steps: int = 5000

    def __post_init__(self) -> None:
        for name, (low, high) in _RANGES.items():
            value = getattr(self, name)
            kind = (int, float) if isinstance(high, float) else int
            if isinstance(value, bool) or not isinstance(value, kind) or not low <= value <= high:
                number = "a number" if isinstance(high, float) else "a whole number"
                raise InputError(f"conformer: {name} is {value!r}; expected {number} from {low} to {high}")
        if self.d_model % (2 * self.heads):
            raise InputError(
                f"conformer: d_model is {self.d_model}; expected a multiple of 2 * heads, {2 * self.heads}"
            )
        if self.kernel % 2 == 0:
            raise InputError(f"conformer: kernel is {self.kernel}; expected an odd number")


_RANGES = {
    "d_model": (2, 8192),
    "layers": (1, 64),
    "heads": (1, 64),
    "feed_forward": (1, 65_536),
    "kernel": (1, 999),
    "dropout": (0, 0.9),
    "frame_step": (1, 100),
    "epochs": (1, 10_000),
    "drawn_batches": (0, 10**8),
    "batch": (1, 65_536),
    "learning_rate": (0, 1.0),
    "warmup_steps": (0, 10**8),
}


class Conformer:
    """A language identification model of chunks' features; `Options` are its options.

    It runs on the GPU where there is one; training multiplies in bfloat16 there. On a CPU, equal data, options and
    seed give equal bytes: with ``drawn_batches`` on any number of threads, else on as many.
    """

    def __init__(self, **options: float) -> None:
        known = [field.name for field in fields(Options)]
        for name in options:
            if name not in known:
                raise InputError(f"conformer: no option '{name}'; {nearest(name, known)}")
        self.options = Options(**options)
        self.network: Network | None = None

    def fit(self, data: "TrainingChunks", seed: int, state: str | Path) -> None:
        """Train on the chunks; ``state`` keeps what a killed run had reached, and the next one goes on from there.

        Remove it once the model is saved. Raises InputError without chunks of both languages, and where the training
        diverges.
        """
        for code, language in enumerate(TARGETS):
            if not np.any(data.language == code):
                raise InputError(
                    f"conformer: none of {len(data)} training chunks is {language}; name corpora of both languages"
                )
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            self.network = self.make().to(_device())
            train(self.network, data, self.options, seed, Path(state))

    def predict(self, chunks: Sequence[np.ndarray]) -> np.ndarray:
        """log p(English) - log p(Mandarin) of chunks of (n_frames, 39) float32: (n,) float64.

        A chunk's value does not depend on the others, but for rounding (1e-5).
        """
        self.network.to(_device())
        return log_ratios(self.network, chunks)

    def save(self, folder: str | Path) -> None:
        """Write ``model.safetensors`` and ``config.json``."""
        checkpoint.save(self.network, asdict(self.options), Path(folder))

    @classmethod
    def load(cls, folder: str | Path) -> "Conformer":
        """A saved model; InputError, before memory is taken, for other options and for tensors that are not theirs."""
        model = cls(**checkpoint.read_config(Path(folder)))
        with torch.device("meta"):
            model.network = model.make()
        tensors = checkpoint.read_tensors(Path(folder, checkpoint.MODEL), model.network.state_dict())
        model.network.load_state_dict(tensors, assign=True)
        return model

    def make(self) -> Network:
        """A network of the options' sizes, with the weights that training begins with."""
        names = ("d_model", "layers", "heads", "feed_forward", "kernel", "dropout", "frame_step")
        return Network(**{name: getattr(self.options, name) for name in names})


def _device() -> torch.device:
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")
