from collections import Counter

import pytest

from sinobench.errors import InputError
from sinobench.g2p.corpus import read_anchored, read_dufu
from sinobench.text import read_lines

SENT, LB = "伯公▁神▁壇\n▁佢▁話\n", "san4\nkeoi5/heoi5\n"


def anchored(write, sent=SENT, lb=LB, pos=None):
    files = write(sent, "a.sent"), write(lb, "a.lb"), None if pos is None else write(pos, "a.pos")
    return read_anchored(*files, "colloquial")


def essence(corpus):
    return [(i["text"], i["position"], i["character"], i["labels"], i["pos"]) for i in corpus.items]


EXPECTED = [("伯公神壇", 2, "神", ["san4"], None), ("佢話", 0, "佢", ["keoi5", "heoi5"], None)]


@pytest.mark.parametrize(
    ("sent", "lb"),
    [
        (SENT, LB),
        (SENT.replace("▁", "_"), LB),
        (SENT.replace("\n", "\r\n"), LB.replace("\n", "\r\n")),
        ("\ufeff" + SENT, "\ufeff" + LB),
        (SENT[:-1], LB),
        (SENT, LB[:-1]),
        (SENT, LB.replace("heoi5", "heoi5/keoi5")),
    ],
    ids=["plain", "underscore", "crlf", "bom", "no-last-newline-sent", "no-last-newline-lb", "repeated-reading"],
)
def test_anchored_sentences(write, sent, lb):
    corpus = anchored(write, sent, lb)
    assert essence(corpus) == EXPECTED
    assert [(i["line"], i["register"]) for i in corpus.items] == [(1, "colloquial"), (2, "colloquial")]
    assert len({i["item_id"] for i in corpus.items}) == len({i["unit"] for i in corpus.items}) == 2
    assert corpus.set_aside == []


def test_target_at_the_end_and_beyond_the_basic_plane(write):
    assert essence(anchored(write, "食▁𠮶▁\n", "go2\n")) == [("食𠮶", 1, "𠮶", ["go2"], None)]


def test_pos_tags_go_with_their_lines(write):
    assert [i["pos"] for i in anchored(write, pos="N\r\nUNK\r\n").items] == ["N", "UNK"]


@pytest.mark.parametrize(
    ("sent", "lb", "pos", "message"),
    [
        ("伯公神壇\n▁佢▁話\n", LB, None, "a.sent, line 1: '伯公神壇' has 0 anchors"),
        ("伯公▁神▁壇\n▁佢話\n", LB, None, "a.sent, line 2: '▁佢話' has 1 anchors"),
        ("伯公▁神▁壇▁\n▁佢▁話\n", LB, None, "a.sent, line 1: '伯公▁神▁壇▁' has 3 anchors"),
        ("伯▁公神▁壇\n▁佢▁話\n", LB, None, "a.sent, line 1: '伯▁公神▁壇' has 2 anchors; expected one character"),
        ("伯▁▁公神壇\n▁佢▁話\n", LB, None, "a.sent, line 1"),
        ("伯公▁神▁壇\n\n▁佢▁話\n", LB, None, "a.lb: has 2 lines where a.sent has 3"),
        (SENT, "san4\n", None, "a.lb: has 1 lines where a.sent has 2"),
        (SENT, LB, "N\n", "a.pos: has 1 lines where a.sent has 2"),
        (SENT, "san4\nkeoi\n", None, "a.lb, line 2: reading 'keoi' is no Jyutping syllable"),
        (SENT, "san7\nkeoi5\n", None, "a.lb, line 1: reading 'san7'"),
        (SENT, "san4\nkeoi5/\n", None, "a.lb, line 2: reading ''"),
        (SENT, "san4 \nkeoi5\n", None, "a.lb, line 1: reading 'san4 '"),
        (SENT, "\nkeoi5\n", None, "a.lb, line 1: reading ''"),
        (SENT, LB, "N\nverb\n", "a.pos, line 2: POS tag 'verb' is not one of N V T"),
        (SENT.encode("gbk", "replace") + "神".encode("big5"), LB, None, "a.sent, line 1: byte 1 is not UTF-8"),
        ("", LB, None, "a.sent: is empty"),
    ],
)
def test_wrong_anchored_files_are_refused(write, sent, lb, pos, message):
    with pytest.raises(InputError) as error:
        anchored(write, sent, lb, pos)
    assert message in str(error.value)


