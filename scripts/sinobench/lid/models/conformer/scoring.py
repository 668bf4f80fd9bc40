"""What a network says of chunks."""

from collections.abc import Sequence

import numpy as np
import torch

from sinobench.lid.models.conformer.batches import stack
from sinobench.lid.models.conformer.network import Network

CHUNKS_AT_ONCE = 32  # of 3 s; fewer if longer, more if shorter, since attention takes memory by the length's square
THREE_SECONDS = 301  # frames


def log_ratios(network: Network, chunks: Sequence[np.ndarray]) -> np.ndarray:
    """log p(English) - log p(Mandarin) of chunks of (n_frames, 39) float32, on the network's device: (n,) float64."""
    network.eval()
    scores = np.empty(len(chunks))
    lengths = np.array([len(chunk) for chunk in chunks], np.int64)
    left = lengths.argsort(kind="stable")
    with torch.inference_mode():
        while len(left):
            # The longest first, which bounds the memory of the others.
            n = round(CHUNKS_AT_ONCE * (THREE_SECONDS / lengths[left[-1]]) ** 2)
            n = min(max(n, 1), 2 * CHUNKS_AT_ONCE)
            left, batch = left[:-n], left[-n:]
            features, n_frames = (tensor.to(network.mean.device) for tensor in stack([chunks[i] for i in batch]))
            logits = network(features, n_frames).double()
            scores[batch] = (logits[:, 0] - logits[:, 1]).cpu().numpy()
    return scores
