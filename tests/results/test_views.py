"""The views that spare people a self-join."""

import duckdb
import pytest

from sinobench.results.database import reading


@pytest.fixture
def answered(database_of, tmp_path):
    """answered(rows, question): what a database of these rows answers."""

    def answered(rows, question):
        with duckdb.connect(database_of(rows, tmp_path / "sinobench.duckdb"), read_only=True) as connection:
            return connection.execute(question).fetchall()

    return answered


@pytest.fixture
def finished(finished_run):
    with reading(finished_run / "results/sinobench.duckdb") as connection:
        yield connection


def test_items_that_models_read_differently(answered):
    items = [{"corpus": "dufu", "item_id": i, "text": "好雨", "position": 0} for i in "abc"]
    read = {"a": ("hou2", "hou2"), "b": ("hou2", "hou3"), "c": ("jyu5", None)}
    outcomes = [
        {"corpus": "dufu", "model": model, "item_id": i, "prediction": said, "strict_correct": said == "hou2"}
        for i, both in read.items()
        for model, said in zip(("one", "two"), both, strict=True)
    ]
    rows = {"g2p_items": items, "g2p_outcomes": outcomes}
    asked = "SELECT item_id, n_models, n_right, right_models, wrong_models FROM g2p_disagreements"
    assert answered(rows, asked) == [
        ("b", 2, 1, ["one"], ["two: hou3"]),
        ("c", 2, 0, [], ["one: jyu5", "two: -"]),
    ]


def test_texts_that_models_correct_differently(answered):
    made = {"a": ("他很好", "他很好"), "b": ("他很号", "他很好"), "c": (None, "他很号")}
    outcomes = [
        {"corpus": "law", "model": model, "item_id": i, "input": "他很号", "gold": "他很好", "prediction": said}
        | {"covered": said is not None}
        for i, both in made.items()
        for model, said in zip(("one", "two"), both, strict=True)
    ]
    asked = "SELECT item_id, n_right, right_models, wrong_models FROM csc_disagreements"
    assert answered({"csc_outcomes": outcomes}, asked) == [
        ("b", 1, ["two"], ["one: 他很号"]),
        ("c", 0, [], ["one: -", "two: 他很号"]),
    ]


def test_segments_that_models_tell_differently_and_errors_with_their_place(answered):
    place = {"corpus": "dev", "recording": "r"}
    segments = [place | {"segment_id": i, "start_ms": 100, "end_ms": 900, "language": "English"} for i in "ab"]
    outcomes = [
        place | {"model": model, "segment_id": i, "language": "English", "correct": right}
        for i, both in {"a": (True, True), "b": (True, False)}.items()
        for model, right in zip(("one", "two"), both, strict=True)
    ]
    rows = {"lid_segments": segments, "lid_outcomes": outcomes}
    asked = "SELECT segment_id, start_ms, end_ms, right_models, wrong_models FROM lid_disagreements"
    assert answered(rows, asked) == [("b", 100, 900, ["one"], ["two"])]
    recordings = [place | {"path": "folder/r.wav"}]
    asked = "SELECT segment_id, start_ms, end_ms, path FROM lid_errors"
    assert answered(rows | {"merlion_recordings": recordings}, asked) == [("b", 100, 900, "folder/r.wav")]


def test_over_corrections_by_character(answered):
    texts = [("a", "我的书", 0), ("b", "的确的", 1)]
    items = [{"corpus": "law", "item_id": i, "input": text} for i, text, _ in texts]
    outcomes = [
        {"corpus": "law", "model": "one", "item_id": i, "input": text, "n_gold_edits": n} for i, text, n in texts
    ]
    altered = {"outcome": "over-correction", "source": "的", "prediction": "地"}
    edits = [{"corpus": "law", "model": "one", "item_id": i, "position": n} | altered for i, n in (("a", 1), ("b", 2))]
    rows = {"csc_items": items, "csc_outcomes": outcomes, "csc_edits": edits}
    assert answered(rows, "FROM csc_over_correction_rates") == [("law", "one", 5, 2, 0.4)]
    assert answered(rows, "FROM csc_over_corrections") == [("law", "one", "的", "地", 2, 2, 3)]


@pytest.fixture
def diarized():
    """English 0–1000, Mandarin 1000–3000 with English over it 2000–2500; 2900–3000 is not scored. Said: Mandarin
    800–2200, English 3200–3300."""
    key = {"corpus": "dev", "recording": "r"}

    def turns(*rows, **more):
        return [key | more | dict(zip(("start_ms", "end_ms", "language"), row, strict=True)) for row in rows]

    return {
        "ld_recordings": [
            key | {"model": "one", "reference_ms": 3400, "miss_ms": 1700, "false_alarm_ms": 100, "confusion_ms": 200}
        ],
        "ld_turns": turns((0, 1000, "English"), (1000, 3000, "Mandarin"), (2000, 2500, "English")),
        "ld_predictions": turns((800, 2200, "Mandarin"), (3200, 3300, "English"), model="one"),
        "merlion_regions": [
            key | {"protocol": "strict", "start_ms": start, "end_ms": end} for start, end in ((0, 2900), (3000, 4000))
        ],
    }


