"""The catalog's entries for sets that a user lays under data/, each on a few lines in the form it is released in."""

import json
import subprocess
from pathlib import Path

import pytest

from sinobench.csc.readers import read_corpus
from sinobench.csc.released import read_cged, read_ctc2021, read_lang8, read_yaclc
from sinobench.errors import InputError
from sinobench.schema import check, load_yaml

CONFIG = Path(__file__).parents[2] / "config"
CATALOG = check(load_yaml(CONFIG / "corpora.yaml"), CONFIG / "schema/corpora.schema.yaml", "corpora")


def yaclc(number, text, *corrections):
    annotations = [
        {"is_grammatical": g, "correction": c, "edits_count": 1, "annotator_count": 2} for g, c in corrections
    ]
    common = {"article_id": 7, "article_name": "我的假期", "total_annotators": 10}
    return json.dumps(
        {"sentence_id": number, "sentence_text": text, **common, "sentence_annos": annotations}, ensure_ascii=False
    )


CGED = """\
<DOC>
<TEXT id="1">
我门明天去公园。
</TEXT>
<CORRECTION>
我们明天去公园。
</CORRECTION>
<ERROR start_off="2" end_off="2" type="S" answer="们"></ERROR>
</DOC>
<TEXT id="2">
他昨天来的学校。
</TEXT>
<CORRECTION>
他昨天来了学校上课。
</CORRECTION>
<ERROR start_off="5"end_off="5"type="S"></ERROR>
</DOC>
<DOC>
<TEXT id="2">
天气很好。
</TEXT>
<CORRECTION>
天气很好。
</CORRECTION>
</DOC>
"""
TABLE = {
    "lang8": (
        "1\t2\t我门明天去公园。\t我们明天去公园。\t我们明天去公园吧。\n2\t0\t天气很好。\n1\t1\t他昨天来的\t他昨天来了\n",
        [(1, "我门明天去公园。", ["我们明天去公园。"]), (3, "他昨天来的", ["他昨天来了"])],
        [(1, "length_change"), (2, "not_annotated")],
    ),
    "hsk": (
        ("我 门 明 天 去 公园 。\n天气 很 好\n", "我 们 明 天 去 公园 。\n天气 非常 好\n"),
        [(1, "我门明天去公园。", ["我们明天去公园。"])],
        [(2, "length_change")],
    ),
    "ctc2021-train": (
        '{"ID": "ID17", "source": "我门明天去公园。", "target": "我们明天去公园。"}\n'
        '{"ID": "ID18", "source": "天气都都很好。", "target": "天气都很好。"}\n',
        [(1, "我门明天去公园。", ["我们明天去公园。"])],
        [(2, "length_change")],
    ),
    "ctc2021": (
        (
            "pid=0001-1\t我门明天去公元。\npid=0001-2\t天气很好。\npid=0002-1\t天气都都很好。\npid=0003-1\t他来公园\n",
            "pid=0001-1, 1, 别字, 门, 们, 5, 别词, 公元, 公园,\npid=0001-2, -1\npid=0002-1, 3, 冗余, 都, ,\n"
            "pid=0003-1, 2, 缺失, , 了,\n",
        ),
        [(1, "我门明天去公元。", ["我们明天去公园。"]), (2, "天气很好。", ["天气很好。"])],
        [(3, "length_change"), (4, "length_change")],
    ),
    "cged": (
        CGED,
        [(2, "我门明天去公园。", ["我们明天去公园。"]), (19, "天气很好。", ["天气很好。"])],
        [(10, "length_change")],
    ),
    "mucgec": (
        "1\t我门明天去公园。\t我们明天去公园。\t我们明天要去公园。\n2\t天气很好。\t没有错误\n3\t花大地\t无法标注\n",
        [(1, "我门明天去公园。", ["我们明天去公园。"]), (2, "天气很好。", ["天气很好。"])],
        [(1, "length_change"), (3, "not_annotated")],
    ),
    "yaclc": (
        yaclc(11, "我门去公园。", (1, "我们去公园。"), (1, "我们要去公园。"), (0, "咱们去公园。"), (1, "我们去公园。"))
        + "\n"
        + yaclc(12, "天气很好。", (0, "天气真好。"))
        + "\n",
        [(1, "我门去公园。", ["我们去公园。"])],
        [(1, "length_change"), (2, "not_annotated")],
    ),
    "lemon-car": (
        "再 这 之 前 , 宏 光 M I N I\t在 这 之 前 , 宏 光 M I N I\n冲 击 更 大 了\t冲 击 更 大\n",
        [(1, "再这之前,宏光MINI", ["在这之前,宏光MINI"])],
        [(2, "length_change")],
    ),
    "cscd-ns": (
        "1\t我门明天去公园\t我们明天去公园\n0\t天气很好\t天气很好\n",
        [(1, "我门明天去公园", ["我们明天去公园"]), (2, "天气很好", ["天气很好"])],
        [],
    ),
}
SAME_FORM = {"cged-train": "cged", "cscd-ns-train": "cscd-ns"} | {
    f"lemon-{name}": "lemon-car" for name in ("cot", "enc", "gam", "mec", "new", "nov")
}
LOCAL = [name for name, entry in CATALOG.items() if any(str(f).startswith("data/") for f in entry["files"].values())]


def test_every_entry_under_data_has_a_case():
    assert sorted(LOCAL) == sorted([*TABLE, *SAME_FORM])
    for seed_names in ("lang8", "hsk", "cged", "mucgec", "yaclc", "ctc2021", "lemon-car", "cscd-ns"):
        assert seed_names in LOCAL


