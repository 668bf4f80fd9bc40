import math

import numpy as np
import pytest
from hypothesis import given, settings

from sinobench.errors import InputError
from sinobench.ld.breakdown import (
    COLLARS_MS,
    collar_rows,
    compare_corpus,
    compare_turns,
    prediction_states,
    recording_columns,
    scores,
    switch_columns,
)
from sinobench.ld.metrics import official_counts, pooled, strict_counts
from sinobench.ld.tables import RECORDINGS, SWITCHES, TURNS, Turn
from sinobench.ld.turns import target_turns, turn_table
from sinobench.merlion.tables import Recording, Region
from sinobench.results import tables
from sinobench.score import metric_rows
from tests.ld.material import region_lists, spans, table, turn_lists

KEY = {"corpus": "c", "model": "m"}


def compared_of(reference, predictions, recordings, length_ms=1000):
    """The comparison of {recording: [(start_ms, end_ms, language)]}, regions being whole recordings."""
    sides = []
    for side in (reference, predictions):
        rows = [(name, *turn) for name, turns in side.items() for turn in turns]
        columns = [[row[i] for row in rows] for i in range(4)]
        sides.append(turn_table(recordings, *columns))
    regions = spans([(place, 0, length_ms) for place in range(len(recordings))])
    return compare_turns(*sides, regions, regions)


def value(rows, **wanted):
    (row,) = [row for row in rows if all(row[name] == text for name, text in wanted.items())]
    return row["value"]


def test_some_recordings_at_a_time_are_counted_as_all_at_once(monkeypatch):
    random = np.random.default_rng(7)
    names = [f"X_P{10_000 + number}_a" for number in range(7)]
    sides = []
    for n_recordings in (7, 5):
        recording, start = random.integers(0, n_recordings, 200), random.integers(0, 9000, 200)
        languages = random.choice(["English", "Mandarin"], 200)
        sides.append(turn_table(names, [names[i] for i in recording], start, start + 700, languages))
    regions = spans([(place, 500, 8000 + 100 * place) for place in (6, 0, 3, 1, 2, 4, 5)])
    found = []
    for n_recordings in (100, 3, 1):
        monkeypatch.setattr("sinobench.ld.breakdown._RECORDINGS_AT_ONCE", n_recordings)
        compared = compare_turns(*sides, regions, regions)
        columns = recording_columns(compared) | {f"switches {k}": v for k, v in vars(compared.switches).items()}
        found.append([list(values) for values in columns.values()] + [str(collar_rows(compared))])
    assert found[0] == found[1] == found[2]


@settings(deadline=None)  # the first example imports pyarrow
@given(turn_lists, turn_lists, region_lists())
def test_tables_add_up_to_the_metrics(reference, predictions, regions):
    truth, found, evaluated = table(reference), table(predictions), spans(regions)
    compared = compare_turns(truth, found, evaluated, evaluated)
    rows = metric_rows(scores(compared))
    official, strict = (pooled(count(truth, found, evaluated)) for count in (official_counts, strict_counts))
    columns = recording_columns(compared)
    assert {name: int(columns[name].sum()) for name in strict} == strict
    assert {name: int(columns[f"official_{name}"].sum()) for name in official} == official
    errors = strict["miss_ms"] + strict["false_alarm_ms"] + strict["confusion_ms"]
    lder = value(rows, protocol="strict", subset="all", metric="lder")
    assert lder == (errors / strict["reference_ms"] if strict["reference_ms"] else None)
    if lder is not None:
        parts = [value(rows, subset="all", metric=f"{part}_rate") for part in ("miss", "false_alarm", "confusion")]
        assert sum(parts) == pytest.approx(lder)
        worst = value(rows, subset="recordings=worst-decile", metric="lder")
        assert worst == max(each for each in columns["lder"] if each is not None)  # one of three recordings
    first, *_ = collar_rows(compared)
    assert first["collar_ms"] == 0 and first["lder"] == lder
    for name, kind in ((RECORDINGS, columns), (SWITCHES, switch_columns(compared))):
        assert tables.to_arrow(name, KEY | kind).num_rows == 3


def test_collars_take_time_away_and_errors_at_bounds():
    turns = {"a": [(1000, 5000, "English"), (5000, 9000, "Mandarin")]}
    moved = {"a": [(900, 5200, "English"), (5200, 9100, "Mandarin")]}
    rows = collar_rows(compared_of(turns, moved, ["a"], 20_000))
    assert [row["collar_ms"] for row in rows] == list(COLLARS_MS)
    assert [row["scored_ms"] for row in rows] == [20_000 - 6 * collar for collar in COLLARS_MS]
    assert [row["confusion_ms"] for row in rows] == [200, 100, 0, 0]
    assert [row["false_alarm_ms"] for row in rows] == [200, 0, 0, 0]
    assert rows[0]["lder"] == 400 / 8000 and rows[-1]["lder"] == 0


def test_worst_decile_and_pairs():
    names = [f"TTS_P{10000 + number // 2}TT_{number}" for number in range(22)] + ["other"]
    turns = {name: [(0, 1000, "English")] for name in names[:-1]}
    # The error of a recording grows with its number; the last one has no speech and so no rate.
    found = {name: [(0, 1000 - 10 * number, "English")] for number, name in enumerate(names[:-1])}
    rows = metric_rows(scores(compared_of(turns, found, names)))
    assert value(rows, subset="recordings=worst-decile") == pytest.approx((0.21 + 0.20 + 0.19) / 3)
    (worst,) = [row for row in rows if row["subset"] == "recordings=worst-decile"]
    assert worst["n_items"] == math.ceil(22 / 10)
    pairs = [row for row in rows if row["subset"].startswith("pair=")]
    assert [row["subset"] for row in pairs] == [f"pair=P{10000 + number}" for number in range(11)]
    assert {row["n_items"] for row in pairs} == {2} and pairs[3]["value"] == pytest.approx(0.065)
    assert recording_columns(compared_of(turns, found, names))["pair"][-2:] == ["P10010", None]


