import random

import pytest

from sinobench.errors import InputError
from sinobench.g2p.predictions import check_output, from_file, from_outputs, stream_file
from sinobench.g2p.table import read_items
from sinobench.g2p.tabled import Tabled
from sinobench.results import tables

HEADER = "text\tposition\tlabel\tprediction"
ROW = "點鬼解\t2\tgaai2/haai2\tgaai2"


def table(write, *lines):
    return read_items(write("\n".join(lines) + "\n", "items.tsv"))


def test_columns_in_any_order(write):
    ordered = table(write, HEADER + "\toutput_length", ROW + "\t3")
    mixed = table(write, "output_length\tprediction\ttext\tlabel\tposition", "3\tgaai2\t點鬼解\tgaai2/haai2\t2")
    assert ordered == mixed
    assert (ordered.texts, ordered.positions, ordered.labels) == (["點鬼解"], [2], [["gaai2", "haai2"]])
    assert (ordered.predictions, ordered.output_lengths) == (["gaai2"], [3])


@pytest.mark.parametrize("prediction", ["", "abc", "gaai2 ", "gaai7", "unknown"])
def test_what_looks_like_no_syllable_is_kept_as_it_is(write, prediction):
    assert table(write, HEADER, f"點\t0\tdim2\t{prediction}").predictions == [prediction or None]


def test_bom_and_crlf(write):
    items = read_items(write(f"\ufeff{HEADER}\r\n{ROW}\r\n"))
    assert items.predictions == ["gaai2"] and items.output_lengths is None


def test_position_counts_code_points(write):
    assert table(write, HEADER, "𠮶個\t1\tgo3\tgo3").positions == [1]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            [HEADER.replace("prediction", "predicton"), ROW],
            "line 1: unknown column 'predicton' in the header; did you mean 'prediction'?",
        ),
        ([HEADER + "\t", ROW + "\t"], "line 1: unknown column ''"),
        ([HEADER + "\ttext", ROW + "\t點"], "line 1: column 'text' stands twice"),
        (["text\tposition\tprediction", "點\t0\tdim2"], "line 1: no column 'label' in the header; expected tab-sep"),
        ([HEADER.replace("\t", ","), ROW], "line 1: unknown column"),
        ([HEADER], "line 1: holds a header and no item"),
        ([HEADER, ROW, "點鬼解\t2\tgaai2"], "line 3: expected 4 tab-separated fields as in the header, found 3"),
        ([HEADER, ROW, ROW + "\t"], "line 3: expected 4 tab-separated fields as in the header, found 5"),
        ([HEADER, ROW, ""], "line 3: expected 4 tab-separated fields"),
        (
            [HEADER, ROW.replace("2", "3", 1)],
            "line 2: position '3' is not in '點鬼解'; expected a whole number from 0 to 2",
        ),
        ([HEADER, ROW.replace("2", "-1", 1)], "line 2: position '-1'"),
        ([HEADER, ROW.replace("2", "1.0", 1)], "line 2: position '1.0'"),
        ([HEADER, ROW.replace("2", "２", 1)], "line 2: position '２'"),
        ([HEADER, ROW.replace("2", "", 1)], "line 2: position ''"),
        ([HEADER, ROW, ROW.replace("gaai2/haai2", "gaai")], "line 3: reading 'gaai' is no Jyutping syllable"),
        ([HEADER, ROW.replace("gaai2/haai2", "")], "line 2: reading ''"),
        ([HEADER + "\toutput_length", ROW + "\t-3"], "line 2: output_length '-3' is no whole number"),
        ([HEADER + "\toutput_length", ROW + "\t"], "line 2: output_length ''"),
        ([""], "line 1: unknown column ''"),
    ],
)
def test_wrong_tables_are_refused(write, lines, message):
    with pytest.raises(InputError) as error:
        table(write, *lines)
    assert f"items.tsv, {message}" in str(error.value)


def test_the_first_of_many_bad_labels_is_named(write):
    rows = [f"點\t0\tbad{'x' * i}\tdim2" for i in range(1, 30)]
    with pytest.raises(InputError, match="line 2: reading 'badx'"):
        table(write, HEADER, *rows)


def test_predictions_file_is_matched_by_text_and_position(write):
    path = write("text\tposition\tprediction\toutput_length\n好雨\t1\tjyu5\t2\n好雨\t0\thou2\t1\n好雨\t1\tjyu5\t2\n")
    found = from_file(path, ["好雨", "好雨", "知時"], [0, 1, 0])
    assert found == (["hou2", "jyu5", None], [1, 2, 2])


@pytest.mark.parametrize("header", ["text\tposition\tprediction", "output_length\tprediction\tlabel\tposition\ttext"])
def test_a_table_in_any_order_gives_items_that_are_had_in_parts_what_it_gives_all(write, header, monkeypatch):
    monkeypatch.setattr(tables, "ROWS_IN_HAND", 7)
    choose = random.Random(5)
    items = [(f"{n:03d}" * 2, position) for n in range(40) for position in (0, 5)]
    given = [(*item, choose.choice(["hou2", "gwong2", "", "x"]), choose.choice([6, 6, 2])) for item in items]
    rows = choose.sample([*given[:70], *given[:9]], 79)  # some twice, some not at all
    of = [
        dict(zip(("text", "position", "prediction", "output_length"), row, strict=True), label="hou2") for row in rows
    ]
    lines = ["\t".join(str(row[name]) for name in header.split("\t")) for row in of]
    path = write("\n".join([header, *lines]) + "\n")
    assert Tabled.of(path)
    streamed = [row for part in stream_file(path, lambda: (items[n : n + 9] for n in range(0, 80, 9))) for row in part]
    assert streamed == list(zip(*from_file(path, *zip(*items, strict=True)), strict=True))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("好雨\t2\thou2\n", "line 2: position '2' is not in '好雨'"),
        ("好雨\t0\n", "line 2: expected 3 tab-separated fields"),
        ("好雨\t0\thou2\n春夜\t0\tceon1\n", "line 3: '春夜' with position 0 is no item of the corpus"),
        ("好雨\t0\thou2\n好雨\t0\thou3\n", "line 3: '好雨' with position 0 stands twice with different predictions"),
    ],
)
def test_predictions_that_fit_no_item_are_refused(write, rows, message):
    path = write("text\tposition\tprediction\n" + rows)
    for read in (lambda: from_file(path, ["好雨"], [0]), lambda: list(stream_file(path, lambda: [[("好雨", 0)]]))):
        with pytest.raises(InputError) as error:
            read()
        assert message in str(error.value)


def test_outputs_are_kept_and_a_short_one_gives_none():
    outputs = {"好雨": ["hou", ""], "春夜": ["ceon1"], "夜雨": ["\ud800", "jyu5"]}
    texts, positions = ["好雨", "好雨", "春夜", "夜雨"], [0, 1, 1, 0]
    assert from_outputs(texts, positions, outputs) == (["hou", None, None, "\\ud800"], [2, 2, 1, 2])


@pytest.mark.parametrize("output", [["hou2", None], [], ["hou2"], ("hou2", ""), ["hou2"] * 3])
def test_outputs_of_any_length_are_scored_and_not_refused(output):
    assert check_output("好雨", output) is None


@pytest.mark.parametrize(
    ("output", "message"),
    [("hou2 jyu5", "the output is str"), (None, "NoneType"), ({"好": "hou2"}, "dict"), ([1, 2], "holds 1 (int)")],
)
def test_outputs_of_another_kind_are_refused(output, message):
    assert message in check_output("好雨", output)
