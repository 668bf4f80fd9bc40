"""Scores made up for tests."""

import numpy as np

from sinobench.score import Score, ratio, totals


def share(score: Score, weights: np.ndarray) -> dict[str, np.ndarray]:
    """The first column over the second."""
    return {"share": ratio(*totals(score, weights))}


def score(rows, formula=share, units=None, strata=None, unit=None, protocol="strict", subset="all") -> Score:
    """A score of one row a unit, unless ``unit`` says otherwise."""
    rows = np.asarray(rows)
    unit = np.arange(len(rows)) if unit is None else np.asarray(unit)
    names = [f"u{i:05}" for i in range(int(unit.max()) + 1)] if units is None else units
    return Score(protocol, subset, names, unit, rows, formula, len(rows), 1.0, strata)


def shares(n: int, seed: int, p: float = 0.7, size: int = 9) -> np.ndarray:
    """(n, 2) right and all of some units."""
    random = np.random.default_rng(seed)
    whole = random.integers(1, size + 1, n)
    return np.column_stack([random.binomial(whole, random.beta(8 * p, 8 * (1 - p), n)), whole])
