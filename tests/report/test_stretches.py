"""The stretches of the error browser hold the time that the scorer counts."""

from collections import Counter

import duckdb
import pytest

from sinobench.report.browser import items as browser_items
from sinobench.report.browser.items import evaluated
from sinobench.report.browser.stretches import ld


@pytest.mark.parametrize("corpus", ["sample-merlion", "sample-merlion-raw"])
def test_stretches_sum_to_what_is_missed_added_and_confused(finished_run, corpus):
    with duckdb.connect(finished_run / "results/sinobench.duckdb", read_only=True) as connection:
        models = evaluated(connection)["ld", corpus]
        items = next(ld(connection, corpus, models))
        for model in models:
            counted = connection.execute(
                "SELECT sum(miss_ms), sum(false_alarm_ms), sum(confusion_ms) FROM ld_recordings "
                "WHERE corpus = ? AND model = ?",
                [corpus, model],
            ).fetchone()
            found = Counter()
            times = zip(items.columns["start_ms"], items.columns["end_ms"], items.kinds[model], strict=True)
            for start, end, kinds in times:
                for kind in kinds:
                    found[kind.split(": ")[0]] += end - start
            assert (found["miss"], found["false alarm"], found["confusion"]) == counted and sum(counted)


def test_stretches_some_at_a_time_are_those_of_the_whole_corpus(finished_run, monkeypatch):
    with duckdb.connect(finished_run / "results/sinobench.duckdb", read_only=True) as connection:
        models = evaluated(connection)["ld", "sample-merlion"]
        [whole] = ld(connection, "sample-merlion", models)
        monkeypatch.setattr(browser_items, "ROWS_AT_ONCE", 7)
        parts = list(ld(connection, "sample-merlion", models))
    sizes = [len(part.columns["recording"]) for part in parts]
    assert set(sizes[:-1]) == {7} and len(set(whole.columns["recording"])) > 1
    for of in ("columns", "answers", "kinds"):
        for name, values in getattr(whole, of).items():
            assert [value for part in parts for value in getattr(part, of)[name]] == values
