"""Models of one corpus against each other: families, ties, what could have been seen, and where there is nothing."""

import numpy as np
import pytest

from sinobench.csc.board import BOARD as CSC
from sinobench.csc.breakdown import compare_outputs
from sinobench.csc.gathered import scores as csc_scores
from sinobench.errors import InputError
from sinobench.lid import breakdown as lid
from sinobench.lid.board import BOARD as LID
from sinobench.results.boards import Board, Measure
from sinobench.results.statistics.contest import Contest
from sinobench.results.statistics.resampling import Settings
from sinobench.results.tables import COMPARISONS, DETECTABLE_DIFFERENCES, RANKS
from tests.results.statistics.material import score, shares

SETTINGS = Settings(resamples=2000)
BOARD = Board("csc", "Shares", "share", "units", 100, (Measure("share"),), subsets="ignoring=%")


def rows_of(scores, settings=SETTINGS, board=BOARD, corpus="c"):
    """scores: by model its rows, or its scores."""
    contest = Contest(board, corpus)
    for model, held in scores.items():
        contest.add(model, held if isinstance(held, list) else [score(held)])
    return contest.rows(settings)


def models(n=150):
    """Two that hardly differ, one that is worse, on units of the same size."""
    rows = shares(n, 3)
    random = np.random.default_rng(9)
    same = np.clip(rows[:, 0] + random.integers(-1, 2, n), 0, rows[:, 1])
    return {
        "good": rows,
        "alike": np.column_stack([same, rows[:, 1]]),
        "worse": np.column_stack([rows[:, 0] // 2, rows[:, 1]]),
    }


def test_rows_fit_their_tables():
    for table, rows in zip((COMPARISONS, RANKS, DETECTABLE_DIFFERENCES), rows_of(models()), strict=True):
        assert rows and all(set(row) == set(table.columns) for row in rows), table.name


def test_a_difference_that_is_not_significant_is_no_rank():
    compared, ranked, _ = rows_of(models())
    assert [(row["model"], row["other"]) for row in compared] == [
        ("alike", "good"),
        ("alike", "worse"),
        ("good", "worse"),
    ]
    assert [row["p_holm"] <= 0.05 for row in compared] == [False, True, True]
    by_p = sorted(compared, key=lambda row: row["p"])
    assert by_p[0]["p_holm"] == pytest.approx(3 * by_p[0]["p"])
    found = {row["model"]: (row["rank"], row["letters"], row["tied_with"]) for row in ranked}
    assert found == {"good": (1, "a", "alike"), "alike": (1, "a", "good"), "worse": (3, "b", None)}


def test_lower_is_better_where_the_board_says_so():
    board = Board("csc", "Shares", "share", "units", 100, (Measure("share", better="lower"),))
    _, ranked, _ = rows_of(models(), board=board)
    assert {row["model"]: row["rank"] for row in ranked} == {"good": 2, "alike": 2, "worse": 1}


def test_what_the_board_does_not_compare_is_left_out():
    rows = models()
    remark = Board("csc", "Shares", "share", "units", 100, (Measure("share", better=None),))
    assert rows_of(rows, board=remark) == ([], [], [])
    scores = {
        model: [score(held, subset=subset) for subset in ("all", "ignoring=的", "error_type=x")]
        for model, held in rows.items()
    }
    compared, ranked, shown = rows_of(scores)
    for found in (compared, ranked, shown):
        assert {row["subset"] for row in found} == {"all", "ignoring=的"}


def test_the_order_of_models_and_further_models_change_no_figure_of_a_pair():
    held = models()
    compared, ranked, _ = rows_of(held)
    again = rows_of(dict(reversed(held.items())))
    assert again[0] == compared and again[1] == ranked
    [pair] = rows_of({name: held[name] for name in ("worse", "good")})[0]
    [same] = [row for row in compared if (row["model"], row["other"]) == ("good", "worse")]
    assert {**pair, "p_holm": None} == {**same, "p_holm": None}


def test_one_model_alone_has_the_first_rank_and_none_has_nothing():
    compared, ranked, [shown] = rows_of({"only": models()["good"]})
    assert compared == []
    assert [(row["model"], row["rank"], row["letters"], row["tied_with"]) for row in ranked] == [("only", 1, "a", None)]
    assert (shown["n_pairs"], shown["paired"]) == (0, None) and 0 < shown["unpaired"] < 1
    assert rows_of({}) == ([], [], [])


def test_a_model_without_a_value_has_no_rank_and_stays_out_of_the_family():
    held = models() | {"nothing": np.zeros((150, 2), int)}
    compared, ranked, _ = rows_of(held)
    undefined = [row for row in compared if "nothing" in (row["model"], row["other"])]
    assert len(undefined) == 3
    for row in undefined:
        assert (row["difference"], row["p"], row["p_holm"], row["ci_low"]) == (None,) * 4
        assert row["interval"] == "none: the metric has no value"
    assert {row["model"]: row["rank"] for row in ranked} == {"good": 1, "alike": 1, "worse": 3}
    with_all = {(row["model"], row["other"]): row["p_holm"] for row in compared if row["p"] is not None}
    without = {(row["model"], row["other"]): row["p_holm"] for row in rows_of(models())[0]}
    assert with_all == without


def test_one_unit_decides_nothing():
    compared, ranked, [shown] = rows_of({"a": [score([[1, 4]])], "b": [score([[3, 4]])]})
    [row] = compared
    assert (row["difference"], row["p"], row["interval"]) == (-0.5, 1, "none: fewer than two units")
    assert [row["rank"] for row in ranked] == [1, 1]
    assert (shown["n_units"], shown["paired"], shown["unpaired"]) == (1, None, None)


def test_models_that_differ_alike_on_every_unit_have_a_test_and_no_interval():
    whole = np.full((30, 2), 4)
    [row] = rows_of({"a": whole, "b": whole - [1, 0]})[0]
    assert (row["difference"], row["interval"], row["detectable"]) == (0.25, "none: every unit differs alike", None)
    assert row["p"] < 0.01


def test_what_independent_systems_would_need_is_what_two_samples_show():
    _, _, [shown] = rows_of({"a": shares(400, 1, size=1), "b": shares(400, 2, size=1)})
    p = shares(400, 1, size=1)[:, 0].mean()
    assert shown["unpaired"] == pytest.approx(2.8016 * np.sqrt(2 * p * (1 - p) / 400), rel=0.05)


def test_models_on_other_items_are_refused_with_the_first():
    rows = models()["good"]
    names = [f"u{i:05}" for i in range(len(rows))]
    with pytest.raises(InputError, match="only one of the two models is scored on 'u00007'"):
        rows_of({"a": [score(rows, units=names)], "b": [score(rows, units=[*names[:7], "x", *names[8:]])]})


def csc_rows(outputs):
    """Of two wrong sentences alone, by model its outputs."""
    texts = (list("ab"), ["天汽很好", "他走地快"], [["天气很好"], ["他走得快"]])
    return rows_of({model: csc_scores(compare_outputs(*texts, given)) for model, given in outputs.items()}, board=CSC)


def of(rows, metric, protocol="strict"):
    return [row for row in rows if (row["metric"], row["protocol"]) == (metric, protocol)]


def test_no_sentence_is_correct():
    compared, ranked, shown = csc_rows({"right": ["天气很好", "他走得快"], "same": ["天汽很好", "他走地快"]})
    [row] = of(compared, "sentence_fpr")
    assert (row["difference"], row["p"], row["p_holm"]) == (None, None, None)
    assert of(ranked, "sentence_fpr") == []
    [row] = of(shown, "sentence_fpr")
    assert (row["n_units"], row["paired"], row["unpaired"]) == (0, None, None)
    assert [(row["model"], row["rank"]) for row in of(ranked, "correction_recall")] == [("right", 1), ("same", 1)]


def test_a_model_without_any_prediction_is_compared_as_what_it_is():
    """Under strict its sentences count as unchanged; official has no figure for it and so no test."""
    compared, ranked, _ = csc_rows(
        {"none": [None, None], "right": ["天气很好", "他走得快"], "long": ["天气很好。", "他"]}
    )
    recalls = {(row["model"], row["other"]): row["difference"] for row in of(compared, "correction_recall")}
    assert recalls[("none", "right")] == -1
    assert {row["p"] for row in of(compared, "correction_recall", "official") if "long" in row.values()} == {None}
    assert "long" not in {row["model"] for row in of(ranked, "correction_recall", "official")}


def test_segments_of_one_language():
    random = np.random.default_rng(1)
    recordings = [f"r{i % 9}" for i in range(90)]
    scores = {}
    for model in "ab":
        segments = np.column_stack([random.normal(1, 1, 90), np.zeros(90), np.ones(90)])
        scores[model] = list(lid.whole_scores(segments, recordings))
    compared, ranked, _ = rows_of(scores, board=LID)
    [row] = of(compared, "eer")
    assert (row["difference"], row["p"], row["interval"]) == (None, None, "none: the metric has no value")
    assert of(ranked, "eer") == []
    [row] = of(compared, "accuracy")
    assert row["p"] is not None and len(of(ranked, "accuracy")) == 2
