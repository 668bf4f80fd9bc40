"""What the log says of a training, a line a minute: where it is, how it goes, and when it ends."""

import logging
import math
import time
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from sinobench.errors import InputError
from sinobench.lid.models.conformer.network import Network
from sinobench.lid.models.conformer.scoring import log_ratios

if TYPE_CHECKING:
    from sinobench.merlion.training.features import TrainingChunks

EVERY_S = 60.0
HELD_OUT_CHUNKS = 64  # that a line's figures are of: they take less than a training step or two
_log = logging.getLogger(__name__)


class Diary:
    """The lines that a training's log has of it; they begin with ``lines`` of the runs that it goes on from.

    held_out: chunks that figures are told of, if any. first: the step that this run begins with.
    """

    def __init__(
        self, network: Network, held_out: "TrainingChunks | None", first: int, n_steps: int, lines: list[str]
    ) -> None:
        self._network, self._first, self._n_steps, self._lines = network, first, n_steps, lines
        self._losses: list[Tensor] = []
        self._started = self._written = time.monotonic()
        chosen = _some_of_each(held_out.language) if held_out else []
        self._held_out = [held_out.features(i) for i in chosen]
        self._languages = held_out.language[chosen] if held_out else np.empty(0)

    def note(self, loss: Tensor) -> None:
        """Remember the loss of a step, which may still lie on a device."""
        self._losses.append(loss)

    def is_due(self) -> bool:
        """Whether it is time for a line."""
        return time.monotonic() - self._written >= EVERY_S

    def write(self, done: int) -> None:
        """A line: time, step, mean loss since the last line, what held-out chunks say, and when the training may end.

        Raises InputError where the loss is no number any more.
        """
        self._written = time.monotonic()
        loss = torch.stack(self._losses).mean().item()
        self._losses = []
        if not math.isfinite(loss):
            raise InputError(
                f"conformer: the loss is {loss} before step {done}; lower learning_rate, unless features are not finite"
            )
        left_s = (self._n_steps - done) * (self._written - self._started) / (done - self._first)
        words = [f"{datetime.now():%Y-%m-%d %H:%M:%S} step {done} of {self._n_steps}: loss {loss:.4f}"]
        if len(self._held_out):
            words.append(self._of_held_out())
        if done < self._n_steps:
            words.append(f"ends about {datetime.now() + timedelta(seconds=left_s):%Y-%m-%d %H:%M}")
        self._lines.append(", ".join(words))
        _log.info(self._lines[-1])

    def _of_held_out(self) -> str:
        ratios = log_ratios(self._network, self._held_out)
        is_english = self._languages == 0
        loss = np.logaddexp(0, np.where(is_english, -ratios, ratios)).mean()
        recalls = [((ratios > 0) == (i == 0))[self._languages == i].mean() for i in np.unique(self._languages)]
        self._network.train()
        return f"held out {loss:.4f}, balanced accuracy {np.mean(recalls):.2f}"


def _some_of_each(language: np.ndarray) -> np.ndarray:
    """Indices of at most `HELD_OUT_CHUNKS` chunks, as many of each language and from all over the corpora."""
    chosen = []
    for i in np.unique(language):
        found = np.flatnonzero(language == i)
        n = min(len(found), HELD_OUT_CHUNKS // 2)
        chosen.append(found[np.linspace(0, len(found) - 1, n).astype(int)])
    return np.concatenate(chosen)
