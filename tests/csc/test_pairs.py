import logging

import pytest

from sinobench.csc.official import Official
from sinobench.csc.pairs import official_columns, pair, read_pairs
from sinobench.csc.predictions import check_output, from_file
from sinobench.errors import InputError

GOLD = "天气晴郎\t天气晴朗\n今天很好\t今天很好\n他门来了\t他们来了\n"


def lay(write, gold, predicted):
    return pair(read_pairs(write(gold, "gold.txt")), read_pairs(write(predicted, "out.txt")))


def rows(pairing):
    return list(zip(pairing.inputs, pairing.golds, pairing.predictions, strict=True))


@pytest.mark.parametrize(
    "content",
    [GOLD, GOLD[:-1], GOLD.replace("\n", "\r\n"), "\ufeff" + GOLD.replace("\n", "\r\n"), "原文\t修改后\n" + GOLD],
    ids=["plain", "no-last-newline", "crlf", "bom-crlf", "header"],
)
@pytest.mark.parametrize("place", ["gold", "predicted"])
def test_forms_of_one_file(write, content, place):
    files = {"gold": GOLD, "predicted": GOLD, place: content}
    pairing = lay(write, files["gold"], files["predicted"])
    assert pairing.by_line and pairing.missing == []
    assert rows(pairing) == [(*line.split("\t"), line.split("\t")[1]) for line in GOLD.splitlines()]


def test_header_is_logged(write, caplog):
    caplog.set_level(logging.INFO)
    read_pairs(write("原文\t修改后\n" + GOLD, "gold.txt"))
    assert "gold.txt, line 1: header skipped" in caplog.text


def test_only_a_first_line_is_a_header(write):
    assert read_pairs(write("天\t天\n原文\t原文\n")).inputs == ["天", "原文"]


MENTIONS = "原文有物\t原文有误\n今天很好\t今天很好\n"


def test_a_first_sentence_that_mentions_the_header_word_counts_under_strict_only(write):
    gold, predicted = read_pairs(write(MENTIONS, "gold.txt")), read_pairs(write(MENTIONS, "out.txt"))
    pairing = pair(gold, predicted)
    assert rows(pairing)[0] == ("原文有物", "原文有误", "原文有误") and len(rows(pairing)) == 2
    assert official_columns(gold, predicted) == (["今天很好"], ["今天很好"], ["今天很好"])


def test_official_takes_a_first_prediction_that_mentions_the_header_word_for_a_header(write):
    gold = read_pairs(write("今天很好\t今天很好\n原文有物\t原文有误\n", "gold.txt"))
    predicted = read_pairs(write(MENTIONS, "out.txt"))
    assert rows(pair(gold, predicted))[1] == ("原文有物", "原文有误", "原文有误")
    assert official_columns(gold, predicted)[2] == ["今天很好", "原文有物"]


def test_official_refuses_the_prediction_of_a_gold_line_that_it_takes_for_a_header(write):
    gold = read_pairs(write(MENTIONS, "gold.txt"))
    predicted = read_pairs(write("今天很好\t今天很好\n原文有物\t原文有误\n", "out.txt"))
    with pytest.raises(
        InputError, match=r"out\.txt, line 2: input '原文有物' is line 1 of .*gold\.txt, which the official"
    ):
        official_columns(gold, predicted)


@pytest.mark.parametrize("space", ["\u3000", " ", "\u2028", "\x0c"])
def test_white_space_is_text(write, space):
    pairs = read_pairs(write(f"{space}天气{space}\t{space}天气{space}\n"))
    assert pairs.inputs == pairs.outputs == [f"{space}天气{space}"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("天\t天\n天天\n", "line 2: expected input and output with one tab between, found 0 tabs in '天天'"),
        ("天\t天\t天\n", "line 1: expected input and output with one tab between, found 2 tabs"),
        ("天\t天\n\n", "line 2: expected input and output with one tab between, found 0 tabs"),
        ("天\t天\n\t天\n", "line 2: the input is empty"),
        ("\t\n", "line 1: the input is empty"),
        ("天\t天地\n", "line 1: input has 1 characters, output 2"),
        ("天地\t\n", "line 1: input has 2 characters, output 0"),
        ("原文\t修改后\n天\t\n", "line 2: input has 1 characters, output 0"),
        ("原文\t修改后\n", "line 1: holds a header and no pair"),
    ],
)
def test_wrong_files_are_refused(write, content, message):
    with pytest.raises(InputError) as error:
        read_pairs(write(content, "gold.txt"))
    assert f"gold.txt, {message}" in str(error.value)


