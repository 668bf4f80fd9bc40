import logging

import pytest

from sinobench.csc.corpus import alone_between_blanks, blank_separated, read_pairs_table, read_sighan
from sinobench.csc.released import read_mucgec
from sinobench.errors import InputError


def essence(corpus):
    return [(i["item_id"], i["line"], i["input"], i["golds"]) for i in corpus.items]


def aside(corpus):
    return [(row["line"], row["reason"]) for row in corpus.set_aside]


# Pairs in columns


@pytest.mark.parametrize(
    ("columns", "delimiter", "content", "expected"),
    [
        (("input", "gold"), "\t", "天\t大\n地\t地\n", [("000001", 1, "天", ["大"]), ("000002", 2, "地", ["地"])]),
        (("input",), "\t", "天\n天\n", [("000001", 1, "天", None), ("000002", 2, "天", None)]),
        (("id", "input", "gold"), "\t", "b\t天\t大\na\t地\t地\n", [("b", 1, "天", ["大"]), ("a", 2, "地", ["地"])]),
        (("gold", "-", "input"), "\t", "大\tx\t天\n", [("000001", 1, "天", ["大"])]),
        (("-", "input", "-", "gold"), "\t", "1\t天\t\t大\n", [("000001", 1, "天", ["大"])]),
        (("input", "gold"), ",", '"天,""x""","大,""x"""\n', [("000001", 1, '天,"x"', ['大,"x"'])]),
        (("input", "gold"), "\t", '"天,\t"大,\n', [("000001", 1, '"天,', ['"大,'])]),
        (("input", "gold"), "\t", "\ufeff天\t大\r\n地\t地", [("000001", 1, "天", ["大"]), ("000002", 2, "地", ["地"])]),
        (("input",), "\t", "天\u3000\n \n", [("000001", 1, "天\u3000", None), ("000002", 2, " ", None)]),
    ],
    ids=[
        "pairs",
        "no-gold",
        "ids",
        "reordered",
        "ignored",
        "csv",
        "tsv-is-literal",
        "bom-crlf",
        "spaces",
    ],
)
def test_columns(write, columns, delimiter, content, expected):
    corpus = read_pairs_table(write(content), columns, delimiter)
    assert essence(corpus) == expected and corpus.set_aside == []


@pytest.mark.parametrize(
    ("columns", "header"),
    [
        (("input", "gold"), "原文\t修改后"),
        (("input", "gold"), " 原文 \t译文"),
        (("input", "gold"), "Input\tgold "),
        (("errors", "input", "gold"), "n\t原文\t修改后"),
    ],
)
def test_a_header_is_set_aside(write, columns, header):
    row = "\t".join(["1", "天", "大"][-len(columns) :])
    corpus = read_pairs_table(write(f"{header}\n{row}\n"), columns)
    assert essence(corpus) == [("000002", 2, "天", ["大"])] and aside(corpus) == [(1, "header")]
    assert corpus.set_aside[0]["text"] == header


@pytest.mark.parametrize("first", ["原文如此", "见原文", "原文原文"])
def test_a_first_sentence_that_mentions_the_header_word_is_a_sentence(write, first, caplog):
    caplog.set_level(logging.INFO)
    corpus = read_pairs_table(write(f"{first}\t{first}\n天\t大\n", "set.tsv"), ("input", "gold"))
    assert [item["input"] for item in corpus.items] == [first, "天"] and corpus.set_aside == []
    assert "set.tsv, line 1: a sentence; the official script skips it" in caplog.text


def test_skipped_header_is_logged(write, caplog):
    caplog.set_level(logging.INFO)
    read_pairs_table(write("原文\t修改后\n天\t大\n", "set.tsv"), ("input", "gold"))
    assert "set.tsv, line 1: header skipped" in caplog.text


def test_declared_error_counts_are_compared_and_not_used(write):
    corpus = read_pairs_table(write("1\t天\t大\n3\t天\t大\n0\t天\t天\n1\t天\t天\n"), ("errors", "input", "gold"))
    assert corpus.wrong_error_counts == [2, 4]
    assert [i["declared_errors"] for i in corpus.items] == [1, 3, 0, 1]
    assert [i["golds"] for i in corpus.items] == [["大"], ["大"], ["天"], ["天"]]


def test_lenient_sets_rows_that_change_length_aside(write):
    corpus = read_pairs_table(write("天\t大\n天\t大地\n地\t\n地\t他\n"), ("input", "gold"), lenient=True)
    assert [line for _, line, _, _ in essence(corpus)] == [1, 4]
    common = {"file": "file.txt", "reason": "length_change"}
    assert corpus.set_aside == [
        common | {"line": 2, "text": "天\t大地", "detail": "input has 1 characters, gold 2"},
        common | {"line": 3, "text": "地\t", "detail": "input has 1 characters, gold 0"},
    ]


