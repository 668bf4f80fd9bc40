"""Items of the error browser, a part of a corpus at a time."""

from itertools import chain

import pytest

from sinobench.errors import InputError
from sinobench.report.browser import items
from sinobench.results.database import build, reading


@pytest.mark.parametrize("task", ["g2p", "csc", "lid"])
def test_parts_follow_one_another_as_the_whole(finished_run, monkeypatch, task):
    with reading(finished_run / "results/sinobench.duckdb") as connection:
        [(corpus, models), *_] = [(each[1], of) for each, of in items.evaluated(connection).items() if each[0] == task]
        [whole] = items.BY_TASK[task](connection, corpus, models)
        monkeypatch.setattr(items, "ROWS_AT_ONCE", 7)
        parts = list(items.BY_TASK[task](connection, corpus, models))
    assert len(whole.columns["id"]) > 7 >= max(len(part.columns["id"]) for part in parts)
    for of in ("columns", "answers", "kinds"):
        for name, values in getattr(whole, of).items():
            assert list(chain.from_iterable(getattr(part, of)[name] for part in parts)) == values


def spelled(path, order):
    """The items of five sentences, of which the outcomes of these stand in this order."""
    texts = [{"corpus": "c", "item_id": f"{n}", "line": n, "input": "门", "golds": ["们"]} for n in range(5)]
    key = {"corpus": "c", "model": "m"}
    outcomes = [key | {"item_id": f"{n}", "prediction": f"{n}", "covered": True} for n in order]
    wrong = [("mis-correction", "other"), ("mis-correction", "other"), ("corrected", None)]
    edits = [key | {"item_id": f"{n}", "outcome": of, "error_type": kind} for n in order[::2] for of, kind in wrong]
    build({}, {"csc_items": texts, "csc_outcomes": outcomes, "csc_edits": edits}, path)
    with reading(path) as connection:
        return list(items.csc(connection, "c", ["m"]))


@pytest.mark.parametrize("order", [[0, 2, 4], [0, 4, 2]])
def test_an_item_without_an_outcome_has_none(tmp_path, monkeypatch, order):
    monkeypatch.setattr(items, "ROWS_AT_ONCE", 2 if order == sorted(order) else 5)
    found = spelled(tmp_path / "a.duckdb", order)
    assert [answer for part in found for answer in part.answers["m"]] == ["0", "", "2", "", "4"]
    wrong = ("mis-correction: other",)
    assert [kind for part in found for kind in part.kinds["m"]] == [
        wrong if n in order[::2] else () if n in order else None for n in range(5)
    ]


def test_outcomes_are_those_of_their_items_in_any_order_within_a_part(tmp_path):
    [found] = spelled(tmp_path / "a.duckdb", [3, 1, 0, 4, 2])
    assert found.answers["m"] == list("01234")


def test_outcomes_in_another_order_than_their_items_are_refused(tmp_path):
    with pytest.raises(InputError, match="csc_outcomes of c, m follows another order than the items at item '7'"):
        spelled(tmp_path / "a.duckdb", [0, 7, 1])
