"""The best sequence of states for frame-wise scores: Viterbi's algorithm with a penalty for each change of state."""

from math import isqrt

import numpy as np


def viterbi(scores: np.ndarray, penalties: np.ndarray) -> np.ndarray:
    """The states (n,) int8 with the largest sum of scores less penalties.

    scores: (n, k) float, of each state in each frame. penalties: (k, k), at least 0, for the change from the row's to
    the column's state; 0 on the diagonal. Any state may be the first.
    Blocks of about √n frames are worked on together, frame by frame: 2 √n steps in Python.
    """
    n, k = scores.shape
    if not n:
        return np.zeros(0, np.int8)
    length = isqrt(n - 1) + 1
    n_blocks = -(-n // length)
    # Frames added at the end score 0 in every state, hence no path gains by them.
    blocks = np.zeros((n_blocks * length, k))
    blocks[:n] = scores
    # Frame of a block, state, block.
    blocks = np.ascontiguousarray(blocks.reshape(n_blocks, length, k).transpose(1, 2, 0))

    # Of each block: the best way from each state before it to each state at its end, as it begins and ends.
    through = np.where(np.eye(k, dtype=bool), 0.0, -np.inf)[:, :, None].repeat(n_blocks, axis=2)
    before = np.zeros((length, k, k, n_blocks), np.int8)
    for t in range(length):
        best = through[:, 0, None] - penalties[0][:, None]  # first state, state, block
        for state in range(1, k):
            ways = through[:, state, None] - penalties[state][:, None]
            np.copyto(before[t], state, where=ways > best)
            np.maximum(best, ways, out=best)
        through = best + blocks[t]

    best = np.zeros(k)
    first_of = np.empty((n_blocks, k), np.int8)
    for b in range(n_blocks):
        ways = best[:, None] + through[:, :, b]
        first_of[b] = ways.argmax(axis=0)
        best = ways.max(axis=0)

    first, last = np.empty(n_blocks, np.int8), np.empty(n_blocks, np.int8)
    state = best.argmax()
    for b in range(n_blocks - 1, -1, -1):
        last[b] = state
        first[b] = state = first_of[b, state]

    states = np.empty((n_blocks, length), np.int8)
    each, state = np.arange(n_blocks), last
    for t in range(length - 1, -1, -1):
        states[:, t] = state
        state = before[t, first, state, each]
    return states.ravel()[:n]