def test_other_order_is_matched_by_input(write):
    pairing = lay(write, GOLD, "他门来了\t他们来了\n今天很好\t今天狠好\n天气晴郎\t天气晴郎\n")
    assert not pairing.by_line
    assert [prediction for *_, prediction in rows(pairing)] == ["天气晴郎", "今天狠好", "他们来了"]


def test_missing_predictions_are_unchanged_and_listed(write):
    pairing = lay(write, GOLD, "他门来了\t他们来了\n")
    assert pairing.predictions == ["天气晴郎", "今天很好", "他们来了"]
    assert pairing.missing == ["天气晴郎", "今天很好"]


def test_repeated_input_line_by_line_keeps_each_output(write):
    gold = "天天\t天夫\n天天\t大天\n"
    pairing = lay(write, gold, "天天\t天夫\n天天\t天天\n")
    assert pairing.by_line and rows(pairing) == [("天天", "天夫", "天夫"), ("天天", "大天", "天天")]


def test_repeated_input_with_one_output_is_matched_by_input(write):
    pairing = lay(write, "天\t大\n天\t大\n地\t地\n", "地\t他\n天\t大\n天\t大\n")
    assert pairing.predictions == ["大", "大", "他"]


@pytest.mark.parametrize(
    ("gold", "predicted", "place"),
    [
        ("天\t大\n地\t地\n", "地\t地\n天\t大\n天\t夫\n", "out.txt, line 3"),
        ("天\t大\n天\t夫\n地\t地\n", "地\t地\n天\t大\n", "gold.txt, line 2"),
        ("原文\t修改后\n天\t大\n天\t夫\n地\t地\n", "地\t地\n天\t大\n", "gold.txt, line 3"),
    ],
)
def test_repeated_input_with_different_outputs_is_refused_when_matching_by_input(write, gold, predicted, place):
    with pytest.raises(InputError) as error:
        lay(write, gold, predicted)
    assert f"{place}: input '天' stands twice with different outputs" in str(error.value)


@pytest.mark.parametrize(("header", "line"), [("", 2), ("原文\t修改后\n", 3)])
def test_unknown_input_is_refused(write, header, line):
    with pytest.raises(InputError, match=rf"out\.txt, line {line}: input '新句' is not in .*gold\.txt"):
        lay(write, GOLD, f"{header}今天很好\t今天很好\n新句\t新句\n")


def rows_of(inputs, start=0):
    official = Official.of(inputs, start)
    return official.gold_rows.tolist(), official.prediction_rows.tolist()


def test_official_takes_the_last_gold_and_the_first_prediction_of_an_input():
    assert rows_of(["天", "地", "天", "人", "天", "地"]) == ([4, 5, 3], [0, 1, 3])
    assert rows_of([]) == ([], [])
    assert rows_of(["天", "地", "天"], start=1) == ([1, 2], [1, 2])


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("天\t大\n天\t夫\n地\t地\n", ["大", "夫", "地"]),
        ("地\t他\n天\t大\n", ["大", "大", "他"]),
        ("天\t大\n", ["大", "大", None]),
        ("天\t大大\n地\t\n", ["大大", "大大", ""]),
    ],
    ids=["by-line", "by-input", "missing", "other-lengths"],
)
def test_predictions_of_a_file(write, content, expected):
    assert from_file(write(content), ["天", "天", "地"]) == expected


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("天\t大\n人\t人\n", "line 2: input '人' is not in the corpus"),
        ("天\t大\n天\t夫\n", "line 2: input '天' stands twice with different outputs"),
    ],
)
def test_predictions_that_fit_no_item_are_refused(write, content, message):
    with pytest.raises(InputError) as error:
        from_file(write(content), ["天", "天", "地"])
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("大地", None),
        ("天 ", None),
        (None, "the output is None (NoneType); expected a string"),
        (["天", "地"], "(list); expected a string"),
        (b"ab", "(bytes)"),
        ("天", None),
        ("天地人\n", None),
    ],
)
def test_output_of_a_model(output, message):
    found = check_output("天地", output)
    assert found is None if message is None else message in found
