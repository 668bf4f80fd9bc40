import numpy as np
import pytest

from sinobench.csc.breakdown import (
    choose_golds,
    compare_outputs,
    edit_columns,
    outcome_columns,
)
from sinobench.csc.characters import ERROR_TYPES, SEED_TYPE, error_type
from sinobench.csc.gathered import official_score, scores, strict_score
from sinobench.csc.metrics import COUNTS, compare, count, strict_metrics
from sinobench.csc.pairs import read_pairs
from sinobench.csc.predictions import from_file
from sinobench.results.statistics.comparison import differences
from sinobench.results.statistics.intervals import intervals
from sinobench.results.statistics.resampling import Settings
from sinobench.score import metric_rows, plain
from tests.csc.test_metrics import counts_of


def rows_of(inputs, golds, predictions, ignored="", official_start=0):
    item_ids = [str(row) for row in range(len(inputs))]
    return metric_rows(scores(compare_outputs(item_ids, inputs, golds, predictions, official_start), ignored))


def found(rows, **wanted):
    return {row["metric"]: row["value"] for row in rows if all(row[k] == v for k, v in wanted.items())}


@pytest.mark.parametrize(
    ("golds", "prediction", "expected"),
    [
        (["大天", "天夫"], "天夫", "天夫"),
        (["大天", "天夫"], "大天", "大天"),
        (["大天", "天夫"], "天天", "大天"),  # a tie: the first
        (["大夫", "大天"], "大天", "大天"),  # as many corrections, fewer edits apart
        (["天天", "大天"], "大夫", "大天"),  # a correction goes before fewer edits
        (["大天", "天天"], "天天", "天天"),  # left alone, as one reference does
        (["大天"], "夫夫", "大天"),
    ],
)
def test_best_met_reference_is_chosen(golds, prediction, expected):
    assert choose_golds(["天天"], [golds], [prediction]) == [expected]


def test_corrections_go_before_edits_apart():
    assert choose_golds(["天天天天"], [["大天天天", "大大夫夫"]], ["大大天天"]) == ["大大夫夫"]


def test_official_takes_the_last_reference():
    rows = rows_of(["天天"], [["天夫", "大天"]], ["天夫"])
    assert found(rows, protocol="strict", subset="all")["correction_f1"] == 1
    assert found(rows, protocol="official", subset="all")["correction_precision"] == 0
    columns = outcome_columns(compare_outputs(["a"], ["天天"], [["天夫", "大天"]], ["天夫"]))
    assert columns["gold"] == ["天夫"]
    assert columns["official_note"] == ["several references: official takes the last"]


def test_official_takes_last_gold_and_first_prediction_of_a_repeated_input():
    inputs, golds = ["天", "地", "天", "天"], [["天"], ["他"], ["夫"], ["大"]]
    predictions = ["大", "他", "夫", "人"]
    rows = rows_of(inputs, golds, predictions)
    official, strict = (found(rows, protocol=p, subset="all") for p in ("official", "strict"))
    assert official["correction_recall"] == official["correction_precision"] == 1  # 天 → 大 and 地 → 他
    assert strict["correction_recall"] == pytest.approx(2 / 3) and strict["correction_precision"] == 2 / 4
    assert {row["n_items"] for row in rows if row["protocol"] == "official"} == {2}
    assert {row["n_items"] for row in rows if row["protocol"] == "strict" and row["subset"] == "all"} == {4}
    columns = outcome_columns(compare_outputs(list("abcd"), inputs, golds, predictions))
    assert columns["in_official"] == [False, True, False, True]
    assert [note and note.removeprefix("repeated input: official takes the ") for note in columns["official_note"]] == [
        "gold of its last line",
        None,
        "gold of its last line, the prediction of its first",
        "prediction of its first line",
    ]


def test_a_first_line_that_official_takes_for_a_header_counts_under_strict():
    inputs, golds, predictions = ["原文有物", "天"], [["原文有误"], ["大"]], ["原文有误", "天"]
    rows = rows_of(inputs, golds, predictions, official_start=1)
    assert found(rows, protocol="strict", subset="all")["correction_recall"] == 0.5
    assert found(rows, protocol="official", subset="all")["correction_recall"] == 0
    columns = outcome_columns(compare_outputs(list("ab"), inputs, golds, predictions, official_start=1))
    assert columns["in_official"] == [False, True]
    assert columns["official_note"] == ["first line with 原文: official takes it for a header", None]


def test_missing_predictions_are_unchanged_and_lower_the_coverage_of_every_row():
    inputs, golds = ["天", "地", "人", "入"], [["大"], ["地"], ["人"], ["人"]]
    missing, unchanged = (
        rows_of(inputs, golds, [None, "地", None, "人"]),
        rows_of(inputs, golds, ["天", "地", "人", "人"]),
    )
    assert {row["coverage"] for row in missing} == {0.5} and {row["coverage"] for row in unchanged} == {1}
    assert [row["value"] for row in missing] == [row["value"] for row in unchanged]
    columns = outcome_columns(compare_outputs(list("abcd"), inputs, golds, [None, "地", None, "人"]))
    assert columns["covered"] == [False, True, False, True] and columns["prediction"] == [None, "地", None, "人"]


