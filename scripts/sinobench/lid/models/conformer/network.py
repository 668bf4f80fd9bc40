"""The network: conformer layers over 39 features, pooled to one vector a chunk, to two languages.

A chunk's output does not depend on the frames that pad its batch: they are masked in attention, convolution and
pooling, and every normalisation is of a single frame.

Source: evaluation plan, "Baseline System"; model.py, conformer.py and conformer_conv.py of the official baseline, whose
layers these are, weight by weight: 27,134,594 parameters at its sizes. The official 27,143,798 count a subsampling
convolution of 9,204 that no forward pass calls; it is not here. What differs, on purpose:

- Padding has no say. The official network counts the padding up to the batch's longest chunk in convolution, batch
  normalisation and pooling, and numbers its positions from that chunk's end: a score depends on the batch. Hence a
  layer normalisation, of as many weights, after the depthwise convolution.
- Positions are relative in both directions (Dai et al. 2019). The official shift is right for the past only: a later
  frame gets another query's score.
- The same functions, otherwise written: the official layer normalisation divides by n - 1, which its weights make up
  for; its content bias is added twice where a key's content is met, and once where its distance is.
- Weights begin as PyTorch's own, not Xavier's, with which `conformer-small` is no better on the sample corpus.
"""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional

N_FEATURES, N_LANGUAGES = 39, 2


