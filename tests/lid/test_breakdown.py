import math
from dataclasses import replace

import numpy as np
import pytest

from sinobench.errors import InputError
from sinobench.lid.breakdown import aligned_scores, det_rows, outcome_columns, recording_rows, scores
from sinobench.lid.command import of_stored
from sinobench.lid.tables import DET, OUTCOMES, RECORDINGS, SCORES, SEGMENTS
from sinobench.lid.trials import trial_parts
from sinobench.merlion import tables as merlion
from sinobench.merlion.tables import Segment
from sinobench.results import arrow, tables
from sinobench.results.stored import Stored
from sinobench.score import metric_rows
from tests.lid.material import figures

KEY = {"corpus": "dev", "model": "m"}


def segment(recording, utt_id, language, duration_ms=900, overlap=False, start_ms=0):
    overlap = None if language is None else overlap
    return Segment(recording, utt_id, start_ms, start_ms + duration_ms, language, overlap)


def trial_rows(corpus, segments):
    """The rows of all parts."""
    held = {name: [getattr(each, name) for each in segments] for name in Segment.__dataclass_fields__}
    [part] = trial_parts(corpus, tables.to_arrow(merlion.SEGMENTS, held))
    return tables.to_arrow(SEGMENTS, part).to_pylist()


def columns(rows):
    return {name: [row[name] for row in rows] for name in rows[0]}


def value_of(rows, **wanted):
    [row] = [row for row in rows if all(row[k] == v for k, v in wanted.items())]
    return row["value"]


@pytest.fixture
def trials():
    """Two recordings of one pair, one without Mandarin, and one without a pair."""
    lengths = [500, 999, 1000, 1999, 2000, 2999, 3000, 4999, 5000, 60_000]
    rows = [segment("TTS_P10040TT_01", f"a{i}", "EM"[i % 2], length) for i, length in enumerate(lengths)]
    rows += [segment("TTS_P10040TT_02", f"a{i}", "E") for i in range(3)]
    rows += [segment("lone", f"a{i}", "EEM"[i]) for i in range(3)]
    names = {"E": "English", "M": "Mandarin"}
    return columns(trial_rows("dev", [replace(row, language=names[row.language]) for row in rows]))


@pytest.fixture
def scored(trials):
    chance = np.random.default_rng(3)
    return (trials, *np.round(chance.standard_normal((2, len(trials["segment_id"]))), 1))


def test_trials_are_the_target_segments_without_overlap():
    rows = trial_rows(
        "dev",
        [
            segment("TTS_P10040TT_x", "a2", "Mandarin", start_ms=1000),
            segment("TTS_P10040TT_x", "a1", "English"),
            segment("TTS_P10040TT_x", "a3", "English", overlap=True),
            segment("TTS_P10040TT_x", "a4", "NON_SPEECH"),
            segment("TTS_P10040TT_x", "a5", "NON_EVALUATED"),
        ],
    )
    assert [row["segment_id"] for row in rows] == ["TTS_P10040TT_x_a2_1000_1900", "TTS_P10040TT_x_a1_0_900"]
    assert [row["language"] for row in rows] == ["Mandarin", "English"] and {row["pair"] for row in rows} == {"P10040"}
    assert tables.to_arrow(SEGMENTS, columns(rows)).to_pylist() == rows


def test_all_segments_of_an_evaluation_set_are_trials():
    rows = trial_rows("dev", [segment("b", "a2", None), segment("a", "a1", None)])
    assert [row["segment_id"] for row in rows] == ["b_a2_0_900", "a_a1_0_900"]
    assert {row["language"] for row in rows} == {row["pair"] for row in rows} == {None}


def test_languages_in_a_part_of_a_corpus_are_refused():
    with pytest.raises(InputError, match=r"1 of 2 segments have no language, the first is 'a2' of 'b'"):
        trial_rows("dev", [segment("a", "a1", "English"), segment("b", "a2", None)])


@pytest.mark.parametrize("rows", [[], [segment("a", "a1", "NON_SPEECH"), segment("a", "a2", "English", overlap=True)]])
def test_a_corpus_without_trials_is_refused(rows):
    with pytest.raises(InputError, match="nothing to score"):
        trial_rows("dev", rows)


def test_scores_are_joined_by_segment(trials):
    n = len(trials["segment_id"])
    order = np.random.default_rng(1).permutation(n)
    ids = [trials["segment_id"][i] for i in order]
    english, mandarin = aligned_scores(
        trials, {"segment_id": ids, "english_score": list(order), "mandarin_score": list(-order)}
    )
    assert english.tolist() == list(range(n)) and (mandarin == -english).all()


