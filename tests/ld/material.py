"""Random turns of a few short recordings, and the tables of them."""

import itertools

import numpy as np
from hypothesis import strategies as st

from sinobench.ld.turns import TurnTable

LENGTH_MS = 40
RECORDINGS = ["a", "b", "c"]

_spans = st.tuples(st.integers(0, 2), st.integers(0, LENGTH_MS - 1), st.integers(0, 12)).map(
    lambda span: (span[0], span[1], min(span[1] + span[2], LENGTH_MS))
)
turn_lists = st.lists(st.tuples(_spans, st.integers(0, 3)).map(lambda turn: (*turn[0], turn[1])), max_size=12)
span_lists = st.lists(_spans, max_size=5)


@st.composite
def region_lists(draw):
    """Disjoint regions, touching ones among them; at least one a recording."""
    regions = []
    for recording in range(len(RECORDINGS)):
        bounds = sorted(draw(st.sets(st.integers(0, LENGTH_MS), min_size=2, max_size=5)))
        regions += [(recording, *pair) for pair in itertools.pairwise(bounds) if draw(st.booleans())]
        regions.append((recording, bounds[-1], bounds[-1] + 3))
    return regions


def table(turns) -> TurnTable:
    """A table of (recording, start_ms, end_ms, language)."""
    columns = np.array(turns, np.int64).reshape(-1, 4).T
    return TurnTable(list(RECORDINGS), *columns[:3], columns[3].astype(np.int8))


def spans(rows) -> np.ndarray:
    """(k, 3) spans."""
    return np.array(rows, np.int64).reshape(-1, 3)


def milliseconds(rows, recording: int) -> set[int]:
    """The ms that any span of the recording covers."""
    return {t for number, start, end, *_ in rows if number == recording for t in range(start, end)}


def languages(turns, recording: int, t: int) -> set[int]:
    """English and Mandarin, as spoken at a ms."""
    return {turn[3] for turn in turns if turn[0] == recording and turn[1] <= t < turn[2] and turn[3] < 2}
