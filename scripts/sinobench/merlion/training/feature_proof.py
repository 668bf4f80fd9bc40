"""Proof that the features of a partition's training speech are librosa's, on some of a shard's chunks."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sinobench.merlion.audio.feature_proof import placed, prove
from sinobench.merlion.audio.tables import FeatureProof
from sinobench.merlion.training.features import open_chunks, read_chunk

if TYPE_CHECKING:
    import pyarrow


def prove_training(
    utterances: "pyarrow.Table", folders: Mapping[str, str], features: str | Path, partition: str, seed: int
) -> FeatureProof:
    """The proof of the folder of a shard's features.

    utterances: table ``merlion_partitions``, whole; folders: the audio folder of each corpus; partition: its name.
    Raises InputError for features that are not librosa's.
    """
    data = open_chunks([features])

    def chunks(indices: np.ndarray) -> Iterator[tuple[str, np.ndarray, int, np.ndarray]]:
        for i in indices.tolist():
            row = utterances.slice(int(data.utterance[i]), 1).to_pylist()[0]
            number = int(i - np.searchsorted(data.utterance, data.utterance[i]))
            samples, rate = read_chunk(folders[row["corpus"]], row, number)
            yield f"utterance {data.utterance[i]} of '{partition}', chunk {number}", samples, rate, data.features(i)

    with placed(features):
        return prove(data.n_frames, seed, chunks)