def test_segments_of_stored_tables_are_named(scored):
    trials, english, mandarin = scored
    given = {"segment_id": trials["segment_id"], "english_score": english, "mandarin_score": mandarin}
    held = {SEGMENTS: tables.to_arrow(SEGMENTS, trials), SCORES: tables.to_arrow(SCORES, given)}
    held = {table: arrow.encoded(rows, "recording", "pair", "language") for table, rows in held.items()}
    stored = Stored("dev", "m", columns, in_arrow=lambda table, names: held[table].select(names))
    named = of_stored(stored).items.describe(1, False)
    assert named == {"segment": trials["segment_id"][1], "language": trials["language"][1]}
    assert type(named["segment"]) is str


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda ids, scores: (ids[1:], scores[1:]), r"differ in 1 segments: 'TTS_P10040TT_01_a0_0_500' has no score"),
        (lambda ids, scores: ([*ids, "x"], [*scores, 0.0]), r"differ in 1 segments: 'x' is no trial"),
        (lambda ids, scores: ([*ids, ids[0]], [*scores, 0.0]), r"a segment has two rows of scores"),
        (lambda ids, scores: (ids, [None, *scores[1:]]), r"1 segments have no finite score, the first is 'TTS_"),
        (lambda ids, scores: (ids, [math.nan, *scores[1:]]), r"no finite score"),
        (lambda ids, scores: (ids, [*scores[1:], math.inf]), r"no finite score"),
    ],
)
def test_scores_of_other_segments_are_refused(trials, change, message):
    ids, scores = change(trials["segment_id"], [0.5] * len(trials["segment_id"]))
    with pytest.raises(InputError, match=message):
        aligned_scores(trials, {"segment_id": ids, "english_score": scores, "mandarin_score": [0.0] * len(ids)})


def test_an_evaluation_set_is_not_scored():
    trials = columns(trial_rows("dev", [segment("a", "a1", None)]))
    for rows_of in (outcome_columns, recording_rows, det_rows, scores):
        with pytest.raises(InputError, match="have no language"):
            rows_of(trials, np.zeros(1), np.zeros(1))


def test_outcomes_add_up_to_the_accuracy(scored):
    trials, english, mandarin = scored
    rows = tables.to_arrow(OUTCOMES, KEY | outcome_columns(*scored)).to_pylist()
    assert [row["segment_id"] for row in rows] == trials["segment_id"]
    for row, e, m in zip(rows, english, mandarin, strict=True):
        assert row["predicted"] == ("English" if e >= m else "Mandarin") and row["score"] == e - m
        assert row["correct"] == (row["predicted"] == row["language"])
    assert [row["duration_ms"] for row in rows[:3]] == [500, 999, 1000]
    accuracy = value_of(metric_rows(scores(*scored)), subset="all", protocol="strict", metric="accuracy")
    assert sum(row["correct"] for row in rows) / len(rows) == accuracy


def test_recordings(trials):
    n = len(trials["segment_id"])
    english = np.ones(n)
    english[[0, 1, 13]] = -1  # first recording: an English one wrong, a Mandarin one right; lone: an English one wrong
    rows = recording_rows(trials, english, np.zeros(n))
    assert tables.to_arrow(RECORDINGS, columns(rows)).num_rows == 3
    first, second, lone = rows
    assert (first["english_recall"], first["mandarin_recall"], first["accuracy"]) == (0.8, 0.2, 0.5)
    assert first["balanced_accuracy"] == 0.5 and first["pair"] == second["pair"] == "P10040" and lone["pair"] is None
    assert (second["english_recall"], second["mandarin_recall"], second["balanced_accuracy"]) == (1, None, 1)
    assert (second["n_english"], second["n_mandarin"]) == (3, 0)
    assert (lone["english_recall"], lone["mandarin_recall"], lone["balanced_accuracy"]) == (0.5, 0, 0.25)
    metrics = metric_rows(scores(trials, english, np.zeros(n)))
    assert value_of(metrics, metric="balanced_accuracy_recording_mean", subset="all") == pytest.approx(
        (0.5 + 1 + 0.25) / 3
    )
    assert value_of(metrics, metric="recordings_with_one_class", subset="all") == 1
    assert value_of(metrics, subset="recordings=worst-decile") == 0.25


def test_worst_decile_is_a_tenth_of_the_recordings_rounded_up():
    rows = [segment(f"r{i:02}", f"a{j}", "English") for i in range(25) for j in range(2)]
    trials = columns(trial_rows("dev", rows))
    english = np.ones(50)
    english[[8, 22, 23, 40]] = -1  # r04 and r20 half wrong, r11 all wrong
    [worst] = [
        row for row in metric_rows(scores(trials, english, np.zeros(50))) if row["subset"] == "recordings=worst-decile"
    ]
    assert worst["value"] == (0.5 + 0.5 + 0) / 3 and worst["n_items"] == 3


