"""Figures computed anew from what a database holds, each part of it changed in turn."""

import shutil
from dataclasses import replace

import duckdb
import pytest

from sinobench import cli
from sinobench.csc import gathered, stored
from sinobench.csc.tables import ITEMS, PREDICTIONS
from sinobench.identity import identity
from sinobench.results import database, fingerprints, tables
from sinobench.results.signature import parsed
from sinobench.results.statistics.resampling import Settings
from sinobench.results.statistics.rows import metric_rows
from sinobench.results.stored import in_database, in_files
from sinobench.results.verification import verify_all

TEXTS = [
    ("1", "我门去学校", "我们去学校", "我们去学校"),
    ("2", "今天天汽好", "今天天气好", "今天天汽好"),
    ("3", "他在看书", "他在看书", "他在看数"),
]
KEY = {"corpus": "texts", "model": "mine"}
HEADLINE = "metric = 'correction_f1' AND protocol = 'strict' AND subset = 'all'"


FEW = Settings(resamples=200)


def make(folder, texts=TEXTS, code="1", weights="1", fitted="1", packages=None, settings=FEW, name="a"):
    """A database of a model of one's own on three texts."""
    own = {"mine.py": f"class Mine:\n    x = {code}\n", "weights": weights, "fitted": fitted}
    for file, content in own.items():
        (folder / file).write_text(content)
    entry = {"kind": "python", "class": f"{folder}/mine.py:Mine", "packages": packages or {"numpy": "2.0.0"}}
    of_model = identity([entry], [folder / "weights"], [folder / "fitted"])
    files = {table: str(folder / table.name) for table in (ITEMS, PREDICTIONS, tables.METRICS)}
    ids, inputs, golds, outputs = zip(*texts, strict=True)
    of_item = {"item_id": ids, "input": inputs}
    items = {"corpus": "texts", "line": range(1, len(ids) + 1), "golds": [[gold] for gold in golds]}
    tables.write(ITEMS, items | of_item, files[ITEMS])
    tables.write(PREDICTIONS, KEY | of_item | {"prediction": outputs}, files[PREDICTIONS])
    tables.write(tables.METRICS, [], files[tables.METRICS])
    rows = metric_rows(stored.scores(in_files(**KEY, files=files)), settings, task="csc", **KEY)
    tables.write(tables.METRICS, rows, files[tables.METRICS])
    path = folder / f"{name}.duckdb"
    held = {table.name: [file] for table, file in files.items()}
    database.build(held, {"identities": [{"task": "csc"} | KEY | of_model]}, path)
    return path


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """One such database; read only, ``changed`` copies it."""
    return make(tmp_path_factory.mktemp("verified"))


def asked(path, sql):
    with duckdb.connect(path) as connection:
        return connection.execute(sql).fetchall()


def signature(path):
    [(found,)] = asked(path, "SELECT signature FROM leaderboard_csc WHERE subset = 'all'")
    return found


def changed(path, sql):
    """A copy of a database in which a statement was executed."""
    copy = shutil.copyfile(path, path.with_name("changed.duckdb"))
    asked(copy, sql)
    return copy


def test_each_part_of_what_a_figure_is_of_changes_its_signature(path, tmp_path, monkeypatch):
    before = parsed(signature(path))
    other_gold = [*TEXTS[:2], ("3", "他在看书", "他在看数", "他在看数")]
    for part, changes in (
        ("items", {"texts": other_gold}),
        ("code", {"code": "2"}),
        ("code", {"weights": "2"}),
        ("code", {"fitted": "2"}),
        ("code", {"packages": {"numpy": "2.0.1"}}),
        ("statistics", {"settings": Settings(resamples=201)}),
        ("statistics", {"settings": Settings(resamples=200, seed=1)}),
        ("statistics", {"settings": Settings(resamples=200, level=0.9)}),
    ):
        after = parsed(signature(make(tmp_path, **changes)))
        assert after == replace(before, **{part: getattr(after, part)}) != before, changes
    fewer = parsed(signature(make(tmp_path, texts=TEXTS[:2])))
    assert (before.n_items, fewer.n_items) == (3, 2) and fewer.items != before.items
    for module in ("identity", "results.fingerprints"):
        monkeypatch.setattr(f"sinobench.{module}.__version__", "9.9.9")
    assert parsed(signature(make(tmp_path))) == replace(before, version="9.9.9")