def test_edit_table_names_what_the_model_did():
    #        corrected, wrong fix, missed, spoilt, left alone
    source, gold, prediction = "门郎天晴好", "们朗大晴好", "们狼天请好"
    columns = edit_columns(compare_outputs(["a", "b"], ["好", source], [["好"], [gold]], ["好", prediction]))
    assert columns["item_id"] == ["b"] * 4 and list(columns["position"]) == [0, 1, 2, 3]
    assert list(zip(columns["source"], columns["gold"], columns["prediction"], columns["outcome"], strict=True)) == [
        ("门", "们", "们", "corrected"),
        ("郎", "朗", "狼", "mis-correction"),
        ("天", "大", "天", "under-correction"),
        ("晴", "晴", "请", "over-correction"),
    ]
    assert columns["error_type"] == [*(error_type(*pair) for pair in ("门们", "郎朗", "天大")), None]
    assert columns["seed_type"] == [*(SEED_TYPE[kind] for kind in columns["error_type"][:3]), None]


def test_recall_of_each_error_type_is_over_its_gold_edits():
    pairs = [("在", "再", "再"), ("在", "再", "在"), ("己", "已", "巳"), ("好", "好", "号")]
    rows = rows_of([s for s, _, _ in pairs], [[g] for _, g, _ in pairs], [p for _, _, p in pairs])
    n = {row["subset"]: row["n_items"] for row in rows if "_type=" in row["subset"]}
    same = f"error_type={error_type('在', '再')}"
    assert found(rows, subset=same) == {
        "detection_recall": 0.5,
        "correction_recall": 0.5,
        "share_of_gold_edits": pytest.approx(2 / 3),
    }
    other = f"error_type={error_type('己', '已')}"
    assert other != same
    assert found(rows, subset=other)["detection_recall"] == 1 and found(rows, subset=other)["correction_recall"] == 0
    for name, kinds in (("error_type", ERROR_TYPES), ("seed_type", dict.fromkeys(SEED_TYPE.values()))):
        subsets = [subset for subset in n if subset.startswith(f"{name}=")]
        assert subsets == [f"{name}={kind}" for kind in kinds] and sum(n[subset] for subset in subsets) == 3
    empty = next(subset for subset in n if n[subset] == 0)
    assert found(rows, subset=empty) == {
        "detection_recall": None,
        "correction_recall": None,
        "share_of_gold_edits": 0,
    }


def test_values_are_fractions_and_official_ones_keep_the_printed_digits():
    inputs = ["在"] + ["好" + "天" * i for i in range(6)]
    golds = [["再"]] + [[text] for text in inputs[1:]]
    predictions = ["再"] + ["号" + text[1:] for text in inputs[1:]]
    rows = rows_of(inputs, golds, predictions)
    assert all(0 <= row["value"] <= 1 for row in rows if row["value"] is not None)
    official = found(rows, protocol="official", subset="all")
    assert official["correction_precision"] == 0.1429 and official["sentence_fpr"] == 1
    assert found(rows, protocol="strict", subset="all")["correction_precision"] == 1 / 7


def test_official_fraction_is_the_double_nearest_to_the_printed_digits():
    rows = rows_of(["在", "在此", "好"], [["再"], ["再此"], ["好"]], ["再", "再此", "号"])
    assert found(rows, protocol="official", subset="all")["correction_precision"] == 0.6667  # 66.67 / 100 is not


def test_ignored_characters_are_a_subset_of_their_own():
    columns = (["他的跑", "在"], [["他地跑"], ["再"]], ["他的跑", "再"])
    rows = rows_of(*columns, "的地得")
    assert found(rows, protocol="strict", subset="all")["correction_recall"] == 0.5
    assert found(rows, protocol="strict", subset="ignoring=的地得")["correction_recall"] == 1
    assert not found(rows, protocol="official", subset="ignoring=的地得")
    assert not [row for row in rows_of(*columns) if row["subset"].startswith("ignoring")]


def test_outcomes_add_up_to_the_metrics():
    inputs, golds = ["天天", "地地", "人"], [["大夫"], ["地地"], ["入"]]
    predictions = ["大天", "他地", None]
    columns = outcome_columns(compare_outputs(list("abc"), inputs, golds, predictions))
    true, hits, edits = (sum(columns[f"n_{name}"]) for name in ("gold_edits", "corrected", "predicted_edits"))
    metrics = found(rows_of(inputs, golds, predictions), protocol="strict", subset="all")
    assert (true, edits, hits) == (3, 2, 1)
    assert metrics["correction_recall"] == hits / true and metrics["correction_precision"] == hits / edits
    assert metrics == {
        **plain(strict_metrics(counts_of(compare(inputs, columns["gold"], ["大天", "他地", "人"])))),
        "misaligned": 0,
    }