@pytest.mark.parametrize("lenient", [False, True])
@pytest.mark.parametrize(
    ("columns", "delimiter", "content", "message"),
    [
        (
            ("input", "gold"),
            "\t",
            "天\t大\n天 大\n",
            "line 2: expected 2 fields (input, gold), found 1 in '天 大'; is a tab",
        ),
        (("input", "gold"), "\t", "天\t大\t\n", "line 1: expected 2 fields (input, gold), found 3"),
        (("input", "gold"), ",", "天,大\n天\t大\n", "line 2: expected 2 fields (input, gold), found 1"),
        (("input", "gold"), ",", "天,大\n\n", "line 2: expected 2 fields (input, gold), found 0"),
        (("input", "gold"), ",", "\n天,大\n", "line 1: expected 2 fields (input, gold), found 0"),
        (("input", "gold"), ",", '天,"大\n地,地"\n', "line 1: wrong quotes in '天,\"大' (unexpected end of data)"),
        (("id", "input"), "\t", "a\t天\nb\t地\na\t人\n", "line 3: id 'a' stands twice, first on line 1"),
        (("errors", "input", "gold"), "\t", "one\t天\t大\n", "line 1: count of errors 'one' is no whole number"),
        (("errors", "input", "gold"), "\t", "-1\t天\t大\n", "line 1: count of errors '-1'"),
    ],
)
def test_wrong_rows_are_refused(write, columns, delimiter, content, message, lenient):
    with pytest.raises(InputError) as error:
        read_pairs_table(write(content, "set.txt"), columns, delimiter, lenient)
    assert f"set.txt, {message}" in str(error.value)


@pytest.mark.parametrize(
    ("columns", "line", "message", "reason"),
    [
        (("input", "gold"), "天\t大地", "input has 1 characters, output 2", "length_change"),
        (("input", "gold"), "\t大", "the input is empty", "empty_input"),
        (("input", "gold"), "\t", "the input is empty", "empty_input"),
        (("input",), "", "the input is empty", "empty_input"),
    ],
)
def test_rows_that_are_no_pair_are_refused_unless_lenient(write, columns, line, message, reason):
    path = write("天\t大\n"[: 2 * len(columns) - 1].rstrip() + f"\n{line}\n", "set.txt")
    with pytest.raises(InputError, match=rf"set\.txt, line 2: {message}"):
        read_pairs_table(path, columns)
    corpus = read_pairs_table(path, columns, lenient=True)
    assert len(corpus.items) == 1 and aside(corpus) == [(2, reason)]


def test_blanks_stay_unless_they_are_to_be_removed(write):
    path = write("再 这 之\u3000前 A p p\t在 这 之\u3000前 A p p\n天 地\t天 地  \n")
    assert [len(item["input"]) for item in read_pairs_table(path, ("input", "gold"), lenient=True).items] == [13]
    corpus = read_pairs_table(path, ("input", "gold"), remove_blanks=True)
    assert essence(corpus) == [("000001", 1, "再这之前App", ["在这之前App"]), ("000002", 2, "天地", ["天地"])]


def test_golds_of_a_second_file(write):
    corpus = read_pairs_table(write("天\n地\n"), ("input", "gold"), golds=write("大\n地\n", "gold.txt"))
    assert essence(corpus) == [("000001", 1, "天", ["大"]), ("000002", 2, "地", ["地"])]


@pytest.mark.parametrize(
    ("golds", "message"),
    [
        ("大\n", r"gold\.txt: has 1 lines where .*file\.txt has 2"),
        ("大\n地\t地\n", r"file\.txt, line 2: expected 2 fields"),
    ],
)
def test_golds_that_are_not_line_by_line_are_refused(write, golds, message):
    with pytest.raises(InputError, match=message):
        read_pairs_table(write("天\n地\n"), ("input", "gold"), golds=write(golds, "gold.txt"))


@pytest.mark.parametrize(
    ("texts", "separated"),
    [
        (["今 天 很 好", "天 气 App"], True),
        (["今天 很 好", "天气很好"], False),
        (["天", "地", "人"], False),
        (["今天很好 a b c", "I am a man"], False),
        ([], False),
    ],
)
def test_characters_that_stand_alone_are_noticed(texts, separated):
    assert blank_separated([alone_between_blanks(texts)]) == separated


def test_nothing_usable_is_refused(write):
    with pytest.raises(InputError, match="holds no usable item"):
        read_pairs_table(write("天\t大地\n"), ("input", "gold"), lenient=True)


# SIGHAN

