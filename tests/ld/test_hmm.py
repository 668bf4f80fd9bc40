from itertools import product

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from sinobench.ld.hmm import viterbi


def total(scores, penalties, states):
    """What a sequence of states is worth."""
    states = np.asarray(states)
    return scores[np.arange(len(states)), states].sum() - penalties[states[:-1], states[1:]].sum()


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 7), st.integers(2, 3), st.integers(0, 10**6), st.sampled_from([0.1, 1, 5]))
def test_no_sequence_is_better(n, k, seed, size):
    random = np.random.default_rng(seed)
    scores = random.standard_normal((n, k))
    penalties = size * random.random((k, k)) * (1 - np.eye(k))
    best = max(total(scores, penalties, states) for states in product(range(k), repeat=n))
    found = viterbi(scores, penalties)
    assert found.shape == (n,)
    assert np.isclose(total(scores, penalties, found), best)


def test_long_recordings_are_as_good_as_a_plain_loop_makes_them():
    random = np.random.default_rng(1)
    scores = random.standard_normal((5000, 3))
    penalties = np.array([[0, 2, 1], [2, 0, 1], [1, 1, 0]])
    best = scores[0]
    for row in scores[1:]:
        best = (best[:, None] - penalties).max(axis=0) + row
    assert np.isclose(total(scores, penalties, viterbi(scores, penalties)), best.max())


def test_a_penalty_bridges_what_is_short():
    scores = np.zeros((30, 2))
    scores[:, 1] = 1
    scores[10:14, 1] = -1
    assert viterbi(scores, 3 * (1 - np.eye(2))).tolist() == [1] * 30
    assert viterbi(scores, 1 * (1 - np.eye(2))).tolist() == [1] * 10 + [0] * 4 + [1] * 16


def test_a_state_that_is_impossible_is_never_taken():
    scores = np.zeros((50, 3))
    scores[:, 0] = 1
    scores[20:30, :2] = -np.inf
    found = viterbi(scores, 100 * (1 - np.eye(3)))
    assert (found[20:30] == 2).all()


def test_no_frames():
    assert viterbi(np.zeros((0, 3)), np.zeros((3, 3))).tolist() == []