def test_misaligned_outputs_count_under_strict_and_official_has_no_figures():
    inputs, golds = ["天汽好", "地", "人"], [["天气好"], ["地"], ["入"]]
    predictions = ["天气好。", "地地", "入"]
    rows = rows_of(inputs, golds, predictions)
    strict, official = (found(rows, protocol=p, subset="all") for p in ("strict", "official"))
    assert set(official.values()) == {None} and {row["n_items"] for row in rows if row["protocol"] == "official"} == {3}
    assert {row["coverage"] for row in rows} == {1 / 3} and strict["misaligned"] == 2 / 3
    # 气 and 入 are right; what was added to two sentences is not.
    assert strict["correction_precision"] == 2 / 4 and strict["correction_recall"] == 1
    assert strict["sentence_fpr"] == 1 and strict["sighan_correction_recall"] == 1 / 2
    columns = outcome_columns(compare_outputs(list("abc"), inputs, golds, predictions))
    assert columns["covered"] == [False, False, True] and list(columns["n_predicted_edits"]) == [2, 1, 1]
    assert columns["problem"] == ["misaligned: 4 characters for 3", "misaligned: 2 characters for 1", None]
    assert columns["official_note"] == ["misaligned output: official refuses the whole file"] * 2 + [None]
    edits = edit_columns(compare_outputs(list("abc"), inputs, golds, predictions))
    assert list(zip(edits["item_id"], edits["outcome"], strict=True)) == [("a", "corrected"), ("c", "corrected")]


def test_a_misaligned_first_line_that_official_takes_for_a_header_is_not_refused():
    rows = rows_of(["原文有物", "天"], [["原文有误"], ["大"]], ["原文有误。", "大"], official_start=1)
    assert found(rows, protocol="official", subset="all")["correction_f1"] == 1


def test_official_has_no_figures_for_the_file_that_the_script_refuses(vectors):
    folder = vectors / "csc/bad_length"
    gold = read_pairs(folder / "gold.txt")
    rows = rows_of(gold.inputs, [[g] for g in gold.outputs], from_file(folder / "modelout.txt", gold.inputs))
    assert set(found(rows, protocol="official", subset="all").values()) == {None}
    strict = found(rows, protocol="strict", subset="all")
    assert strict["misaligned"] == 1 / len(gold.inputs) and strict["correction_f1"] > 0


def test_official_has_figures_where_the_misaligned_sentence_does_not_count():
    found = scores(
        compare_outputs(list("abc"), ["天汽", "地", "地"], [["天气"], ["他"], ["他"]], ["天气。", "他", "他们"])
    )
    (official,) = [score for score in found if score.protocol == "official"]
    assert list(official.units) == ["a", "c"]  # the repeated input is one, misaligned in a line that is not taken
    assert set(plain(official.metrics()).values()) == {None}
    for weights in ([0, 1], [1, 0]):
        assert plain(official.metrics(np.array(weights)))["correction_f1"] is None
    found = scores(compare_outputs(list("ab"), ["天汽", "地"], [["天气"], ["他"]], ["天气。", "他"]))
    (official,) = [score for score in found if score.protocol == "official"]
    assert plain(official.metrics(np.array([0, 2])))["correction_f1"] == 1


def test_rounding_hides_no_sentence_of_a_large_corpus():
    """One of 20,000 changes a rate by less than the official script prints."""
    random = np.random.default_rng(4)
    kinds = count(compare(["天"] * 4, ["天", "气", "气", "天"], ["天", "天", "气", "气"]))
    counts = kinds[random.choice(4, 20_000, p=[0.48, 0.3, 0.2, 0.02])]
    names = [str(i) for i in range(len(counts))]
    strict, official = strict_score(names, counts, 1.0), official_score(names, counts, 1.0)
    exact, printed = (intervals(score, Settings(resamples=2000), "csc") for score in (strict, official))
    for metric, found in printed.items():
        assert found.kind in ("percentile", "mid-p") and found.n_units == exact[metric].n_units, metric
        assert (found.low, found.high) == pytest.approx((exact[metric].low, exact[metric].high), abs=1e-3), metric
    worse = counts.copy()
    worse[:300][counts[:300, COUNTS.index("corrected")] > 0] = kinds[1]
    paired = [
        differences(make(names, counts, 1.0), make(names, worse, 1.0), Settings(resamples=2000))["correction_recall"]
        for make in (strict_score, official_score)
    ]
    assert paired[1].kind == "percentile"
    assert paired[1].detectable == pytest.approx(paired[0].detectable, rel=0.1)
