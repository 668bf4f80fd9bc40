"""Boosted decision trees as arrays: scikit-learn learns them, and NumPy alone judges by them."""

from collections.abc import Mapping

import numpy as np

LEAVES, TREES = 20, 80
_STEP = 0.06
_FEWEST_IN_A_LEAF = 40
_PENALTY = 5.0
_AT_ONCE = 256  # examples, whose way through all trees stays in the processor's cache


class Trees:
    """The log-odds of examples with k features are `start` and the sum of a leaf's value of each tree.

    By tree and node: `feature` and `threshold`, `children` for values up to it and above, `value`. A leaf is its own
    child.
    """

    def __init__(self, arrays: Mapping[str, np.ndarray]):
        self._start, self._feature, self._threshold, self._children, self._value = (
            arrays[f"trees_{name}"] for name in ("start", "feature", "threshold", "children", "value")
        )

    @classmethod
    def learnt(cls, features: np.ndarray, right: np.ndarray) -> "Trees":
        """Trees that tell the right examples from the others; the same ones each time. features: n x k."""
        from sklearn.ensemble import HistGradientBoostingClassifier
        from threadpoolctl import threadpool_limits

        boosting = HistGradientBoostingClassifier(
            learning_rate=_STEP,
            max_iter=TREES,
            max_leaf_nodes=LEAVES,
            min_samples_leaf=_FEWEST_IN_A_LEAF,
            l2_regularization=_PENALTY,
            early_stopping=False,
            random_state=0,
        )
        # Threads that wait for each other take longer than one, where others are at work as well.
        with threadpool_limits(1, "openmp"):
            boosting.fit(features, right)
        nodes = [tree.nodes for (tree,) in boosting._predictors]
        size = max(map(len, nodes))
        leaf = [np.append(tree["is_leaf"], np.ones(size - len(tree), bool)) for tree in nodes]

        def each(name: str) -> np.ndarray:
            return np.array([np.append(tree[name], np.zeros(size - len(tree), tree[name].dtype)) for tree in nodes])

        itself = np.arange(size)
        children = [np.where(leaf, itself, each(side)) for side in ("left", "right")]
        return cls(
            {
                "trees_start": np.array(float(boosting._baseline_prediction.item())),
                "trees_feature": each("feature_idx").astype(np.int64),
                "trees_threshold": each("num_threshold"),
                "trees_children": np.stack(children, axis=-1).astype(np.int64),
                "trees_value": each("value"),
            }
        )

    def arrays(self) -> dict[str, np.ndarray]:
        """Arrays without objects that make the same trees again."""
        names = ("start", "feature", "threshold", "children", "value")
        return {f"trees_{name}": getattr(self, f"_{name}") for name in names}

    def log_odds(self, features: np.ndarray) -> np.ndarray:
        """Of n examples, n x k."""
        parts = [self._of_some(features[i : i + _AT_ONCE]) for i in range(0, len(features), _AT_ONCE)]
        return np.concatenate([np.zeros(0), *parts])

    def _of_some(self, features: np.ndarray) -> np.ndarray:
        size, k = self._value.shape[1], features.shape[1]
        first, row = np.arange(len(self._feature)) * size, np.arange(len(features))[:, None] * k
        flat, feature, threshold, value = (a.ravel() for a in (features, self._feature, self._threshold, self._value))
        # Up to the threshold, then above it, of one node after the other.
        children = (self._children + first[:, None, None]).ravel()
        node = np.broadcast_to(first, (len(features), len(first)))
        while True:
            above = flat[row + feature[node]] > threshold[node]
            further = children[2 * node + above]
            if np.array_equal(further, node):
                return self._start + value[node].sum(axis=1)
            node = further