DUFU = """\
集子全文 2392

0003 春夜
ceon1 je6

好雨知時節，當春乃發生。
hou2 jyu5 zi1 si4 zit3, dong1 ceon1 naai5 faat3 sang1.
【韻】
〚1.2.5〛生，可讀 sang1。
================
0008 二首[并序]
ji6 sau2 unknown bing3 zeoi6 unknown

其一
kei4 jat1

花重錦官城
faa1 cung4/zung6 gam2 gun1 sing4
花重錦
faa1 cung4
花飋城
faa1 unknown sing4
花重
faa1 cung9
"""


def test_dufu(write):
    corpus = read_dufu(write(DUFU, "dufu.txt"), "classical")
    pairs = {}
    for item in corpus.items:
        assert item["text"][item["position"]] == item["character"]
        pairs.setdefault((item["unit"], item["line"]), []).append(f"{item['character']} {'/'.join(item['labels'])}")
    assert {key: " ".join(pair) for key, pair in pairs.items()} == {
        ("0003", 3): "春 ceon1 夜 je6",
        ("0003", 6): "好 hou2 雨 jyu5 知 zi1 時 si4 節 zit3 當 dong1 春 ceon1 乃 naai5 發 faat3 生 sang1",
        ("0008", 11): "二 ji6 首 sau2 并 bing3 序 zeoi6",
        ("0008", 14): "其 kei4 一 jat1",
        ("0008", 17): "花 faa1 重 cung4/zung6 錦 gam2 官 gun1 城 sing4",
        ("0008", 21): "花 faa1 城 sing4",
        ("0008", 23): "花 faa1",
    }
    assert [(row["line"], row["reason"], row["detail"]) for row in corpus.set_aside] == [
        (1, "not_text", None),
        (8, "not_text", None),
        (9, "not_text", None),
        (10, "not_text", None),
        (19, "length_mismatch", "3 characters, 2 syllables"),
        (21, "no_reading", "飋 at 1"),
        (23, "invalid_syllable", "重 at 1: cung9"),
    ]
    assert len({item["item_id"] for item in corpus.items}) == len(corpus.items)


def test_dufu_heading_without_syllables_still_starts_its_poem(write):
    corpus = read_dufu(write("0003 春夜\n\n好雨\nhou2 jyu5\n"), "classical")
    assert [i["unit"] for i in corpus.items] == ["0003", "0003"]
    assert [(row["text"], row["reason"]) for row in corpus.set_aside] == [("0003 春夜", "not_text")]


def test_dufu_address_below_a_remark_is_no_syllable_line(write):
    corpus = read_dufu(write("好雨\nhou2 jyu5\n完成了\nhttps://github.com/a/%E6%9d9C\n"), "classical")
    assert [row["reason"] for row in corpus.set_aside] == ["not_text", "not_text"]


def test_dufu_without_any_pair_is_refused(write):
    with pytest.raises(InputError, match=r"prose\.txt: holds no line of Han characters"):
        read_dufu(write("花重錦官城\n\n好雨\n", "prose.txt"), "classical")


@pytest.mark.parametrize(
    ("name", "n"), [("wordshk", 1528), ("colloquial", 500), ("classical", 100)], ids=["wordshk", "colloquial", "dufu"]
)
def test_benchmark_counts(mirror, name, n):
    folder = mirror / "yue-g2p-benchmark"
    pos = folder / f"{name}.pos" if name == "colloquial" else None
    corpus = read_anchored(folder / f"{name}.sent", folder / f"{name}.lb", pos, name)
    assert len(corpus.items) == n and corpus.set_aside == []
    assert all((item["pos"] is None) == (pos is None) for item in corpus.items)


def test_whole_dufu_counts_and_nothing_is_lost(mirror):
    (path,) = (mirror / "dufu-analysis").glob("*.txt")
    corpus = read_dufu(path, "classical")
    assert len(corpus.items) == 113_075
    assert len({item["unit"] for item in corpus.items}) == 1_133
    reasons = Counter(row["reason"] for row in corpus.set_aside)
    assert reasons == {"not_text": 5_578, "length_mismatch": 14, "no_reading": 24}

    lines = read_lines(path)
    paired = {i["line"] for i in corpus.items} | {r["line"] for r in corpus.set_aside if r["reason"] != "not_text"}
    used = Counter(paired) + Counter(line + 1 for line in paired)
    used += Counter(row["line"] for row in corpus.set_aside if row["reason"] == "not_text")
    assert used == {number: 1 for number, line in enumerate(lines, start=1) if line.strip()}
    # Within a pair, too: each Han character is an item or has its reason.
    kept = Counter(i["line"] for i in corpus.items) + Counter(
        r["line"] for r in corpus.set_aside if r["reason"] in ("no_reading", "invalid_syllable")
    )
    assert all(kept[i["line"]] == sum(c.isalpha() for c in i["text"]) for i in corpus.items)
