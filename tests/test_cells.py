"""Cells against the strings that they are."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from sinobench.cell_lines import as_json, sorted_hash
from sinobench.cells import Cells, columns
from sinobench.hashes import of_rows

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0\t\n") | st.sampled_from('a"\\ 𠮶點'), max_size=20)
TEXTS = st.lists(TEXT, min_size=1, max_size=8).flatmap(
    lambda few: st.lists(st.sampled_from(few) | TEXT, min_size=1, max_size=20)
)
NUMBER = st.floats().map(repr) | st.text("0123456789.-+eEnaif_x", min_size=1, max_size=5) | st.just("1" * 39)


@given(TEXTS, st.data())
def test_cells_are_what_their_strings_are(texts, data):
    table = "head\n" + "".join(f"{n}\t{text}\n" for n, text in enumerate(texts))
    numbers, cells = columns(table.encode(), 2, "\t", len("head\n"))
    assert list(cells) == texts == [cells[i] for i in range(len(texts))]
    assert numbers == list(map(str, range(len(texts)))) and numbers.are_distinct()
    assert cells.are_distinct() == (len(set(texts)) == len(texts))
    coded = cells.coded()
    assert coded == texts and coded.values == list(dict.fromkeys(texts))
    others = data.draw(st.just(texts) | st.lists(TEXT, min_size=len(texts), max_size=len(texts)))
    assert (cells == Cells.of(others)) == (texts == others)
    mixed = data.draw(st.permutations(texts))
    assert [texts[place] for place in Cells.of(mixed).places_in(Cells.of(texts))] == mixed
    assert cells.places_in(Cells.of(["no such cell"])) is None or set(texts) == {"no such cell"}


@given(TEXTS)
def test_lines_of_cells_have_the_hash_of_their_rows(texts):
    table = "".join(f"{text}\t{n}\n" for n, text in enumerate(texts))
    cells, _ = columns(table.encode(), 2, "\t")
    begin = Cells.of(['["'])[np.zeros(len(texts), np.int64)]
    lines = [begin, as_json(cells), Cells.of([f'", {n}]\n' for n in range(len(texts))])]
    assert sorted_hash(lines) == of_rows([text, n] for n, text in enumerate(texts))


@given(st.lists(NUMBER, min_size=1, max_size=6))
def test_numbers_are_those_of_float(texts):
    found = Cells.of(texts).numbers
    try:
        expected = [math.nan if "_" in text else float(text) for text in texts]
    except ValueError:
        expected = [math.nan]
    if all(map(math.isfinite, expected)):
        assert list(map(repr, found.tolist())) == list(map(repr, expected))
    else:
        assert found is None


@given(TEXTS, st.integers(1, 4))
def test_lines_of_another_number_of_cells_are_no_columns(texts, n):
    table = "\t".join(texts) + "\n"
    assert (columns(table.encode(), n, "\t") is None) == (len(texts) != n)
