import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sinobench.errors import InputError
from sinobench.merlion.intervals import difference, intersection, length_ms, union

intervals = st.lists(
    st.tuples(st.integers(-5, 40), st.integers(0, 12)).map(lambda pair: (pair[0], sum(pair))), max_size=8
)


def milliseconds(pairs):
    return {t for start, end in np.asarray(pairs).reshape(-1, 2).tolist() for t in range(start, end)}


def is_canonical(pairs):
    flat = pairs.ravel()
    return pairs.dtype == np.int64 and (np.diff(flat) > 0).all()


@given(intervals, intervals)
def test_arithmetic_equals_sets_of_milliseconds(a, b):
    one, other = milliseconds(a), milliseconds(b)
    for function, expected in (
        (lambda a, b: union([*a, *b]), one | other),
        (intersection, one & other),
        (difference, one - other),
    ):
        found = function(a, b)
        assert is_canonical(found)
        assert milliseconds(found) == expected
    assert length_ms(a) == len(one)


def test_touching_intervals_join_and_empty_ones_vanish():
    assert union([(5, 7), (1, 3), (3, 5), (9, 9)]).tolist() == [[1, 7]]
    assert union([]).shape == difference([], []).shape == (0, 2)


def test_no_array_of_milliseconds():
    assert intersection([(0, 10**15)], [(5, 10**14)]).tolist() == [[5, 10**14]]


def test_end_before_start():
    with pytest.raises(InputError, match="interval 9-4 ms ends before it starts"):
        union([(1, 2), (9, 4)])
