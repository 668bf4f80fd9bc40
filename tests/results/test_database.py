import signal
import subprocess
import sys
import textwrap

import duckdb
import pytest

from sinobench.results import tables
from sinobench.results.database import build, reading
from sinobench.results.registry import TABLES


def query(path, sql):
    with duckdb.connect(path, read_only=True) as connection:
        return connection.execute(sql).fetchall()


def metric(model, name, value, **fields):
    row = {"task": "g2p", "corpus": "dufu", "model": model, "protocol": "strict", "subset": "all", "n_items": 10}
    return row | {"metric": name, "value": value, "coverage": 1.0} | fields


def views(path):
    return [name for (name,) in query(path, "SELECT view_name FROM duckdb_views() WHERE NOT internal ORDER BY ALL")]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "sinobench.duckdb"


def test_every_view_answers_on_an_empty_database(path):
    build({}, {}, path)
    assert set(views(path)) >= {
        "leaderboard",
        "leaderboard_g2p",
        "leaderboard_csc",
        "runtime",
        "g2p_errors",
        "csc_errors",
    }
    names = views(path)
    with duckdb.connect(path, read_only=True) as connection:
        for view in names:
            assert connection.execute(f"FROM {view}").fetchall() == [], view
    found = {name for (name,) in query(path, "SELECT table_name FROM duckdb_tables()")}
    assert found == {name for name, table in TABLES.items() if table.in_database}


def test_small_databases_of_tests_are_those_that_are_built(database_of, tmp_path):
    corpora = [{"task": "csc", "corpus": "law", "sources": ["a book"], "n_items": 2}]
    models = [{"task": "csc", "model": "mine", "training_data": ["a book"]}]
    items = [{"corpus": "law", "item_id": name, "input": name, "golds": [name]} for name in "ab"]
    rows = {"corpora": corpora, "models": models, "csc_items": items}
    rows["metrics"] = [metric("mine", "correction_f1", 0.5, task="csc", corpus="law")]
    build({}, rows, tmp_path / "built")
    database_of(rows, tmp_path / "copied")
    with duckdb.connect() as connection:
        for name in ("built", "copied"):
            connection.execute(f"ATTACH '{tmp_path / name}' AS {name} (READ_ONLY)")
        for table in [name for name, table in TABLES.items() if table.in_database]:
            built, copied = (
                connection.execute(f"FROM {name}.{table} ORDER BY ALL").fetchall() for name in ("built", "copied")
            )
            assert built == copied, table
        assert connection.execute("FROM copied.contamination").fetchall()


def test_a_folder_whose_name_is_a_pattern(tmp_path):
    for folder, load_s in (("res[1]", 1.5), ("res1", 9.0)):
        (tmp_path / folder).mkdir()
        row = {"task": "g2p", "corpus": "dufu", "model": "trie", "load_s": load_s}
        tables.write(tables.RUNS, [row], tmp_path / folder / "runs.parquet")
        csv = f"task,corpus,model,value\ng2p,dufu,trie,{load_s}\n"
        (tmp_path / folder / "published.csv").write_text(csv, encoding="utf-8")
    folder = tmp_path / "res[1]"
    files = {"runs": [folder / "runs.parquet"], "published": [folder / "published.csv"]}
    build(files, {}, folder / "sinobench.duckdb")
    assert query(folder / "sinobench.duckdb", "SELECT load_s, value FROM runs, published") == [(1.5, 1.5)]


def test_parquet_csv_and_rows_are_put_together(path, tmp_path):
    tables.write(
        tables.RUNS, [{"task": "g2p", "corpus": "dufu", "model": "trie", "load_s": 1.5}], tmp_path / "runs.parquet"
    )
    csv = tmp_path / "published.csv"
    csv.write_text("model,corpus,task,metric,value,n_items\ntheirs,dufu,g2p,per,0.25,10\n", encoding="utf-8")
    rows = {"models": [{"model": "trie"}], "corpora": [{"corpus": "dufu"}]}
    build({"runs": [str(tmp_path / "runs.parquet")], "published": [str(csv)]}, rows, path)
    assert query(path, "SELECT model, load_s FROM runs") == [("trie", 1.5)]
    assert query(path, "SELECT model FROM models") == [("trie",)]
    assert query(path, "SELECT model, official_per, published, rank FROM leaderboard_g2p") == [
        ("theirs", 0.25, True, None)
    ]