def test_coverage_is_the_share_of_recordings_with_a_prediction():
    turns = {name: [(0, 100, "English")] for name in "abcd"}
    compared = compared_of(turns, {"a": turns["a"], "b": [(0, 9, "NON_SPEECH")]}, list("abcd"))
    assert compared.prediction == ["given", "empty", "empty", "empty"]
    rows = metric_rows(scores(compared))
    assert {row["coverage"] for row in rows if row["subset"] == "all"} == {0.25}
    assert {row["n_items"] for row in rows if row["subset"] == "all"} == {4}
    assert value(rows, protocol="official", metric="lder") == 303 / 404  # English holds its last millisecond


def test_missing_is_not_empty():
    predictions = turn_table(["b", "c"], ["b"], [1], [2], ["English"])
    assert prediction_states(["a", "b", "c"], predictions) == ["missing", "given", "empty"]
    assert prediction_states([], turn_table([], [], [], [], [])) == []


def test_switch_rows():
    turns = {"a": [(0, 100, "English"), (100, 200, "Mandarin"), (200, 300, "English")], "b": []}
    found = {"a": [(0, 300, "English")], "b": [(0, 100, "English"), (100, 200, "Mandarin")]}
    compared = compared_of(turns, found, ["a", "b"])
    columns = switch_columns(compared)
    assert columns["tolerance_ms"] == 500
    assert [columns[f"n_{name}"].tolist() for name in ("reference", "predicted", "matched")] == [[2, 0], [0, 1], [0, 0]]
    rows = metric_rows(scores(compared))
    rates = {row["metric"]: row["value"] for row in rows if row["subset"] == "tolerance_ms=500"}
    assert rates == {"switch_precision": 0, "switch_recall": 0, "switch_f1": 0}


def test_predictions_of_another_recording_are_refused():
    reference, predictions = (turn_table([name], [], [], [], []) for name in "ab")
    with pytest.raises(InputError, match="has 'b', which the reference does not have"):
        compare_turns(reference, predictions, np.array([[0, 0, 9]]), np.array([[0, 0, 9]]))


def recording(name, form):
    return Recording(name, "P10001", form, f"{name}.wav", 32_000, 32_000, 1000)


def turn_columns(*turns):
    return tables.to_arrow(TURNS, {name: [getattr(turn, name) for turn in turns] for name in vars(Turn("", 0, 0, ""))})


def test_from_segments_to_scores():
    """Two labelled recordings, and one with timestamps only, which is not scored."""
    first, second, third = "TTS_P10001TT_a", "TTS_P10002TT_b", "TTS_P10003TT_t"
    turns = target_turns(
        turn_columns(
            Turn(second, 0, 500, "Mandarin"),
            Turn(first, 300, 900, "English"),
            Turn(first, 0, 300, "English"),
            Turn(first, 100, 300, "NON_SPEECH"),
            Turn(second, 400, 600, "NON_EVALUATED"),
            Turn(third, 0, 100, None),
        )
    )
    assert [(turn["recording"][-1], turn["start_ms"], turn["language"]) for turn in turns.to_pylist()] == [
        ("a", 0, "English"),
        ("a", 300, "English"),
        ("b", 0, "Mandarin"),
    ]
    compared = compare_corpus(
        "c",
        [recording(first, "released"), recording(second, "raw"), recording(third, "timestamps")],
        turns,
        {
            protocol: [Region(name, 0, end_ms) for name in (first, second, third)]
            for protocol, end_ms in (("official", 1000), ("strict", 400))
        },
        turn_columns(Turn(first, 0, 400, "English"), Turn(third, 0, 400, "English")),
    )
    columns = tables.to_arrow(RECORDINGS, KEY | recording_columns(compared)).to_pydict()
    assert columns["pair"] == ["P10001", "P10002"]
    assert columns["prediction"] == ["given", "empty"] and columns["lder"] == [0, 1]
    assert (columns["scored_ms"][0], columns["reference_ms"][0]) == (400, 400)
    assert (columns["official_english_time_ms"][0], columns["official_english_error_ms"][0]) == (901, 500)
    assert columns["official_mandarin_error_ms"][1] == columns["official_mandarin_time_ms"][1] == 499
    metrics = metric_rows(scores(compared), task="ld", **KEY)
    assert value(metrics, protocol="strict", subset="all", metric="lder") == 0.5
    assert value(metrics, protocol="official", subset="all", metric="lder") == 999 / 1400
    assert len(collar_rows(compared)) == 4
    assert tables.to_arrow(SWITCHES, KEY | switch_columns(compared)).num_rows == 2


@pytest.mark.parametrize(
    ("recordings", "message"),
    [
        ([recording("a", "audio")], "corpus 'c' has no labelled recording"),
        ([recording("a", "released"), recording("b", "released")], "'b' of 'c' has no evaluated region"),
    ],
)
def test_what_has_nothing_to_score_is_refused(recordings, message):
    with pytest.raises(InputError, match=message):
        none = turn_columns()
        compare_corpus("c", recordings, none, {"official": [Region("a", 0, 9)], "strict": []}, none)
