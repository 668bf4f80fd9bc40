"""Logistic regression: the most probable weights under normal priors, by Newton's method."""

import numpy as np

_STEPS = 100
_AT_ONCE = 4096  # examples, whose columns stay in the processor's cache


def fit(
    columns: np.ndarray,
    target: np.ndarray,
    counts: np.ndarray | float = 1.0,
    precision: np.ndarray | float = 0.0,
    prior: np.ndarray | float = 0.0,
) -> np.ndarray:
    """The weights (k,) of k columns (k, n) whose sum is the log-odds of the target (n,), a probability.

    counts: how much each example counts. precision, prior: of each weight's normal prior, its inverse variance and its
    mean. Steps are halved where they lead up. Sums, not products of matrices, whose results depend on the number of
    threads: equal examples give equal bytes.
    """
    k = len(columns)
    precision, prior = np.broadcast_to(precision, k), np.broadcast_to(np.asarray(prior, np.float64), k)

    def log_odds(at: np.ndarray) -> np.ndarray:
        return sum(weight * column for weight, column in zip(at, columns, strict=True))

    def loss(at: np.ndarray) -> float:
        odds = log_odds(at)
        misfit = (counts * (np.logaddexp(0, odds) - target * odds)).sum()
        return float(misfit + (precision / 2 * (at - prior) ** 2).sum())

    at, least = prior.copy(), loss(prior)
    for _ in range(_STEPS):
        p = (1 + np.tanh(log_odds(at) / 2)) / 2
        error, slack = counts * (p - target), counts * p * (1 - p)
        gradient = np.array([(error * column).sum() for column in columns]) + precision * (at - prior)
        curvature = np.diag(precision) + _products(slack, columns)
        step = np.linalg.solve(curvature + 1e-15 * np.trace(curvature) * np.eye(k), gradient)
        while (reached := loss(at - step)) > least and np.abs(step).max() > 1e-12:
            step /= 2
        at, least = at - step, reached
        if np.abs(step).max() <= 1e-10:
            break
    return at


def _products(weights: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """The weighted sums (k, k) of the products of two columns."""
    found = np.zeros((len(columns), len(columns)))
    for start in range(0, columns.shape[1], _AT_ONCE):
        part = slice(start, start + _AT_ONCE)
        some = columns[:, part]
        for i, weighted in enumerate(weights[part] * some):
            found[i, i:] += np.einsum("n,jn->j", weighted, some[i:])
    return found + np.triu(found, 1).T
