"""Items of the error browser, a part of a corpus at a time."""

from itertools import chain

import pytest

from sinobench.report.browser import items
from sinobench.results.database import reading


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