ESSAYS = """\
<ESSAY title="信 & 回信">
<TEXT>
<PASSAGE id="A-1">他门来了天气晴郎</PASSAGE>
<PASSAGE id="A-2">今天很好</PASSAGE>
</TEXT>
<MISTAKE id="A-1" location="2">
<WRONG>他门</WRONG>
<CORRECTION>他们</CORRECTION>
</MISTAKE>
<MISTAKE id="A-1" location="8">
<WRONG>晴郎</WRONG>
<CORRECTION>晴朗</CORRECTION>
</MISTAKE>
</ESSAY>
"""
DOCS = """\
<DOC Nid="00018">
<P>有些人會讓自己警悌</P>
<TEXT>
<MISTAKE wrong_position=9>
<wrong>警悌</wrong>
<correct>警惕</correct>
</MISTAKE>
</TEXT>
</DOC>
<DOC Nid="00019">
<P>今天很好</P>
<TEXT>
</TEXT>
</DOC>
"""


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (ESSAYS, [("A-1", 3, "他门来了天气晴郎", ["他们来了天气晴朗"]), ("A-2", 4, "今天很好", ["今天很好"])]),
        (DOCS, [("00018", 1, "有些人會讓自己警悌", ["有些人會讓自己警惕"]), ("00019", 10, "今天很好", ["今天很好"])]),
        (ESSAYS.replace('id="A-1" location="2"', 'location="2" id="A-1"'), None),
        ("\ufeff" + ESSAYS.replace("\n", "\r\n"), None),
    ],
    ids=["14-15", "13", "attributes-reversed", "bom-crlf"],
)
def test_sighan_sgml(write, content, expected):
    corpus = read_sighan(write(content, "set.sgml"))
    assert essence(corpus) == (expected or essence(read_sighan(write(ESSAYS))))
    assert corpus.set_aside == []


@pytest.mark.parametrize(
    ("mistake", "reason"),
    [
        ('location="2">\n<WRONG>他门</WRONG>\n<CORRECTION>他们们</CORRECTION>', "length_change"),
        ('location="2">\n<WRONG>我门</WRONG>\n<CORRECTION>我们</CORRECTION>', "location_mismatch"),
        ('location="1">\n<WRONG>他门</WRONG>\n<CORRECTION>他们</CORRECTION>', "location_mismatch"),
        ('location="0">\n<WRONG>他门</WRONG>\n<CORRECTION>他们</CORRECTION>', "location_mismatch"),
        ('location="99">\n<WRONG>他门</WRONG>\n<CORRECTION>他们</CORRECTION>', "location_mismatch"),
    ],
)
def test_sighan_mistakes_that_do_not_fit_set_their_passage_aside(write, mistake, reason):
    old = 'location="2">\n<WRONG>他门</WRONG>\n<CORRECTION>他们</CORRECTION>'
    corpus = read_sighan(write(ESSAYS.replace(old, mistake)))
    assert [i["item_id"] for i in corpus.items] == ["A-2"] and aside(corpus) == [(3, reason)]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('<PASSAGE id="A-2">', '<PASSAGE id="A-1">', "line 4: passage id 'A-1' stands twice, first on line 3"),
        ('<MISTAKE id="A-1" location="8">', '<MISTAKE id="A-9" location="8">', "line 10: id 'A-9' is not among the"),
        ('<MISTAKE id="A-1" location="8">', '<MISTAKE id="A-1" location="eight">', "line 10: expected <MISTAKE"),
        ("今天很好</PASSAGE>", "今天很好", "line 4: expected <PASSAGE"),
    ],
)
def test_sighan_elements_that_cannot_be_read_are_refused(write, old, new, message):
    assert old in ESSAYS
    with pytest.raises(InputError) as error:
        read_sighan(write(ESSAYS.replace(old, new), "set.sgml"))
    assert f"set.sgml, {message}" in str(error.value)


PASSAGES = "(pid=B1-1)\t他门来了天气晴郎\r\n(pid=B1-2)\t今天<很>好\u3000\r\n"


def sighan(write, truth, passages=PASSAGES):
    return read_sighan(write(passages, "set.txt"), write(truth, "truth.txt"))


def test_sighan_lines_with_truth(write):
    corpus = sighan(write, "B1-2, 0\nB1-1, 2, 们, 8, 朗\n")
    assert essence(corpus) == [
        ("B1-1", 1, "他门来了天气晴郎", ["他们来了天气晴朗"]),
        ("B1-2", 2, "今天<很>好\u3000", ["今天<很>好\u3000"]),
    ]


def test_sighan_location_outside_sets_its_passage_aside(write):
    assert aside(sighan(write, "B1-1, 9, 们\nB1-2, 0\n")) == [(1, "location_mismatch")]
    assert aside(sighan(write, "B1-1, 2, 们们\nB1-2, 0\n")) == [(1, "length_change")]