def test_published_rows_stand_in_the_leaderboards_for_corpora_and_pools_of_the_run_only(database_of, path):
    published = [
        {"task": task, "corpus": corpus, "model": "theirs", "protocol": "official", "metric": name, "value": 0.2}
        for task, corpus, name in (
            ("g2p", "pooled-benchmark", "per"),
            ("g2p", "pooled-other", "per"),
            ("csc", "nlpcc", "correction_f1"),
            ("lid", "merlion-dev", "eer"),
            ("lid", "merlion-evaluation", "eer"),
            ("ld", "merlion-dev", "lder"),
        )
    ]
    rows = {
        "published": published,
        "corpora": [{"task": "merlion", "corpus": "merlion-dev"}],
        "metrics": [metric("trie", "per", 0.1, corpus="pooled-benchmark")],
    }
    database_of(rows, path)
    assert query(path, "SELECT DISTINCT task, corpus FROM leaderboard WHERE published ORDER BY ALL") == [
        ("g2p", "pooled-benchmark"),
        ("ld", "merlion-dev"),
        ("lid", "merlion-dev"),
    ]
    assert query(path, "SELECT count(*) FROM published") == [(6,)], "the table keeps them for whoever asks"


def rank(model, place, tied_with=None, **fields):
    row = {"task": "g2p", "corpus": "dufu", "protocol": "strict", "subset": "all", "metric": "per"}
    return row | {"model": model, "rank": place, "tied_with": tied_with} | fields


def test_g2p_ranks_show_ties_and_dropped_items(database_of, path):
    rows = []
    for model, per in (("a", 0.22), ("b", 0.1), ("c", 0.2), ("d", 0.3)):
        rows += [metric(model, "per", per), metric(model, "per", per, protocol="official", n_items=8)]
    ranks = [rank("a", 2, "c"), rank("b", 1), rank("c", 2, "a"), rank("d", 4)]
    others = [rank("a", 1, "b", metric="accuracy"), rank("a", 1, "b", protocol="official"), rank("a", 1, corpus="x")]
    database_of({"metrics": rows, "ranks": ranks + others}, path)
    assert query(path, "SELECT rank, model, tied_with, official_dropped FROM leaderboard_g2p") == [
        (1, "b", None, 2),
        (2, "c", "a", 2),
        (2, "a", "c", 2),
        (4, "d", None, 2),
    ]
    assert query(path, "SELECT task, rank, model, tied_with, value FROM leaderboard")[1:3] == [
        ("g2p", 2, "c", "a", 0.2),
        ("g2p", 2, "a", "c", 0.22),
    ]


def test_csc_ranks_within_corpus_and_subset_undefined_last(database_of, path):
    rows = []
    of_csc = {"task": "csc", "metric": "correction_f1"}
    ranks = [rank(*of, **of_csc, corpus=corpus) for corpus in ("law", "med") for of in (("c", 1), ("b", 2))]
    ranks.append(rank("a", 1, **of_csc, corpus="law", subset="ignoring=的地得"))
    for corpus in ("law", "med"):
        for model, f1 in (("a", None), ("b", 0.5), ("c", 0.7)):
            for protocol in ("strict", "official"):
                rows.append(
                    metric(model, "correction_f1", f1, task="csc", corpus=corpus, protocol=protocol)
                    | {"n_items": 10 if protocol == "strict" else 9}
                )
    rows.append(metric("a", "correction_f1", 0.9, task="csc", corpus="law", subset="ignoring=的地得"))
    database_of({"metrics": rows, "ranks": ranks}, path)
    found = query(path, "SELECT corpus, subset, rank, model, n_items, official_n_items FROM leaderboard_csc")
    assert found == [
        ("law", "all", 1, "c", 10, 9),
        ("law", "all", 2, "b", 10, 9),
        ("law", "all", None, "a", 10, 9),
        ("law", "ignoring=的地得", 1, "a", 10, None),
        ("med", "all", 1, "c", 10, 9),
        ("med", "all", 2, "b", 10, 9),
        ("med", "all", None, "a", 10, 9),
    ]
    assert len(query(path, "FROM leaderboard")) == 6


