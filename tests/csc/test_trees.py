"""What boosted trees say from their arrays, and how candidates are compared with their rivals."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.csc.models import rivals
from sinobench.csc.models.trees import LEAVES, TREES, Trees


def example(n=3000):
    features = np.random.default_rng(1).normal(size=(n, 5)).round(2).astype(np.float32)
    return features, features[:, 0] * features[:, 1] + features[:, 2] > 0.5


def test_log_odds_are_those_of_scikit_learn():
    ensemble, threads = pytest.importorskip("sklearn.ensemble"), pytest.importorskip("threadpoolctl")
    features, right = example()
    settings = {"learning_rate": 0.06, "min_samples_leaf": 40, "l2_regularization": 5.0, "early_stopping": False}
    peer = ensemble.HistGradientBoostingClassifier(max_iter=TREES, max_leaf_nodes=LEAVES, random_state=0, **settings)
    found = Trees.learnt(features, right).log_odds(features)
    with threads.threadpool_limits(1):
        expected = peer.fit(features, right).decision_function(features)
    assert found == pytest.approx(expected, abs=1e-12)
    assert np.mean((found > 0) == right) > 0.95


def test_arrays_make_the_same_trees_again_and_no_example_is_none():
    pytest.importorskip("sklearn")
    features, right = example()
    trees = Trees.learnt(features, right)
    assert np.array_equal(Trees(trees.arrays()).log_odds(features), trees.log_odds(features))
    assert trees.log_odds(features[:0]).shape == (0,)


def plainly(candidates, least):
    """The same for (position, text, gain) one by one."""
    rows = []
    for i, (position, text, gain) in enumerate(candidates):
        others = [(p, g) for j, (p, t, g) in enumerate(candidates) if j != i and t == text]
        same = [g for p, g in others if p == position]

        def behind(far, others=others, position=position, gain=gain):
            best = max([least, *(g for p, g in others if 0 < abs(p - position) <= far)])
            return min(max(gain - best, -12), 12) / 5

        share = gain - np.log(1 + sum(map(np.exp, [gain, *same])))
        by_rivals = min(max(gain - max([least, *same]), -12), 12) / 5
        rows.append([by_rivals, max(share, -12) / 5, np.log(2 + len(same)), behind(3), behind(1)])
    return np.array(rows).reshape(-1, len(rivals.FEATURES))


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(-12, 25))))
def test_candidates_are_compared_within_their_text(found):
    # Texts of five characters, and one between them that no candidate has.
    candidates = sorted((position, position // 6, gain) for position, gain in found if position % 6 != 5)
    position, text, gain = np.array(candidates, int).reshape(-1, 3).T
    assert rivals.compared(position, text, gain.astype(float), -12.0) == pytest.approx(plainly(candidates, -12.0))
