"""Every table, view, column and metric says what it is."""

import duckdb
import pytest
import yaml

from sinobench.results import database, registry
from sinobench.results.comments import Comments

COMMENTS = registry.comments()


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    path = tmp_path_factory.mktemp("empty") / "sinobench.duckdb"
    database.build({}, {}, path)
    with duckdb.connect(path, read_only=True) as connection:
        yield connection


def test_every_table_view_and_column_has_a_comment(empty):
    silent = empty.execute(
        """SELECT table_name FROM duckdb_tables() WHERE comment IS NULL
        UNION ALL SELECT view_name FROM duckdb_views() WHERE NOT internal AND comment IS NULL
        UNION ALL SELECT table_name || '.' || column_name FROM duckdb_columns()
        WHERE NOT internal AND comment IS NULL"""
    ).fetchall()
    assert silent == []
    said = "SELECT comment FROM duckdb_columns() WHERE table_name = 'g2p_items' AND column_name = 'unit'"
    assert empty.execute(said).fetchone() == ("What is resampled for intervals, the sentence or the poem.",)


def test_no_comment_is_of_what_is_not_there(empty):
    columns = {}
    for name, column in empty.execute(
        "SELECT table_name, column_name FROM duckdb_columns() WHERE NOT internal"
    ).fetchall():
        columns.setdefault(name, set()).add(column)
    assert COMMENTS.relations.keys() == columns.keys()
    for name, comment in COMMENTS.relations.items():
        assert set(comment.own) | set(comment.key) <= columns[name], name


def test_no_two_rows_have_a_key_alike(finished_run):
    with database.reading(finished_run / "results/sinobench.duckdb") as connection:
        keyed = {name: ", ".join(comment.key) for name, comment in COMMENTS.relations.items() if comment.key}
        assert keyed["metrics"] == "task, corpus, model, protocol, subset, metric"
        for name, key in keyed.items():
            question = f"SELECT {key}, count(*) FROM {name} GROUP BY ALL HAVING count(*) > 1 LIMIT 3"
            assert connection.execute(question).fetchall() == [], name


def test_every_metric_of_a_run_is_explained(finished_run):
    with database.reading(finished_run / "results/sinobench.duckdb") as connection:
        figures = set(connection.execute("SELECT DISTINCT task, protocol, metric FROM metrics").fetchall())
        explained = connection.execute("SELECT task, protocol, metric FROM metric_info").fetchall()
        assert set(explained) >= figures and len(explained) == len(set(explained))
        # A pool of one corpus has no mean over corpora.
        assert {metric for _, _, metric in set(explained) - figures} <= {"accuracy_macro", "per_macro"}
        within = """SELECT task, protocol, metric, value FROM metrics JOIN metric_info USING (task, protocol, metric)
            WHERE value < 0 OR value > TRY_CAST(regexp_extract(range, 'to ([\\d.]+)$', 1) AS DOUBLE)"""
        assert connection.execute(within).fetchall() == []
        columns = "SELECT DISTINCT unit, direction FROM metric_info ORDER BY ALL"
        assert {unit for unit, _ in connection.execute(columns).fetchall()} == {"fraction", "bits", "recordings"}


def test_the_better_direction_is_that_of_the_boards():
    said = {(row["task"], row["metric"]): row["direction"] for row in COMMENTS.metric_rows()}
    for task, board in registry.BOARDS.items():
        for measure in board.panels:
            assert said[task, measure.metric] == measure.better


def test_a_run_says_how_it_was_made(finished_run):
    with database.reading(finished_run / "results/sinobench.duckdb") as connection:
        ((version, configs, config, packages),) = connection.execute(
            "SELECT version, configs, config, list_filter(packages, lambda name: name LIKE 'duckdb %') FROM run_info"
        ).fetchall()
    assert version and configs == ["config/config.yaml"] and packages == [f"duckdb {duckdb.__version__}"]
    resolved = yaml.safe_load(config)
    assert (
        resolved["csc"]["corpora"] == ["sample-csc", "sample-csc-test"] and resolved["statistics"]["resamples"] == 10000
    )


def test_an_unknown_section_is_refused(tmp_path):
    (tmp_path / "results").mkdir()
    (tmp_path / "results/comments.yaml").write_text("tabels: {}\n", encoding="utf-8")
    with pytest.raises(KeyError, match="tabels is none of columns, tables, views, metrics"):
        Comments([tmp_path / "results/comments.yaml"])