def test_error_views_hold_the_errors_only(database_of, path):
    key = {"corpus": "dufu", "model": "trie"}
    items = [{"corpus": "dufu", "item_id": i, "text": "好雨", "position": 0} for i in "abc"]
    outcome = {"strict_correct": True, "official_correct": True, "strict_errors": 0, "official_errors": 0}
    outcomes = [
        key | outcome | {"item_id": "a", "official_dropped": False},
        key | outcome | {"item_id": "b", "official_dropped": False, "strict_correct": False, "strict_errors": 4},
        key | {"item_id": "c", "official_dropped": True, "strict_correct": False, "strict_errors": 4},
    ]
    edits = [{"corpus": "law", "item_id": "x", "outcome": o} for o in ("corrected", "over-correction")]
    rows = {"g2p_items": items, "g2p_outcomes": outcomes, "csc_edits": edits}
    database_of(rows | {"csc_items": [{"corpus": "law", "item_id": "x"}]}, path)
    assert query(path, "SELECT item_id FROM g2p_errors ORDER BY ALL") == [("b",), ("c",)]
    assert query(path, "SELECT item_id FROM g2p_protocol_differences ORDER BY ALL") == [("b",), ("c",)]
    assert query(path, "SELECT outcome FROM csc_errors") == [("over-correction",)]


def test_a_reader_keeps_the_old_database_while_a_new_one_takes_its_place(path):
    build({}, {"models": [{"model": "old"}]}, path)
    reader = duckdb.connect(path, read_only=True)
    build({}, {"models": [{"model": "new"}] * 1000}, path)
    assert reader.execute("SELECT model FROM models").fetchall() == [("old",)]
    reader.close()
    assert query(path, "SELECT DISTINCT model FROM models") == [("new",)]
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_failed_build_leaves_the_old_database(path, tmp_path):
    build({}, {"models": [{"model": "old"}]}, path)
    with pytest.raises(FileNotFoundError):
        build({"runs": [str(tmp_path / "absent.parquet")]}, {"models": [{"model": "new"}]}, path)
    assert query(path, "SELECT model FROM models") == [("old",)]
    build({}, {"models": [{"model": "new"}]}, path)
    assert query(path, "SELECT model FROM models") == [("new",)]


