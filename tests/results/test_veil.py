"""A database has figures alone of corpora of which everything is confidential, and never held more."""

import duckdb
import pytest

from sinobench.errors import InputError
from sinobench.ld.tables import PREDICTIONS
from sinobench.results import database, tables, verification
from sinobench.results.items import statement
from sinobench.results.reading import rows_of
from sinobench.results.stored import require_items

SECRET = "AnnaTan王小明"


def rows(corpus):
    """Two recordings of a pair, the names of both secret, as every table that names them holds them."""
    found = {}
    for name in (f"{SECRET}2", f"{SECRET}1"):
        key = {"corpus": corpus, "recording": name}
        segment = key | {"segment_id": f"{name}_a1_765432_765999"}
        span = {"start_ms": 765_432, "end_ms": 765_999}
        metric = {"task": "lid", "corpus": corpus, "model": "m", "protocol": "strict", "metric": "eer", "value": 0.25}
        for table, row in {
            "merlion_recordings": key | {"pair": SECRET, "path": f"{SECRET}.wav", "duration_ms": 9000},
            "merlion_grains": key | span | {"speaker": SECRET, "utterance": SECRET},
            "merlion_segments": key | span | {"utt_id": SECRET},
            "merlion_redactions": key | span | {"label": "BABYNAME"},
            "merlion_regions": key | span | {"protocol": "strict"},
            "merlion_masked": key | {"original": f"{SECRET}.wav", "n_redactions": 1},
            "lid_segments": segment | span | {"pair": SECRET, "language": "English"},
            "lid_scores": {"corpus": corpus, "model": "m", "segment_id": segment["segment_id"], "english_score": 0.5},
            "lid_outcomes": segment | {"model": "m", "pair": SECRET, "correct": True, "duration_ms": 567},
            "ld_turns": key | span | {"language": "English"},
            "ld_recordings": key | {"model": "m", "pair": SECRET, "miss_ms": 5, "lder": 0.5},
            "metrics": metric | {"subset": f"recording={name}"},
            "set_aside": {
                "task": "merlion",
                "corpus": corpus,
                "file": f"{SECRET}.wav",
                "text": SECRET,
                "detail": SECRET,
            },
        }.items():
            found.setdefault(table, []).append(row)
    failed = {"task": "ld", "corpus": corpus, "model": "broken", "status": "failed", "log": "results/logs/x.log"}
    found["runs"] = [failed | {"reason": f"ValueError: {SECRET}1.wav has no speech from 765432 ms on"}]
    found["metrics"].append(metric | {"subset": f"pair={SECRET}"})
    found["metrics"].append(metric | {"subset": "all"})
    return found


@pytest.fixture(params=["everything", "speech"])
def built(request, tmp_path):
    """The level, and a connection to a database with the corpora ``mine``, of that level, and ``open``."""
    tables.write(
        PREDICTIONS,
        {"corpus": "mine", "model": "m", "recording": f"{SECRET}1", "start_ms": [765_432], "end_ms": [765_999]},
        tmp_path / "predictions",
    )
    made = {table: each + rows("open")[table] for table, each in rows("mine").items()}
    made["corpora"] = [
        {"task": "merlion", "corpus": "mine", "confidential": request.param},
        {"task": "merlion", "corpus": "open", "confidential": "nothing"},
    ]
    database.build({"ld_predictions": [tmp_path / "predictions"]}, made, tmp_path / "sinobench.duckdb")
    assert {path.name for path in tmp_path.iterdir()} == {"predictions", "sinobench.duckdb"}
    with duckdb.connect(tmp_path / "sinobench.duckdb", read_only=True) as connection:
        yield request.param, connection


def of_mine(connection):
    """All values of the corpus in all tables and views, as text."""
    tables = "SELECT table_name FROM duckdb_columns() WHERE column_name = 'corpus' AND NOT internal"
    for (table,) in connection.execute(tables).fetchall():
        for row in connection.execute(f"FROM {table} WHERE corpus = 'mine'").fetchall():
            yield from ((table, str(value)) for value in row)


def test_names_and_times_are_not_there(built):
    level, connection = built
    values = list(of_mine(connection))
    found = {table for table, value in values if SECRET in value or "765" in value}
    assert values and bool(found) == (level == "speech")


def test_figures_are_and_tell_recordings_apart(built):
    level, connection = built
    names = {"everything": ["recording-1", "recording-2"], "speech": [f"{SECRET}1", f"{SECRET}2"]}[level]
    for query in (
        "SELECT recording FROM merlion_recordings WHERE corpus = 'mine' ORDER BY 1",
        "SELECT recording FROM ld_recordings WHERE corpus = 'mine' AND lder = 0.5 ORDER BY 1",
        "SELECT substr(subset, 11) FROM metrics WHERE corpus = 'mine' AND subset LIKE 'recording=%' ORDER BY 1",
    ):
        assert [name for (name,) in connection.execute(query).fetchall()] == names
    joined = "SELECT count(*) FROM lid_outcomes JOIN lid_scores USING (corpus, model, segment_id)"
    assert connection.execute(f"{joined} WHERE corpus = 'mine'").fetchone() == (2,)
    pairs = "SELECT subset FROM metrics WHERE corpus = 'mine' AND subset LIKE 'pair=%' OR subset = 'all' ORDER BY ALL"
    assert ("pair=pair-1",) in connection.execute(pairs).fetchall() or level == "speech"


def test_items_are_listed_without_their_times(built):
    level, connection = built
    found = rows_of(connection, *statement("lid", False, "m", "mine"))
    assert len(found) == 2 and {row["start_ms"] for row in found} == ({None} if level == "everything" else {765_432})


def test_another_corpus_is_whole(built):
    connection = built[1]
    for table, expected in rows("open").items():
        names = ", ".join(expected[0])
        held = connection.execute(f"SELECT {names} FROM {table} WHERE corpus = 'open'").fetchall()
        given = [tuple(row[name] for name in expected[0]) for row in expected]
        assert held == given, table


def test_what_can_no_longer_be_scored_says_so(built):
    level, connection = built
    if level == "speech":
        require_items("mine", connection)
        return
    with pytest.raises(InputError, match="confidential: speech"):
        require_items("mine", connection)
    [mine] = [each for each in verification.verify_all(connection) if each.corpus == "mine"]
    assert "confidential: speech" in mine.hidden and not mine.differences and not mine.figures
