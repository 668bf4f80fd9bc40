"""K-means (Lloyd's) from one beginning (k-means++), for the beginning of mixtures.

The clusters are those of scikit-learn's ``KMeans`` with ``n_init=1``, which takes a second to load.
"""

import numpy as np

_ITERATIONS = 300  # at most
_SMALLEST_SHIFT = 1e-4  # of all centres, squared, in mean variances of a dimension; what moves less has settled


def clusters(frames: np.ndarray, k: int, seed: int) -> np.ndarray:
    """The cluster of each frame, (n,); frames: (n, d) float64, n >= k. The same seed gives the same clusters."""
    frames = frames - frames.mean(axis=0)
    squares = np.einsum("nd,nd->n", frames, frames)
    centres = frames[_spread(frames, squares, k, np.random.RandomState(seed))]
    tolerance, nearest = _SMALLEST_SHIFT * frames.var(axis=0).mean(), None
    for _ in range(_ITERATIONS):
        last, nearest = nearest, _nearest(frames, centres)
        if np.array_equal(nearest, last):
            return nearest
        member = np.eye(k)[nearest]
        n_members = member.sum(axis=0)[:, None]
        moved = np.where(n_members > 0, member.T @ frames / np.maximum(n_members, 1), centres)
        shift, centres = np.square(moved - centres).sum(), moved
        if shift <= tolerance:
            break
    return _nearest(frames, centres)


def _nearest(frames: np.ndarray, centres: np.ndarray) -> np.ndarray:
    return (np.square(centres).sum(axis=1) - 2 * (frames @ centres.T)).argmin(axis=1)


def _spread(frames: np.ndarray, squares: np.ndarray, k: int, random: np.random.RandomState) -> list[int]:
    """Indices of k frames far from each other: each the best of a few that are drawn by their squared distance."""
    chosen = [int(random.choice(len(frames), p=np.full(len(frames), 1 / len(frames))))]
    n_tried, distance = 2 + int(np.log(k)), _distances(frames, squares, chosen)[0]
    while len(chosen) < k:
        drawn = np.searchsorted(np.cumsum(distance), random.uniform(size=n_tried) * distance.sum())
        drawn = np.minimum(drawn, len(frames) - 1)
        distances = np.minimum(distance, _distances(frames, squares, drawn))
        best = distances.sum(axis=1).argmin()
        distance = distances[best]
        chosen.append(int(drawn[best]))
    return chosen


def _distances(frames: np.ndarray, squares: np.ndarray, indices: np.ndarray | list[int]) -> np.ndarray:
    """Squared distances of some frames from all, (m, n)."""
    return np.maximum(squares[indices][:, None] - 2 * (frames[indices] @ frames.T) + squares, 0)