def test_subsets_partition_the_trials(scored):
    trials, english, mandarin = scored
    rows = metric_rows(scores(*scored))
    n = {row["subset"]: row["n_items"] for row in rows if row["metric"] == "accuracy"}
    assert n == {
        "all": 16,
        **{"duration_s=0-1": 8, "duration_s=1-2": 2, "duration_s=2-3": 2, "duration_s=3-5": 2, "duration_s=5+": 2},
        **{"language=English": 10, "language=Mandarin": 6, "pair=P10040": 13},
        **{"recording=TTS_P10040TT_01": 10, "recording=TTS_P10040TT_02": 3, "recording=lone": 3},
    }
    is_english = np.array([language == "English" for language in trials["language"]])
    for subset, chosen in (("all", slice(None)), ("duration_s=1-2", [2, 3]), ("recording=lone", [13, 14, 15])):
        part = (english[chosen], mandarin[chosen], is_english[chosen])
        for protocol, values in figures(*part, np.array(trials["recording"])[chosen]).items():
            for metric in values.keys() - {name for name in values if subset != "all" and name.startswith("floor_")}:
                value = values[metric]
                assert value_of(rows, subset=subset, protocol=protocol, metric=metric) == value


def test_what_needs_both_languages_is_null_in_a_subset_with_one(scored):
    rows = {r["metric"]: r["value"] for r in metric_rows(scores(*scored)) if r["subset"] == "language=Mandarin"}
    undefined = {"eer", "balanced_accuracy", "english_recall", "cllr", "min_cllr"}
    assert {name for name, value in rows.items() if value is None} == undefined
    assert rows["accuracy"] == rows["mandarin_recall"]


def test_metrics_name_the_floor_beside_each_protocol(scored):
    rows = metric_rows(scores(*scored))
    assert value_of(rows, metric="floor_eer", protocol="official") == 6 / 16
    assert value_of(rows, metric="floor_balanced_accuracy", protocol="official") == 0.5
    assert value_of(rows, metric="floor_eer", protocol="strict") == 0.5
    assert value_of(rows, metric="floor_accuracy", protocol="strict") == 10 / 16
    assert {row["subset"] for row in rows if row["metric"].startswith("floor_")} == {"all"}


def test_rows_fit_the_table_and_n_is_what_was_averaged(scored):
    rows = [{"task": "lid"} | KEY | row for row in metric_rows(scores(*scored))]
    assert tables.to_arrow(tables.METRICS, columns(rows)).num_rows == len(rows)
    assert {row["coverage"] for row in rows} == {1}
    assert len({(row["protocol"], row["subset"], row["metric"]) for row in rows}) == len(rows)
    n = {row["metric"]: row["n_items"] for row in rows if row["subset"] == "all" and row["protocol"] == "strict"}
    assert (n["accuracy"], n["eer"], n["balanced_accuracy_recording_mean"]) == (16, 16, 3)
    assert {row["n_items"] for row in rows if row["subset"] == "recordings=worst-decile"} == {1}


def test_scores_with_their_sign_turned_are_marked(scored):
    trials, *_ = scored
    assert {row["warning"] for row in metric_rows(scores(*scored))} == {None}
    ordered = np.array([language == "Mandarin" for language in trials["language"]], float)
    turned = metric_rows(scores(trials, ordered, 0.5 * np.ones(len(ordered))))
    [warning] = {row["warning"] for row in turned if row["subset"] == "all"}
    assert "higher scores go with Mandarin" in warning
    assert {row["warning"] for row in turned if row["subset"] != "all"} == {None}


def test_det_rows_of_both_protocols(scored):
    rows = det_rows(*scored)
    assert tables.to_arrow(DET, columns(rows)).num_rows == len(rows)
    for protocol in ("official", "strict"):
        points = [row for row in rows if row["protocol"] == protocol]
        assert (points[0]["threshold"], points[0]["false_alarm"], points[0]["miss"]) == (None, 0, 1)
        assert (points[-1]["false_alarm"], points[-1]["miss"]) == (1, 0) and points[-1]["threshold"] is not None
        assert points[0]["on_hull"] and points[-1]["on_hull"]


def test_det_of_one_language_has_no_rows():
    trials = columns(trial_rows("dev", [segment("a", "a1", "English"), segment("a", "a2", "English")]))
    rows = det_rows(trials, np.zeros(2), np.ones(2))
    # Officially each segment still has a trial of the other language.
    assert {row["protocol"] for row in rows} == {"official"}
    assert tables.to_arrow(DET, columns(rows)).num_rows == len(rows)
