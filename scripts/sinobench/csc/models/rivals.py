"""What else might be changed in a text and gains as much: features of candidates beside one another."""

import numpy as np

FEATURES = ("behind its rivals", "share of its position", "rivals", "behind those near by", "behind those beside")
_NEAR = 3
_FARTHEST = 12.0


def compared(position: np.ndarray, text: np.ndarray, gain: np.ndarray, least: float) -> np.ndarray:
    """FEATURES of n candidates in the order of their positions, n x 5.

    Rivals are the others at a candidate's position; the share of the probability is that of all of them, and of the
    text as it is. Near by are positions up to _NEAR characters away in the same text. text: whose the position is.
    gain: of log probability, and what isn't there counts as `least`, the lowest.
    """
    if not len(gain):
        return np.zeros((0, len(FEATURES)))
    begins = np.flatnonzero(np.diff(position, prepend=-1))
    count = np.diff(np.append(begins, len(gain)))
    at = np.repeat(np.arange(len(begins)), count)
    top = np.maximum.reduceat(gain, begins)
    is_top = gain == top[at]
    alone = is_top & (np.add.reduceat(is_top, begins, dtype=int)[at] == 1)
    second = np.maximum.reduceat(np.where(is_top, least, gain), begins)
    together = np.log1p(np.add.reduceat(np.exp(gain), begins))

    place = (position + _NEAR * (text + 1))[begins]
    tops = np.full(place[-1] + _NEAR + 1, least)
    tops[place] = top
    beside, near = (np.max([tops[place + k] for k in range(-far, far + 1) if k], axis=0)[at] for far in (1, _NEAR))
    rival = np.where(alone, second[at], top[at])
    behind = (np.clip(gain - best, -_FARTHEST, _FARTHEST) / 5 for best in (rival, near, beside))
    share = np.clip(gain - together[at], -_FARTHEST, 0) / 5
    by_rivals, by_near, by_beside = behind
    return np.column_stack([by_rivals, share, np.log1p(count[at]), by_near, by_beside])