@pytest.mark.parametrize("corpus", LOCAL)
def test_entry_reads_the_released_form(corpus, tmp_path):
    contents, expected, aside = TABLE[SAME_FORM.get(corpus, corpus)]
    entry, files = CATALOG[corpus], {}
    parts = zip(entry["files"].items(), contents if isinstance(contents, tuple) else (contents,), strict=True)
    for (part, name), content in parts:
        files[part] = tmp_path / name
        files[part].parent.mkdir(parents=True, exist_ok=True)
        files[part].write_text(content, encoding="utf-8")
    read = read_corpus(corpus, entry, files)
    assert [(row["line"], row["input"], row["golds"]) for row in read.items] == expected
    assert [(row["line"], row["reason"]) for row in read.set_aside] == aside


def test_data_is_ignored_by_git():
    paths = sorted({file for name in LOCAL for file in CATALOG[name]["files"].values()})
    ignored = subprocess.run(
        ["git", "-C", CONFIG.parent, "check-ignore", *paths], capture_output=True, text=True, check=False
    )
    assert ignored.stdout.split() == paths


def test_lemon_read_as_it_stands_is_warned_of(tmp_path, caplog):
    text = tmp_path / "car.txt"
    text.write_text(TABLE["lemon-car"][0], encoding="utf-8")
    entry = CATALOG["lemon-car"] | {"remove_blanks": False}
    read_corpus("car", entry, {"text": text})
    assert "car: most characters stand alone between blanks; set remove_blanks" in caplog.text


@pytest.mark.parametrize(
    ("read", "content", "message"),
    [
        (read_lang8, "1\t1\t天\n", "line 1: expected id, number of corrections"),
        (read_lang8, "1\t天\t大\n", "line 1: expected id, number of corrections"),
        (read_lang8, "天\n", "line 1: expected id, number of corrections"),
        (read_lang8, "1\t1\t天\t大地\n", "holds no sentence with a correction of its length"),
        (read_yaclc, "{}\n", "line 1: has no text 'sentence_text'"),
        (read_yaclc, '{"sentence_text": "天"}\n', "line 1: has no list 'sentence_annos'"),
        (read_yaclc, '{"sentence_text": "天", "sentence_annos": [1]}\n', "line 1: has no list 'sentence_annos'"),
        (
            read_yaclc,
            '{"sentence_text": "天", "sentence_annos": [{"is_grammatical": 1}]}\n',
            "has no text 'correction'",
        ),
        (read_yaclc, "[1]\n", "line 1: expected a JSON object"),
        (read_yaclc, "[" * 100_000 + "\n", "line 1: expected a JSON object"),
        (read_ctc2021, '{"source": "天"}\n', "line 1: has no text 'target'"),
        (read_ctc2021, "pid=1\t天\n", "line 1: expected a JSON object"),
        (read_cged, "<TEXT id='1'>天</TEXT>\n<TEXT id='2'>\n", "line 2: expected <CORRECTION>, found '<TEXT id='2'>'"),
        (read_cged, "<TEXT>天</TEXT>\n<CORRECTION>大\n", "expected </CORRECTION>, found the end of the file"),
        (read_cged, "<CORRECTION>大</CORRECTION>\n", "line 1: expected <TEXT>"),
        (read_cged, "天\t大\n", "holds no sentence with a correction of its length"),
    ],
)
def test_what_is_not_in_the_form_is_refused(write, read, content, message):
    with pytest.raises(InputError) as error:
        read(write(content, "set.txt"))
    assert "set.txt" in str(error.value) and message in str(error.value)


@pytest.mark.parametrize(
    ("truth", "message"),
    [
        ("pid=1, 0, 别字, 天\n", "qua.solution, line 1: expected 'pid, -1' or"),
        ("pid=1, x, 别字, 天, 大,\n", "qua.solution, line 1: expected 'pid, -1' or"),
        ("pid=1\n", "qua.solution, line 1: expected 'pid, -1' or"),
        ("pid=1, -1\npid=1, -1\n", "qua.solution, line 2: 'pid=1' stands twice"),
        ("pid=1, -1\npid=2, -1\n", "qua.solution: 1 lines have no text"),
        ("pid=2, -1\n", "set.txt, line 1: 'pid=1' stands twice, or not in"),
        ("pid=1, 0, 别字, 人, 大,\n", "holds no sentence"),
    ],
)
def test_wrong_truth_of_ctc2021_is_refused(write, truth, message):
    with pytest.raises(InputError) as error:
        read_ctc2021(write("pid=1\t天地\n", "set.txt"), write(truth, "qua.solution"))
    assert message in str(error.value)


def test_ctc2021_edit_that_is_not_at_its_place_sets_the_sentence_aside(write):
    corpus = read_ctc2021(
        write("a\t天地\nb\t天地\nc\t人\n"), write("a, 1, 别字, 天, 大,\nb, 9, 别字, 地, 他,\nc, -1\n", "truth.txt")
    )
    assert [row["reason"] for row in corpus.set_aside] == ["location_mismatch"] * 2 and len(corpus.items) == 1


def test_sentences_with_line_ends_or_without_text_are_set_aside(write):
    corpus = read_cged(write(CGED.replace("我门", "我\n门").replace("他昨天来的学校。", "")))
    assert [row["reason"] for row in corpus.set_aside] == ["tab_or_line_end", "empty_input"]
    assert [item["input"] for item in corpus.items] == ["天气很好。"]