def test_nothing_stands_between_the_old_database_and_the_new_one(path, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    build({}, {"models": [{"model": "old"}]}, path)
    monkeypatch.setattr("os.replace", stop)
    with pytest.raises(KeyboardInterrupt):
        build({}, {"models": [{"model": "new"}]}, path)
    assert query(path, "SELECT model FROM models") == [("old",)]


def test_a_killed_build_leaves_the_old_database_and_the_next_one_succeeds(path):
    build({}, {"models": [{"model": "old"}]}, path)
    killed = f"""
        import os, signal
        from sinobench.results import database

        database.views = lambda: os.kill(os.getpid(), signal.SIGKILL)
        database.build({{}}, {{"models": [{{"model": "half"}}]}}, {str(path)!r})
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(killed)], check=False)
    assert done.returncode == -signal.SIGKILL
    assert query(path, "SELECT model FROM models") == [("old",)]
    build({}, {"models": [{"model": "new"}]}, path)
    assert query(path, "SELECT model FROM models") == [("new",)]
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def packages_of(version, folder):
    """A folder with this version of DuckDB, "" for the newest that the index has; skipped without an index."""
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--disable-pip-version-check"]
    done = subprocess.run(
        [*command, "--target", str(folder), f"duckdb=={version}" if version else "duckdb"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        pytest.skip(f"pip can't install another DuckDB: {done.stderr.strip()[-200:]}")
    return folder


@pytest.mark.parametrize("version", ["1.0.0", ""])
def test_the_oldest_and_the_newest_duckdb_answer_every_view(path, tmp_path, version):
    build({}, {"metrics": [metric("trie", "per", 0.25), metric("trie", "per", 0.25, protocol="official")]}, path)
    ask = """
        import sys, duckdb
        with duckdb.connect(sys.argv[1], read_only=True) as connection:
            for view in sys.argv[2:]:
                connection.execute(f"FROM {view}").fetchall()
            kept = connection.execute("SELECT count(comment) = count(*) FROM duckdb_columns() WHERE NOT internal")
            assert kept.fetchone()[0], "columns without a comment"
            print(duckdb.__version__, *connection.execute("SELECT model, per FROM leaderboard_g2p").fetchone())
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(ask), path, *views(path)],
        env={"PYTHONPATH": str(packages_of(version, tmp_path / "other"))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found, *answer = done.stdout.split()
    assert answer == ["trie", "0.25"] and found == (version or found)


# Writes to the database, and says so; then waits to be killed.
WRITER = """
import sys, time, duckdb
connection = duckdb.connect(sys.argv[1])
connection.execute("CREATE TABLE own AS SELECT 1")
print("written", flush=True)
time.sleep(100)
"""


@pytest.fixture
def writer(path):
    """A process that has the database open for writing, with its write-ahead log beside it."""
    build({}, {"models": [{"model": "old"}]}, path)
    with subprocess.Popen([sys.executable, "-c", WRITER, path], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "written\n" and path.with_name(f"{path.name}.wal").exists()
        yield process
        process.kill()


def test_the_log_of_a_crashed_writer_does_not_close_the_next_database(path, writer):
    writer.kill()
    writer.wait()
    build({}, {"models": [{"model": "new"}]}, path)
    assert query(path, "SELECT model FROM models") == [("new",)]
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_writer_hinders_neither_the_next_database_nor_the_pictures(path, writer):
    with reading(path) as connection:
        assert connection.execute("SELECT model FROM models").fetchall() == [("old",)]
    build({}, {"models": [{"model": "new"}]}, path)
    with reading(path) as connection:
        assert connection.execute("SELECT model FROM models").fetchall() == [("new",)]
    assert query(path, "SELECT model FROM models") == [("new",)]
    writer.kill()
    writer.wait()
    assert query(path, "SELECT model FROM models") == [("new",)]


def test_what_reads_a_database_works_on_the_disk_beyond_little_memory_and_not_beside_it(path):
    build({}, {}, path)
    with reading(path) as connection:
        settings = (
            "SELECT current_setting('memory_limit'), current_setting('threads'), current_setting('temp_directory')"
        )
        limit, threads, folder = connection.execute(settings).fetchone()
    assert (limit, threads) == ("381.4 MiB", 1) and str(path.parent) not in folder


def test_tables_of_several_files_keep_their_order(path, tmp_path):
    files = []
    for n in range(3):
        files.append(tmp_path / f"{n}.parquet")
        rows = [{"task": "csc", "corpus": f"c{n}", "model": f"m{row}"} for row in range(n * 2)]
        tables.write(tables.RUNS, rows, files[-1])
    build({"runs": files}, {"runs": [{"corpus": "last"}]}, path)
    expected = [("c1", "m0"), ("c1", "m1"), *(("c2", f"m{n}") for n in range(4)), ("last", None)]
    assert query(path, "SELECT corpus, model FROM runs ORDER BY rowid") == expected
