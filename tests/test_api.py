"""The package from Python: a finished run, and scoring."""

import subprocess
import sys

import duckdb
import pandas as pd
import pytest

import sinobench
from sinobench.errors import InputError

TURNS = [
    {"recording": "a", "start_ms": 0, "end_ms": 900, "language": "English"},
    {"recording": "a", "start_ms": 1000, "end_ms": 1900, "language": "Mandarin"},
]
REGIONS = [{"recording": "a", "start_ms": 0, "end_ms": 2000}]


@pytest.fixture
def run(finished_run):
    return sinobench.open(finished_run / "results/sinobench.duckdb")


def test_importing_it_imports_nothing_heavy():
    code = "import sys, sinobench, sinobench.csc; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "pandas", "duckdb", "argparse", "yaml"} & set(done.stdout.split())


def test_tables_of_a_run_carry_their_units(run):
    board = run.leaderboard("csc")
    assert list(board.model[:1]) == ["dictionary"] and set(board.subset) == {"all"}
    assert board.attrs["units"]["correction_f1"] == board.attrs["units"]["ci_low"] == "fraction"
    assert run.leaderboard("lid", "sample-merlion").attrs["units"]["cllr"] == "bits"
    assert set(run.leaderboard().task) == {"g2p", "csc", "lid", "ld"}
    assert run.sql("SELECT predict_s FROM runs").attrs["units"] == {"predict_s": "s"}
    assert "dictionary" in run._repr_html_()


def test_items_and_errors(run):
    items, errors = run.items(model="tojyutping"), run.errors(model="tojyutping")
    counted = run.sql("SELECT count(*) AS n FROM g2p_outcomes WHERE model = ?", ["tojyutping"])
    assert len(items) == counted.n[0] and len(errors) == items.is_error.sum() > 0
    assert run.errors("lid", corpus="sample-merlion").attrs["units"]["start_ms"] == "ms"


def test_comparisons_are_those_of_the_run(run):
    of = ["gmm", "conformer-small"]
    found = run.compare("lid", "sample-merlion", of)
    stored = run.sql("FROM comparisons WHERE corpus = 'sample-merlion' AND metric = 'eer' AND protocol = 'strict'"
                     "AND subset = 'all' AND 'majority' NOT IN (model, other)")  # fmt: skip
    pd.testing.assert_frame_equal(found, stored)
    assert len(found) == 1 and found.attrs["units"]["difference"] == "fraction"


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda run: run.leaderboard("cs"), "did you mean 'csc'?"),
        (lambda run: run.leaderboard(corpus="sample-cs"), "did you mean 'sample-csc'?"),
        (lambda run: run.errors("csc", "gmm"), "no model 'gmm' of csc"),
        (lambda run: run.errors(), "name one task"),
        (lambda run: run.compare("lid", metric="err"), "did you mean 'eer'?"),
        (lambda run: run.compare("lid", models=["gmn"]), "did you mean 'gmm'?"),
        (lambda run: sinobench.open("nowhere.duckdb"), "there is no such database"),
    ],
)
def test_wrong_names_are_one_message(run, ask, said):
    with pytest.raises(InputError) as error:
        ask(run)
    assert said in str(error.value)


def test_scoring_gives_the_figures_of_the_run(run):
    texts = run.sql("SELECT input, golds, prediction FROM csc_items JOIN csc_predictions "
                    "USING (corpus, item_id, input) WHERE model = 'dictionary' AND corpus = 'sample-csc' "
                    "ORDER BY item_id")  # fmt: skip
    found = sinobench.csc.score(texts.input, texts.golds, texts.prediction, resamples=200)
    [board] = run.leaderboard("csc").query("model == 'dictionary'").to_dict("records")
    assert found.value("correction_f1") == board["correction_f1"]
    assert found.value("correction_f1", "official") == board["official_correction_f1"]
    low, high = found.interval("correction_f1")
    assert low < found.value("correction_f1") < high and "correction_f1" in found._repr_html_()

    segments = run.sql(
        "SELECT language, score, recording FROM lid_outcomes WHERE corpus = 'sample-merlion' AND model = 'gmm'"
    )
    found = sinobench.lid.score(segments.language, segments.score, recordings=segments.recording, intervals=False)
    [board] = run.leaderboard("lid", "sample-merlion").query("model == 'gmm'").to_dict("records")
    assert found.value("eer") == pytest.approx(board["eer"], abs=1e-12) and found.interval("eer") is None

    syllables = run.sql("SELECT labels, prediction FROM g2p_items JOIN g2p_predictions USING (corpus, item_id) "
                        "WHERE corpus = 'sample-words' AND model = 'tojyutping'")  # fmt: skip
    found = sinobench.g2p.score(syllables.labels, syllables.prediction, intervals=False)
    [board] = run.leaderboard("g2p", "sample-words").query("model == 'tojyutping'").to_dict("records")
    assert found.value("per") == board["per"]


def test_diarization_of_turns():
    found = sinobench.ld.score(pd.DataFrame(TURNS), TURNS[:1], REGIONS)
    assert found.value("lder") == 0.5 and found.value("mandarin_error_rate", "official") == 1
    assert sinobench.ld.score(TURNS, TURNS, REGIONS, intervals=False).value("lder") == 0


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: sinobench.csc.score(["好"], ["好"], []), "give as many of each"),
        (lambda: sinobench.csc.score([], [], []), "no sentence"),
        (lambda: sinobench.csc.score(["好"], ["好好"], ["好"]), "sentence 0"),
        (lambda: sinobench.csc.score(["好"], ["好"], ["好"], resamples=9), "too few"),
        (lambda: sinobench.g2p.score(["x"], [None]), "'x' is no Jyutping"),
        (lambda: sinobench.lid.score(["English"], [float("nan")]), "segment 0"),
        (lambda: sinobench.ld.score([{"recording": "a"}], [], REGIONS), "has no column start_ms"),
        (lambda: sinobench.ld.score(TURNS, [TURNS[0] | {"end_ms": -1}], REGIONS), "ends before it starts"),
    ],
)
def test_wrong_input_is_one_message(ask, said):
    with pytest.raises(InputError) as error:
        ask()
    assert said in str(error.value)


def test_a_database_of_something_else(tmp_path):
    duckdb.connect(tmp_path / "other.duckdb").close()
    with pytest.raises(InputError, match="has no leaderboard"):
        sinobench.open(tmp_path / "other.duckdb")


def test_a_database_opens_beside_a_connection_of_ones_own_and_reads_no_other_file(tmp_path):
    (tmp_path / "secret.csv").write_text("secret\n1\n", encoding="utf-8")
    with duckdb.connect(tmp_path / "run.duckdb") as connection:
        connection.execute(f"CREATE VIEW leaderboard AS FROM read_csv('{tmp_path / 'secret.csv'}')")
        connection.execute("CREATE TABLE metric_info AS SELECT 'per' AS metric, 'fraction' AS unit")
    with duckdb.connect(tmp_path / "run.duckdb"):
        run = sinobench.open(tmp_path / "run.duckdb")
        assert len(run.sql("FROM metric_info")) == 1
        with pytest.raises(duckdb.PermissionException):
            run.sql("FROM leaderboard")
