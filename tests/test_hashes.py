import hashlib
import json
import random

from hypothesis import given
from hypothesis import strategies as st

from sinobench import hashes


def test_rows_that_do_not_fit_in_memory_have_the_hash_of_those_that_do(monkeypatch):
    rows = [[n, text] for n in range(30) for text in ("a", 'a"b', "a\nb", "a\u2028b", "字\ud800", "")]
    lines = sorted(json.dumps(row, ensure_ascii=False) for row in rows)
    expected = hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass")).hexdigest()
    random.Random(0).shuffle(rows)
    assert hashes.of_rows(rows) == expected
    for n_lines in (7, len(rows) // 2, len(rows)):
        for n_bytes in (1, 40, 2**16):
            monkeypatch.setattr(hashes, "_LINES_AT_ONCE", n_lines)
            monkeypatch.setattr(hashes, "_BYTES_MERGED_AT_ONCE", n_bytes)
            assert hashes.of_rows(iter(rows)) == expected


def test_no_row_has_the_hash_of_nothing():
    assert hashes.of_rows([]) == hashlib.sha256(b"").hexdigest()


VALUES = st.recursive(
    st.one_of(st.text(), st.integers(), st.booleans(), st.none(), st.floats(allow_nan=False)),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(), inner, max_size=3)),
)


@given(st.lists(VALUES))
def test_a_row_is_hashed_as_the_json_of_it(row):
    line = json.dumps(row, ensure_ascii=False).encode("utf-8", "surrogatepass")
    assert hashes.of_rows([row]) == hashes.of_rows([tuple(row)]) == hashlib.sha256(line).hexdigest()


@given(st.lists(st.tuples(st.text(), st.integers(), st.one_of(st.none(), st.text()), st.lists(st.text())), min_size=1))
def test_columns_have_the_hash_of_their_rows(rows):
    columns = list(map(list, zip(*rows, strict=True)))
    assert hashes.of_lines(hashes.json_lines('a"b', columns)) == hashes.of_rows(['a"b', *row] for row in rows)