@pytest.mark.parametrize(
    ("truth", "message"),
    [
        ("B1-1, 0\n", "truth.txt: 1 passages have no line, the first is 'B1-2'"),
        ("B1-1, 0\nB1-2, 0\nB1-3, 0\n", "truth.txt, line 3: id 'B1-3' is not among the passages"),
        ("B1-1, 0\nB1-1, 2, 们\nB1-2, 0\n", "truth.txt, line 2: id 'B1-1' stands twice"),
        ("B1-1, 2\nB1-2, 0\n", "truth.txt, line 1: expected 'ID, 0' or 'ID, location, character, …'"),
        ("B1-1, two, 们\nB1-2, 0\n", "truth.txt, line 1: expected"),
        ("B1-1\nB1-2, 0\n", "truth.txt, line 1: expected"),
    ],
)
def test_wrong_truth_is_refused(write, truth, message):
    with pytest.raises(InputError) as error:
        sighan(write, truth)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("passages", "message"),
    [
        ("(pid=B1-1)\t天\n天天\n", "set.txt, line 2: expected '(pid=ID)⇥text', found '天天'"),
        ("(pid=B1-1)\t天\n(pid=B1-1)\t地\n", "set.txt, line 2: passage id 'B1-1' stands twice, first on line 1"),
    ],
)
def test_wrong_passages_are_refused(write, passages, message):
    with pytest.raises(InputError) as error:
        sighan(write, "B1-1, 0\n", passages)
    assert message in str(error.value)


# MuCGEC


def test_mucgec_references(write):
    corpus = read_mucgec(
        write(
            "1\t天天\t大天\t天夫\n2\t地地\t没有错误\n3\t人人\t人人们\t入人\t入人\n4\t日日\t日\n5\t一二三四\t无法标注\t一二三五\n"
        )
    )
    assert essence(corpus) == [
        ("1", 1, "天天", ["大天", "天夫"]),
        ("2", 2, "地地", ["地地"]),
        ("3", 3, "人人", ["入人"]),
        ("5", 5, "一二三四", ["一二三五"]),
    ]
    assert aside(corpus) == [(3, "length_change"), (4, "length_change"), (5, "not_annotated")]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("1\t天\t天\n2\t地\n", "line 2: expected id, input and references"),
        ("1\t\t天\n", "line 1: expected id, input and references"),
        ("1\t天\t天\n1\t地\t地\n", "line 2: id '1' stands twice"),
        ("1\t天\t大地\n", "holds no sentence with a reference of its length"),
    ],
)
def test_wrong_mucgec_is_refused(write, content, message):
    with pytest.raises(InputError) as error:
        read_mucgec(write(content))
    assert message in str(error.value)


# The public sets

COUNTED = ("errors", "input", "gold")


@pytest.mark.parametrize(
    ("file", "columns", "n", "with_errors"),
    [
        ("ecspell/law.test", COUNTED, 500, 255),
        ("ecspell/med.test", COUNTED, 500, 226),
        ("ecspell/odw.test", COUNTED, 500, 262),
        ("ecspell/sighan2013.test.txt", COUNTED, 1000, 971),
        ("ecspell/sighan2014.test.txt", COUNTED, 1062, 520),
        ("ecspell/sighan2015.test.txt", COUNTED, 1100, 542),
        ("nlpcc2023-task8/data.txt", ("input", "gold"), 1000, 500),
        ("mcscset/test.txt", ("input", "gold"), 19650, None),
    ],
)
def test_public_sets_are_whole(mirror, file, columns, n, with_errors):
    corpus = read_pairs_table(mirror / file, columns)
    assert len(corpus.items) == n and corpus.set_aside == []
    if with_errors is not None:
        assert sum(i["input"] != i["golds"][0] for i in corpus.items) == with_errors
    assert len({i["input"] for i in corpus.items}) == (19_649 if file.startswith("mcscset") else n)


def test_nlpcc_test_sentences_keep_their_last_space(mirror):
    corpus = read_pairs_table(mirror / "nlpcc2023-task8/NLPCC_TASK8_TESTDATA.txt", ("input",))
    assert len(corpus.items) == 15_000 and all(i["golds"] is None for i in corpus.items)
    assert [i["line"] for i in corpus.items if i["input"].endswith("\u3000")] == [6238, 9163]


@pytest.mark.parametrize(("name", "n", "line"), [("law", 1960, None), ("med", 3000, None), ("odw", 1719, 1119)])
def test_training_files_are_read_leniently(mirror, name, n, line):
    corpus = read_pairs_table(mirror / f"ecspell/{name}.train", COUNTED, lenient=True)
    assert len(corpus.items) == n and aside(corpus) == ([(line, "length_change")] if line else [])