def test_what_is_the_same_has_the_same_signature_whatever_its_order(path, tmp_path):
    assert signature(path) == signature(make(tmp_path))
    turned = changed(path, "CREATE TABLE other AS FROM csc_items ORDER BY item_id DESC")
    asked(turned, "DELETE FROM csc_items; INSERT INTO csc_items FROM other")
    ids = [asked(each, "SELECT item_id FROM csc_items") for each in (path, turned)]
    assert ids[0] == ids[1][::-1]
    with duckdb.connect(turned) as connection:
        assert fingerprints.rows(connection)[0]["items"].startswith(parsed(signature(path)).items)


def test_a_figure_is_computed_anew_from_its_signature(path, capsys):
    assert cli.main(["verify", signature(path), "--database", str(path)]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"equal: {signature(path)}"
    assert said[1].startswith("computed anew: correction_f1 0.5, ")
    assert cli.main(["verify", "--all", "--database", str(path)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 of 1 equal, ")


@pytest.mark.parametrize(
    ("sql", "part"),
    [
        (f"UPDATE metrics SET value = .75 WHERE {HEADLINE}", "figure"),
        (f"UPDATE metrics SET ci_high = .75 WHERE {HEADLINE}", "interval"),
        (f"UPDATE metrics SET interval = 'exact' WHERE {HEADLINE}", "interval"),
        (f"UPDATE metrics SET n_items = 30 WHERE {HEADLINE}", "n"),
        (f"UPDATE metrics SET coverage = .5 WHERE {HEADLINE}", "coverage"),
        ("UPDATE csc_items SET golds = ['他在看数'] WHERE item_id = '3'", "corpus"),
        ("UPDATE csc_predictions SET prediction = '今天天气好' WHERE item_id = '2'", "predictions"),
        ("UPDATE identities SET code = 'another'", "model"),
        ("UPDATE identities SET sha256 = 'another'", "model"),
        ("UPDATE fingerprints SET version = '0.0.1'", "version"),
    ],
)
def test_what_was_changed_by_hand_is_named(path, capsys, sql, part):
    tampered = changed(path, sql)
    for what in ([signature(path)], ["--all"]):
        assert cli.main(["verify", *what, "--database", str(tampered)]) == 1
        assert f"{part} differs, expected " in capsys.readouterr().out
    if part in ("corpus", "predictions"):
        assert cli.main(["verify", signature(path), "--database", str(tampered)]) == 1
        assert "strict correction_f1: figure differs, expected 0.5, found " in capsys.readouterr().out


def test_settings_of_one_row_that_others_do_not_have(path):
    tampered = changed(path, f"UPDATE metrics SET seed = 7 WHERE {HEADLINE}")
    with duckdb.connect(tampered) as connection:
        [found] = verify_all(connection)
    assert [str(each) for each in found.differences] == [
        "strict correction_f1: statistics differs, expected 200/7, level 0.95, found 200/2023, level 0.95"
    ]


def test_rows_that_were_removed_added_or_can_not_be_scored(path):
    for sql, part in (
        (f"DELETE FROM metrics WHERE {HEADLINE}", "strict correction_f1: figure differs, expected none, found 0.5"),
        (
            f"INSERT INTO metrics BY NAME SELECT * REPLACE ('mine' AS metric) FROM metrics WHERE {HEADLINE}",
            "strict mine: figure differs, expected 0.5, found none",
        ),
        (
            "DELETE FROM csc_predictions WHERE item_id = '3'",
            "figure differs, expected some, found none: items of 'texts'",
        ),
        ("UPDATE csc_items SET golds = NULL", "figure differs, expected some, found none: "),
    ):
        with duckdb.connect(changed(path, sql)) as connection:
            [found] = verify_all(connection)
        assert any(part in str(each) for each in found.differences), (sql, *map(str, found.differences))


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("items", "00000000"),
        ("code", "00000000"),
        ("model_version", "0.0.1"),
        ("n_items", 4),
        ("statistics", Settings(resamples=200, seed=7)),
        ("statistics", None),
        ("version", "0.0.1"),
    ],
)
def test_a_signature_of_something_else_names_the_part(path, capsys, part, value):
    other = replace(parsed(signature(path)), **{part: value})
    assert cli.main(["verify", str(other), "--database", str(path)]) == 1
    name = {"items": "corpus", "code": "model", "model_version": "model", "n_items": "n"}.get(part, part)
    [said] = capsys.readouterr().out.splitlines()[2:]
    assert said.startswith(f"{name} differs, expected ")


def test_wrong_input(path, capsys):
    own = signature(path)
    for text, message in (
        ("mine", "'mine' is no signature; expected TASK|CORPUS@HASH|"),
        (own.replace("texts@", "text@"), "no figure with the corpus 'text'; did you mean 'texts'?"),
        (own.replace("|mine", "|mind"), "no figure with the model 'mind'; did you mean 'mine'?"),
        (own.replace("strict", "plan"), "no figure with the protocol 'plan'; known are: official, strict"),
        (own.replace("correction_f1", "correction_f2"), "no figure with the metric 'correction_f2'; did you mean"),
        (own.replace("bs:200", "bs:99"), "99 resamples are too few"),
    ):
        assert cli.main(["verify", text, "--database", str(path)]) == 2, text
        assert message in capsys.readouterr().err
    assert cli.main(["verify", own, "--database", "none.duckdb"]) == 2
    assert "none.duckdb: there is no such database" in capsys.readouterr().err
    old = changed(
        path, "DROP VIEW leaderboard; CREATE VIEW leaderboard AS SELECT 1 AS a; DROP TABLE fingerprints CASCADE"
    )
    assert cli.main(["verify", "--all", "--database", str(old)]) == 2
    assert "changed.duckdb: lacks tables or columns that figures are computed from" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        cli._parser().parse_args(["verify"])


def test_a_corpus_whose_items_stay_out_of_the_database_is_said_to_be_and_is_no_difference(path, capsys):
    hidden = changed(path, "INSERT INTO corpora (corpus, confidential) VALUES ('texts', 'everything')")
    asked(hidden, "DELETE FROM csc_items; DELETE FROM csc_predictions")
    assert cli.main(["verify", "--all", "--database", str(hidden)]) == 0
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("csc texts mine: not computed anew: corpus 'texts' is confidential")
    assert last == "0 of 0 equal, 0 figures in all"
    assert cli.main(["verify", signature(path), "--database", str(hidden)]) == 2
    assert "corpus 'texts' is confidential" in capsys.readouterr().err


def test_all_figures_of_a_run_are_what_they_were(finished_run, capsys):
    path = finished_run / "results/sinobench.duckdb"
    with database.reading(path) as connection:
        signed = connection.execute(
            "SELECT count(*), count(signature), count(DISTINCT signature) FROM signatures"
        ).fetchone()
        named = connection.execute("SELECT DISTINCT task, corpus, model FROM metrics").fetchall()
    assert signed[0] > 0 and len(set(signed)) == 1
    assert cli.main(["verify", "--all", "--database", str(path)]) == 0
    assert f"{len(named)} of {len(named)} equal, {signed[0]} figures in all" in capsys.readouterr().out


def test_figures_without_the_overlap_are_computed_anew_and_hang_on_what_overlaps(path):
    overlap = "INSERT INTO csc_overlaps VALUES ('texts', '1', 'training', 'same item', 'n-gram')"
    with duckdb.connect(changed(path, overlap)) as connection:
        compared = stored.comparison(in_database("texts", "mine", connection))
        scores = gathered.scores(compared, "", {"1"})
        connection.execute("DELETE FROM metrics")
        rows = metric_rows(scores, FEW, task="csc", **KEY)
        columns = tables.to_arrow(tables.METRICS, {name: [row.get(name) for row in rows] for name in rows[0]})
        connection.register("made", columns)
        connection.execute("INSERT INTO metrics BY NAME FROM made")
        [found] = verify_all(connection)
        own = [row for row in found.figures if row["subset"] == gathered.WITHOUT_OVERLAP]
        assert not found.differences and {row["n_items"] for row in own} == {2}
        connection.execute("DELETE FROM csc_overlaps")
        [found] = verify_all(connection)
        assert found.differences and all("overlap=none" in each.figure for each in found.differences)
