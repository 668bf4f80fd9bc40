"""Mixtures of Gaussians with full covariances, by expectation maximisation in one pass over the frames an iteration.

Beginning (k-means), iterations and end are those of scikit-learn's ``GaussianMixture``, whose results differ by
rounding; it goes through all frames twice for each component, takes four times as long, and a second to load.
"""

from typing import NamedTuple

import numpy as np

from sinobench.lid.models.clusters import clusters

_BLOCK = 1000  # frames: with what each component makes of them, they stay in the cache
_SMALLEST_GAIN = 1e-3  # in log-likelihood a frame; an iteration that gains less is the last
_SMALLEST_SHARE = 10 * np.finfo(np.float64).eps  # in frames: a component without any has a mean


class Mixture(NamedTuple):
    """k Gaussians in d dimensions: weights (k,), means (k, d), upper Cholesky factors of the precisions (k, d, d)."""

    weights: np.ndarray
    means: np.ndarray
    precision_factors: np.ndarray


class Whitening:
    """Components side by side, so that one product whitens frames for all of them."""

    def __init__(self, weights: np.ndarray, means: np.ndarray, precision_factors: np.ndarray) -> None:
        """The arrays of a `Mixture`, or of several stacked."""
        d = means.shape[-1]
        factors = precision_factors.reshape(-1, d, d)
        self._factors = np.concatenate(factors, axis=1)
        self._offsets = (means.reshape(-1, d, 1) * factors).sum(axis=1).ravel()
        self._constants = np.log(weights.ravel()) + np.log(np.diagonal(factors, axis1=1, axis2=2)).sum(axis=1)

    def log_densities(self, frames: np.ndarray) -> np.ndarray:
        """Of each frame and component, weighted: (n, d) to (n, components), without the Gaussians' common constant."""
        white = frames @ self._factors
        white -= self._offsets
        white = white.reshape(len(frames), len(self._constants), -1)
        return self._constants - np.einsum("nkd,nkd->nk", white, white) / 2


def log_sums(log_densities: np.ndarray) -> np.ndarray:
    """Logarithms of the densities' sums over the last axis, which stays."""
    highest = log_densities.max(axis=-1, keepdims=True)
    return highest + np.log(np.exp(log_densities - highest).sum(axis=-1, keepdims=True))


def fit_mixture(
    frames: np.ndarray, components: int, seed: int, iterations: int, smallest_variance: float
) -> tuple[Mixture, list[float]]:
    """The mixture, and the log-likelihood a frame before each iteration.

    frames: (n, d) float64 about 0, n >= components. smallest_variance: added to that of each dimension.
    """
    n, d = frames.shape
    starts = range(0, n, _BLOCK)
    nearest = np.eye(components)[clusters(frames, components, seed)]
    sums = _Sums(components, d)
    for i in starts:
        sums.add(frames[i : i + _BLOCK], nearest[i : i + _BLOCK])
    mixture = sums.maximised(smallest_variance)
    likelihoods = [-np.inf]
    while len(likelihoods) <= iterations:
        whitening, sums, likelihood = Whitening(*mixture), _Sums(components, d), -d * np.log(2 * np.pi) / 2
        for i in starts:
            block = frames[i : i + _BLOCK]
            densities = whitening.log_densities(block)
            total = log_sums(densities)
            likelihood += total.sum() / n
            sums.add(block, np.exp(densities - total))
        mixture = sums.maximised(smallest_variance)
        likelihoods.append(float(likelihood))
        if abs(likelihoods[-1] - likelihoods[-2]) < _SMALLEST_GAIN:
            break
    return mixture, likelihoods[1:]


class _Sums:
    """Sums over frames, as far as each is owed to a component: of 1, of the frames, and of their products."""

    def __init__(self, components: int, d: int) -> None:
        self._n, self._first = np.zeros(components), np.zeros((components, d))
        self._second = np.zeros((components, d, d))  # the lower triangles

    def add(self, frames: np.ndarray, owed: np.ndarray) -> None:
        """frames: (n, d); owed: (n, components), each frame's shares."""
        from scipy.linalg.blas import dsyrk

        self._n += owed.sum(axis=0)
        self._first += owed.T @ frames
        for second, root in zip(self._second, np.sqrt(owed).T, strict=True):
            # Its arrays run along columns: what it takes and gives is transposed.
            second += dsyrk(1.0, (frames * root[:, None]).T).T

    def maximised(self, smallest_variance: float) -> Mixture:
        from scipy.linalg import solve_triangular

        n = self._n + _SMALLEST_SHARE
        means = self._first / n[:, None]
        covariances = self._second / n[:, None, None] - means[:, :, None] * means[:, None, :]
        unit = np.eye(means.shape[1])
        lower = np.linalg.cholesky(covariances + smallest_variance * unit)
        factors = np.stack([solve_triangular(each, unit, lower=True).T for each in lower])
        return Mixture(n / n.sum(), means, factors)
