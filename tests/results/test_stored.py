"""A database holds all that its figures are made of."""

from importlib import import_module

import duckdb
import pyarrow as pa
import pytest

from sinobench.csc.tables import ITEMS, PREDICTIONS
from sinobench.errors import InputError
from sinobench.results import database, tables
from sinobench.results.stored import Stored, in_database, in_files
from sinobench.results.tables import METRICS
from sinobench.score import metric_rows

COLUMNS = "protocol, subset, metric, value, n_items, coverage, warning"


def test_every_figure_comes_again_from_the_database(finished_run):
    with duckdb.connect(finished_run / "results/sinobench.duckdb", read_only=True) as connection:
        scored = connection.sql("SELECT DISTINCT task, corpus, model FROM metrics ORDER BY ALL").fetchall()
        assert len(scored) == 2 + 4 * 4 + 2 * 2 + 2 * 3  # spelling, G2P with a pool, diarization, identification
        for task, corpus, model in scored:
            module = import_module(f"sinobench.{task}.stored")
            found = pa.Table.from_pylist(metric_rows(module.scores(in_database(corpus, model, connection))))
            connection.register("found", found)
            stored = f"SELECT {COLUMNS} FROM metrics WHERE corpus = '{corpus}' AND model = '{model}'"
            again = f"SELECT {COLUMNS} FROM found"
            for one, other in ((stored, again), (again, stored)):
                assert connection.sql(f"{one} EXCEPT {other}").fetchall() == [], (task, corpus, model)


def items(path, *names):
    tables.write(ITEMS, {"corpus": "c", "item_id": list(names), "line": 1, "input": "天"}, path)
    return str(path)


@pytest.mark.parametrize("given", [("a", "c", "b"), ("a",)])
def test_predictions_of_other_items_are_refused_by_the_first_that_differs(tmp_path, given):
    predictions = tmp_path / "predictions.parquet"
    tables.write(PREDICTIONS, {"corpus": "c", "model": "m", "item_id": list(given), "prediction": "天"}, predictions)
    stored = in_files("c", "m", {ITEMS: items(tmp_path / "items.parquet", "a", "b"), PREDICTIONS: str(predictions)})
    with pytest.raises(InputError, match="items of 'c' and predictions of 'm' part at item 'b'"):
        stored.aligned(ITEMS, PREDICTIONS)


def test_files_are_read_one_after_the_other(tmp_path):
    paths = [items(tmp_path / f"{name}.parquet", name) for name in "ab"]
    stored = in_files("c", "m", {ITEMS: paths})
    assert isinstance(stored, Stored) and stored.columns(ITEMS)["item_id"] == ["a", "b"]


def test_a_pool_has_its_own_figures_and_the_items_of_its_corpora(database_of, tmp_path):
    key = {"task": "csc", "model": "m"}
    figures = [key | {"corpus": corpus, "subset": f"of {corpus}"} for corpus in ("one", "pooled-both")]
    rows = {
        "pools": [{"corpus": "pooled-both", "part": part} for part in ("one", "two")],
        "metrics": figures,
        "csc_items": [{"corpus": corpus, "item_id": corpus} for corpus in ("two", "one")],
    }
    with database.reading(database_of(rows, tmp_path / "a.duckdb")) as connection:
        pool = in_database("pooled-both", "m", connection)
        assert pool.columns(METRICS)["subset"] == ["of pooled-both"]
        assert pool.columns(ITEMS)["item_id"] == ["one", "two"]