def test_errors_of_diarization_as_stretches(answered, diarized):
    asked = "SELECT start_ms, end_ms, error, reference, predicted, error_ms FROM ld_error_stretches"
    assert answered(diarized, asked) == [
        (0, 800, "miss", "English", None, 800),
        (800, 1000, "confusion", "English", "Mandarin", 200),
        (2000, 2200, "miss", "both", "Mandarin", 200),
        (2200, 2500, "miss", "both", None, 600),
        (2500, 2900, "miss", "Mandarin", None, 400),
        (3200, 3300, "false alarm", None, "English", 100),
    ]


def test_errors_near_a_switch(answered, diarized):
    assert answered(diarized, "SELECT at_ms, from_language, to_language FROM ld_switch_points") == [
        (1000, "English", "Mandarin")
    ]
    near = answered(diarized, "SELECT within_s, miss_ms, confusion_ms, reference_ms, lder FROM ld_near_switches")
    # 500 to 1500: 300 missed and 200 confused.
    assert near[0] == (0.5, 300, 200, 1000, 0.5)
    assert [row[0] for row in near] == [0.5, 1.0, 2.0]


def test_stretches_and_switches_of_a_run_sum_to_what_its_scores_count(finished):
    differing = finished.execute(
        """WITH summed AS (
            SELECT corpus, model, recording, coalesce(sum(error_ms) FILTER (error = 'miss'), 0) AS miss_ms,
                coalesce(sum(error_ms) FILTER (error = 'false alarm'), 0) AS false_alarm_ms,
                coalesce(sum(error_ms) FILTER (error = 'confusion'), 0) AS confusion_ms,
                sum(reference_ms) AS reference_ms, sum(end_ms - start_ms) AS scored_ms
            FROM ld_stretches GROUP BY ALL)
        SELECT a.recording FROM ld_recordings AS a LEFT JOIN summed AS b USING (corpus, model, recording)
        WHERE (a.miss_ms, a.false_alarm_ms, a.confusion_ms, a.reference_ms, a.scored_ms)
            IS DISTINCT FROM (b.miss_ms, b.false_alarm_ms, b.confusion_ms, b.reference_ms, b.scored_ms)"""
    ).fetchall()
    assert differing == []
    assert finished.execute("SELECT count(*) FROM ld_error_stretches").fetchone() > (0,)
    switches = finished.execute(
        """SELECT recording FROM (SELECT DISTINCT corpus, recording, n_reference FROM ld_switches)
        LEFT JOIN (SELECT corpus, recording, count(*) AS n FROM ld_switch_points GROUP BY ALL) USING (corpus, recording)
        WHERE n_reference != coalesce(n, 0)"""
    ).fetchall()
    assert switches == []


def test_run_time_is_a_row_a_corpus_and_model(answered):
    key = {"task": "ld", "corpus": "dev", "model": "one", "status": "done"}
    shards = [key | {"n_texts": 1, "predict_s": 2.0, "audio_s": 10.0, "peak_memory_mb": peak} for peak in (90, 80)]
    asked = "SELECT n_texts, predict_s, audio_s, times_real_time, peak_memory_mb FROM runtime"
    assert answered({"runs": shards}, asked) == [(2, 4.0, 20.0, 5.0, 90.0)]


def test_speed_is_over_the_repetitions_of_the_model_that_the_run_has(answered):
    key = {"task": "lid", "corpus": "dev", "threads": 1, "host": "here"}
    took = (2.0, 5.0, 1.0)
    speeds = [
        key | {"model": model, "repeat": i, "n_items": 10, "audio_s": 20.0, "predict_s": s, "sha256": "measured"}
        for model in ("kept", "edited")
        for i, s in enumerate(took, 1)
    ]
    identities = [
        {"task": "lid", "corpus": "dev", "model": model, "sha256": content}
        for model, content in (("kept", "measured"), ("edited", "new"))
    ]
    asked = "SELECT * EXCLUDE (task, corpus, threads, host) FROM speed"
    expected = ("kept", 3, 10, 5.0, 2.0, 10.0, 10.0, 4.0, 20.0)
    # Diarization names the same model once a shard.
    for shards in (1, 2):
        assert answered({"speeds": speeds, "identities": identities * shards}, asked) == [expected]


def test_training_is_a_row_a_model(answered):
    sets = [
        {"task": "lid", "model": "gmm", "corpus": corpus, "n_pairs": n, "hours": hours}
        for corpus, n, hours in (("b", 2, 0.5), ("a", 3, 1.0))
    ]
    fits = [{"task": "lid", "model": "gmm", "fit_s": 9.0}, {"task": "ld", "model": "window+gmm", "fit_s": 4.0}]
    asked = "SELECT task, model, corpora, n_pairs, hours, fit_s FROM training"
    assert answered({"training_sets": sets, "fits": fits}, asked) == [
        ("ld", "window+gmm", None, None, None, 4.0),
        ("lid", "gmm", ["a", "b"], 5, 1.5, 9.0),
    ]
