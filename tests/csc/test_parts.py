from pathlib import Path

import pytest

from sinobench.csc.readers import read_corpus
from sinobench.errors import InputError
from sinobench.results import tables

SAMPLE = str(Path(__file__).parents[2] / "resources/samples/csc/sample.tsv")
ENTRY = {"reader": "pairs", "columns": ["input", "gold"], "delimiter": "\t", "lenient": False, "remove_blanks": False}


@pytest.fixture(autouse=True)
def fifty_at_once(monkeypatch):
    monkeypatch.setattr(tables, "ROWS_AT_ONCE", 50)


def test_pairs_read_some_at_a_time_are_those_read_at_once():
    whole, parts = read_corpus("c", ENTRY, {"text": SAMPLE}), []
    read = read_corpus("c", ENTRY, {"text": SAMPLE}, parts.append)
    assert [len(part) for part in parts] == [50, 50, 50, 50, 23]
    assert [row for part in parts for row in part] == whole.items
    assert len(read.items) == len(whole.items) == 223
    assert read.set_aside == whole.set_aside


def test_an_id_that_stands_twice_is_found_across_parts(tmp_path):
    rows = [f"{n % 60}\t我门\t我们" for n in range(120)]
    (tmp_path / "pairs.tsv").write_text("\n".join(rows), encoding="utf-8")
    with pytest.raises(InputError, match=r"line 61: id '0' stands twice, first on line 1"):
        read_corpus("c", ENTRY | {"columns": ["id", "input", "gold"]}, {"text": tmp_path / "pairs.tsv"}, list)


def test_text_cut_into_characters_is_noticed_across_parts(tmp_path, caplog):
    (tmp_path / "pairs.tsv").write_text("\n".join(["我 门\t我 们"] * 60), encoding="utf-8")
    read_corpus("c", ENTRY, {"text": tmp_path / "pairs.tsv"}, list)
    assert "most characters stand alone between blanks" in caplog.text
