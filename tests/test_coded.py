import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from sinobench.coded import CodedRows, RowCoder

# Four columns of the larger ones have more keys than fit in a number.
COUNTS = st.integers(0, 3) | st.integers(0, 2**40)


@given(arrays.arrays(np.int64, st.tuples(st.integers(0, 30), st.just(4)), elements=COUNTS), st.integers(1, 9))
def test_rows_taken_in_some_at_a_time_are_those_that_were_given(rows, at_once):
    coder = RowCoder(4)
    for start in range(0, len(rows), at_once):
        coder.add(rows[start : start + at_once])
    found = coder.rows
    assert np.array_equal(found, rows) and found.shape == rows.shape and len(found) == len(rows)
    assert len(found.distinct) == len({tuple(row) for row in rows.tolist()})
    assert np.array_equal(found.sums(), rows.sum(axis=0))
    assert np.array_equal(found[1::2], rows[1::2]) and np.array_equal(coder.rows, rows)


def test_other_counts_in_place_of_the_distinct_ones_may_be_equal():
    found = CodedRows(np.array([[1], [1], [2]]), np.array([2, 0, 1, 1]))
    assert np.asarray(found).tolist() == [[2], [1], [1], [1]] and found.sums().tolist() == [5]
