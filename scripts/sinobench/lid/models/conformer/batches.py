"""Batches of training chunks: all chunks in each epoch, or drawn and varied, for corpora of few speakers.

Batch i depends on the data, the seed and i alone.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

if TYPE_CHECKING:
    from sinobench.merlion.training.features import TrainingChunks

SORTED_TOGETHER = 16  # so many batches, drawn at random, are put in order of length: they need less padding
PIECE_FRAMES = (50, 150)  # of a chunk drawn: cheap, and another piece each time
# How far a chunk's 13 coefficients are mixed, as by another speaker's vocal tract, and moved, as by another channel;
# and the noise of each feature at most; in standard deviations of the training frames. Without them the voices of a few
# speakers are learnt for languages: on the sample corpus, balanced accuracy falls from 0.82 to below 0.75.
MIXING, OFFSET, NOISE = 0.3, 0.5, 0.8


class Epochs:
    """All chunks, ``epochs`` times, each time in another order; chunks of a batch are of about one length."""

    def __init__(self, data: "TrainingChunks", batch: int, seed: int, epochs: int) -> None:
        self._data, self._batch, self._seed = data, batch, seed
        self._per_epoch = -(-len(data) // batch)
        self._epoch, self._order = -1, []
        self.n = epochs * self._per_epoch

    def __getitem__(self, step: int) -> tuple[list[np.ndarray], np.ndarray]:
        """Features of the chunks of batch ``step``, and their languages."""
        epoch, i = divmod(step, self._per_epoch)
        if epoch != self._epoch:
            self._epoch, self._order = epoch, self._shuffled(np.random.default_rng([self._seed, epoch]))
        chosen = self._order[i]
        return [self._data.features(j) for j in chosen], self._data.language[chosen]

    def _shuffled(self, random: np.random.Generator) -> list[np.ndarray]:
        order, batches = random.permutation(len(self._data)), []
        for first in range(0, len(order), SORTED_TOGETHER * self._batch):
            some = order[first : first + SORTED_TOGETHER * self._batch]
            some = some[self._data.n_frames[some].argsort(kind="stable")]
            batches += [some[i : i + self._batch] for i in range(0, len(some), self._batch)]
        # A batch that is not full may come at any place.
        return [batches[i] for i in random.permutation(len(batches))]


class Drawn:
    """Pieces of chunks drawn with replacement, and varied; both languages equally often.

    A speaker is drawn as often as the root of its frames, so that one with much speech does not stand for a language.
    """

    def __init__(
        self, data: "TrainingChunks", batch: int, seed: int, n: int, mean: np.ndarray, deviation: np.ndarray
    ) -> None:
        self._data, self._batch, self._seed, self._mean, self._deviation = data, batch, seed, mean, deviation
        self._chance = chances(data)
        self.n = n

    def __getitem__(self, step: int) -> tuple[list[np.ndarray], np.ndarray]:
        """Features of the pieces of batch ``step``, and their languages."""
        random = np.random.default_rng([self._seed, step])
        chosen = random.choice(len(self._data), self._batch, p=self._chance)
        n_frames = int(random.integers(PIECE_FRAMES[0], PIECE_FRAMES[1] + 1))
        return [self._varied(int(i), n_frames, random) for i in chosen], self._data.language[chosen]

    def _varied(self, i: int, n_frames: int, random: np.random.Generator) -> np.ndarray:
        first = random.integers(max(1, self._data.n_frames[i] - n_frames + 1))
        piece = (self._data.features(i)[first : first + n_frames] - self._mean) / self._deviation
        mixing = np.eye(13) + random.normal(0, MIXING / 13**0.5, (13, 13))
        # Coefficients, slopes and curvatures mix alike; of an offset, slopes know nothing.
        piece = (piece.reshape(-1, 3, 13) @ mixing).reshape(-1, 39)
        piece[:, :13] += random.normal(0, OFFSET, 13)
        piece += random.normal(0, NOISE * random.random(), piece.shape)
        return piece * self._deviation + self._mean


def chances(data: "TrainingChunks") -> np.ndarray:
    """How often each chunk is drawn, (n,) of sum 1."""
    # A speaker of both languages counts as two.
    _, speaker = np.unique(2 * data.speaker.astype(np.int64) + data.language, return_inverse=True)
    frames = np.bincount(speaker, data.n_frames)
    chance = data.n_frames / np.sqrt(frames[speaker])
    for language in (0, 1):
        chance[data.language == language] /= 2 * chance[data.language == language].sum()
    return chance / chance.sum()


def moments(data: "TrainingChunks") -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation of each feature, (39,), over frames as often as `chances` draws them."""
    weight = chances(data) / data.n_frames
    mean = sum(w * np.sum(data.features(i), axis=0, dtype=np.float64) for i, w in enumerate(weight))
    variance = sum(w * np.square(data.features(i) - mean).sum(axis=0) for i, w in enumerate(weight))
    return mean, np.sqrt(variance + 1e-6)


def stack(chunks: Sequence[np.ndarray]) -> tuple[Tensor, Tensor]:
    """Chunks of (n_frames, 39) as one batch: (n, most frames, 39) float32, padded with zeros, and n_frames (n,)."""
    n_frames = torch.tensor([len(chunk) for chunk in chunks])
    features = np.zeros((len(chunks), int(n_frames.max()), chunks[0].shape[1]), np.float32)
    for row, chunk in zip(features, chunks, strict=True):
        row[: len(chunk)] = chunk
    return torch.from_numpy(features), n_frames
