"""A column of a file acts as the list of its texts, whatever stands in it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sinobench.csc.columns import Texts, are_distinct, code_points, codes_of, lengths_of
from sinobench.csc.metrics import compare, count
from sinobench.csc.pairs import read_pairs
from sinobench.errors import InputError

# Characters of one and of two UTF-16 units, of all lengths in UTF-8, a lone surrogate, a control character.
CHARACTERS = st.sampled_from("天地人的a\u3000𠮷😀\ud800\x01é")
TEXTS = st.lists(st.text(CHARACTERS, max_size=12), max_size=8)
FILE_CHARACTERS = st.sampled_from("天地人的a𠮷\x01\u2028")


def laid_out(texts, gap):
    """The texts as they stand in a file, with something before, between and behind them."""
    lengths = np.array([len(text) for text in texts], np.int64)
    starts = np.cumsum(lengths + len(gap)) - lengths
    return Texts(code_points(gap + "".join(text + gap for text in texts)), starts, lengths)


@given(TEXTS, st.sampled_from(["", "\t", "人\n"]))
def test_a_column_is_the_list_of_its_texts(texts, gap):
    column = laid_out(texts, gap)
    assert list(column) == texts == [column[place] for place in range(len(texts))] and len(column) == len(texts)
    assert list(column[1:]) == texts[1:] and list(column[::2]) == texts[::2]
    assert "".join(map(chr, codes_of(column))) == "".join(texts)
    assert np.array_equal(codes_of(column), codes_of(texts)) and np.array_equal(lengths_of(column), lengths_of(texts))


@given(TEXTS, TEXTS, st.sampled_from(["", "\t"]), st.sampled_from(["", "\t"]))
def test_columns_are_equal_where_their_texts_are(some, others, gap, other_gap):
    assert (laid_out(some, gap) == laid_out(others, other_gap)) == (some == others)
    assert laid_out(some, gap) == laid_out(some, other_gap) == some
    assert (laid_out(some, gap) == others) == (some == others)


@given(st.lists(st.text(CHARACTERS, min_size=1, max_size=3), max_size=12))
def test_a_text_that_stands_twice_is_found(texts):
    assert are_distinct(laid_out(texts, "\t")) == are_distinct(texts) == (len(set(texts)) == len(texts))


def test_texts_that_differ_in_their_last_character_alone_are_distinct():
    texts = ["天" * 40 + end for end in "地人的"]
    assert are_distinct(laid_out(texts, "\t")) and not are_distinct(laid_out([*texts, texts[1]], "\t"))


@given(st.lists(st.tuples(st.integers(1, 9), st.randoms(use_true_random=False)), min_size=1, max_size=6))
def test_columns_are_compared_as_lists_are(rows):
    columns = [["".join(chance.choice("天地𠮷") for _ in range(length)) for length, chance in rows] for _ in range(3)]
    found = compare(*(laid_out(texts, "\n") for texts in columns))
    expected = compare(*columns)
    assert all(np.array_equal(*both) for both in zip(vars(found).values(), vars(expected).values(), strict=True))
    assert np.array_equal(count(found), count(expected))


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("pairs") / "gold.txt"


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(st.one_of(FILE_CHARACTERS, st.sampled_from("\t\r")), max_size=7), min_size=1, max_size=5))
def test_a_file_is_read_as_line_by_line_or_refused_at_its_first_wrong_line(path, lines):
    path.write_bytes(("\n".join(lines) + "\n").encode())
    rows = [line.removesuffix("\r").split("\t") for line in lines]
    wrong = [
        place
        for place, fields in enumerate(rows, start=1)
        if len(fields) != 2 or not fields[0] or len(fields[0]) != len(fields[1])
    ]
    if wrong:
        with pytest.raises(InputError, match=rf"gold\.txt, line {wrong[0]}: "):
            read_pairs(path)
    else:
        pairs = read_pairs(path)
        assert [list(each) for each in zip(pairs.inputs, pairs.outputs, strict=True)] == rows