class Network(nn.Module):
    """(batch, frames, 39) features and (batch,) numbers of frames to (batch, 2) logits, English first."""

    def __init__(
        self, d_model: int, layers: int, heads: int, feed_forward: int, kernel: int, dropout: float, frame_step: int
    ) -> None:
        super().__init__()
        self.heads, self.frame_step = heads, frame_step
        # Set by training where it standardises its features; as they come otherwise.
        self.register_buffer("mean", torch.zeros(N_FEATURES))
        self.register_buffer("scale", torch.ones(N_FEATURES))
        self.project = nn.Sequential(nn.Linear(N_FEATURES, d_model // heads), nn.LayerNorm(d_model // heads))
        self.layers = nn.ModuleList(Layer(d_model, heads, feed_forward, kernel, dropout) for _ in range(layers))
        self.classify = nn.Sequential(
            nn.Linear(2 * d_model, d_model),
            nn.ReLU(),
            nn.Linear(d_model, d_model),
            nn.ReLU(),
            nn.Linear(d_model, N_LANGUAGES),
        )

    def forward(self, features: Tensor, n_frames: Tensor) -> Tensor:
        features = features[:, :: self.frame_step]
        present = torch.arange(features.shape[1], device=features.device) * self.frame_step < n_frames[:, None]
        x = self.project((features - self.mean) * self.scale)
        x = x.repeat(1, 1, self.heads)
        positions = relative_positions(x.shape[1], x.shape[2], x.device)
        for layer in self.layers:
            x = layer(x, positions, present)
        return self.classify(statistics(x.float(), present))


class Layer(nn.Module):
    """Half a feed-forward step, attention, convolution, half a feed-forward step."""

    def __init__(self, d_model: int, heads: int, feed_forward: int, kernel: int, dropout: float) -> None:
        super().__init__()
        self.feed_before = _feed_forward(d_model, feed_forward, dropout)
        self.attention = Attention(d_model, heads, dropout)
        self.convolution = Convolution(d_model, kernel, dropout)
        self.feed_after = _feed_forward(d_model, feed_forward, dropout)
        self.norm = nn.LayerNorm(d_model)

    def forward(self, x: Tensor, positions: Tensor, present: Tensor) -> Tensor:
        x = x + self.feed_before(x) / 2
        x = x + self.attention(x, positions, present)
        x = x + self.convolution(x, present)
        return self.norm(x + self.feed_after(x) / 2)


class Attention(nn.Module):
    """Self-attention over the present frames, by content and by distance."""

    def __init__(self, d_model: int, heads: int, dropout: float) -> None:
        super().__init__()
        self.heads, self.width = heads, d_model // heads
        self.norm = nn.LayerNorm(d_model)
        self.query_key_value = nn.Linear(d_model, 3 * d_model)
        self.position = nn.Linear(d_model, d_model, bias=False)
        # Added to every query where it meets a key's content, and its distance.
        self.content_bias = nn.Parameter(torch.zeros(heads, 1, 1, self.width))
        self.distance_bias = nn.Parameter(torch.zeros(heads, 1, 1, self.width))
        # Two in a row, with nothing between them, as the official ones.
        self.out, self.project = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, positions: Tensor, present: Tensor) -> Tensor:
        batch, frames, d_model = x.shape
        projected = self.query_key_value(self.norm(x)).view(batch, frames, 3, self.heads, self.width)
        query, key, value = projected.permute(2, 3, 0, 1, 4)
        scale = 1 / math.sqrt(d_model)  # of all heads together, as the official one
        distances = self.position(positions).view(-1, self.heads, self.width).permute(1, 2, 0) * scale
        by_distance = (query + self.distance_bias).flatten(1, 2) @ distances
        by_distance = by_key(by_distance.view(self.heads, batch, frames, -1))
        by_content = (query + self.content_bias) @ (key.transpose(2, 3) * scale)
        absent = torch.zeros_like(present, dtype=by_content.dtype).masked_fill(~present, -math.inf)
        weights = (by_content + by_distance + absent[:, None]).softmax(dim=-1)
        mixed = self.dropout(weights) @ value
        mixed = mixed.permute(1, 2, 0, 3).reshape(batch, frames, d_model)
        return self.dropout(self.project(self.out(mixed)))


class Convolution(nn.Module):
    """Gated, depthwise over ``kernel`` frames; absent frames are zeros, as those beyond the chunk's ends."""

    def __init__(self, d_model: int, kernel: int, dropout: float) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(d_model)
        self.gated = nn.Linear(d_model, 2 * d_model)
        self.depthwise = nn.Conv1d(d_model, d_model, kernel, padding=kernel // 2, groups=d_model, bias=False)
        self.norm_after = nn.LayerNorm(d_model)
        self.out = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, present: Tensor) -> Tensor:
        x = functional.glu(self.gated(self.norm(x)), dim=-1) * present[:, :, None]
        # In two dimensions, one of them 1, it takes half the time, and the bytes are the same.
        weight, padding = self.depthwise.weight[:, :, None], (0, *self.depthwise.padding)
        x = functional.conv2d(x.transpose(1, 2)[:, :, None], weight, padding=padding, groups=len(weight))
        x = x[:, :, 0].transpose(1, 2)
        return self.dropout(self.out(functional.silu(self.norm_after(x))))


def statistics(x: Tensor, present: Tensor) -> Tensor:
    """Mean and standard deviation over each chunk's present frames: (batch, frames, d) to (batch, 2 d)."""
    n, weight = present.sum(dim=1, keepdim=True), present[:, :, None]
    mean = (x * weight).sum(dim=1) / n
    variance = ((x - mean[:, None]).square() * weight).sum(dim=1) / (n - 1).clamp(min=1)
    # The root's slope is infinite at 0, which is the variance of a single frame.
    return torch.cat([mean, torch.sqrt(variance + 1e-6)], dim=1)


def relative_positions(n: int, width: int, device: torch.device) -> Tensor:
    """Sines and cosines of the distances n - 1, n - 2, … 1 - n between frames: (2 n - 1, width)."""
    distance = torch.arange(n - 1, -n, -1.0, device=device)[:, None]
    rate = torch.exp(torch.arange(0, width, 2, device=device) * (-math.log(10_000) / width))
    return torch.cat([torch.sin(distance * rate), torch.cos(distance * rate)], dim=1)


def by_key(x: Tensor) -> Tensor:
    """(…, n queries, 2 n - 1 distances) to (…, n queries, n keys): key k of query q stands at distance q - k.

    Row q begins at the distance q, place n - 1 - q: with a column put before, rows of 2 n read as rows of 2 n - 1
    begin one place further left each.
    """
    *outer, n, n_distances = x.shape
    padded = functional.pad(x, (1, 0)).view(*outer, n_distances + 1, n)
    return padded[..., 1:, :].reshape(*outer, n, n_distances)[..., :n]


def _feed_forward(d_model: int, width: int, dropout: float) -> nn.Sequential:
    return nn.Sequential(
        nn.LayerNorm(d_model), nn.Linear(d_model, width), nn.ReLU(), nn.Linear(width, d_model), nn.Dropout(dropout)
    )
