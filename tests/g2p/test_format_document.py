"""docs/g2p.md: what its examples of files are read as, and what the command prints of its table."""

from collections import defaultdict

from sinobench import cli
from sinobench.g2p.corpus import read_anchored, read_dufu
from sinobench.g2p.table import COLUMNS
from tests.documents import fences, tables

DOCUMENT = "docs/g2p.md"
COLUMNS_SHOWN, ANCHORED, DUFU = (table.dicts() for table in tables(DOCUMENT))
BLOCKS = [block for block in fences() if block.document == DOCUMENT]


def test_the_columns_of_the_table_are_those_that_are_read():
    assert tuple(row["column"] for row in COLUMNS_SHOWN) == COLUMNS


def test_the_table_has_the_scores_shown(tmp_path, monkeypatch, capsys):
    (table,) = (block.text for block in BLOCKS if block.language == "tsv")
    (shown,) = (block.text for block in BLOCKS if block.text.startswith("$ "))
    (tmp_path / "items.tsv").write_text(table, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    command, _, printed = shown.partition("\n")
    assert cli.main(command.split()[2:]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.rstrip() for line in lines] == printed.splitlines()


def test_anchored_sentences_are_read_as_shown(write):
    names = (".sent", ".lb", ".pos")
    files = [write("".join(f"{row[name]}\n" for row in ANCHORED), f"a{name}") for name in names]
    found = read_anchored(*files, "words")
    assert found.set_aside == []
    assert [(i["text"], str(i["position"]), " ".join(i["labels"]), i["pos"]) for i in found.items] == [
        (row["text"], row["position"], row["labels"], row[".pos"]) for row in ANCHORED
    ]


def test_each_character_of_the_verses_is_an_item_or_set_aside_as_shown(write):
    assert [row["line"] for row in DUFU] == [str(number + 1) for number in range(len(DUFU))]
    found = read_dufu(write("".join(f"{row['the file']}\n" for row in DUFU), "dufu.txt"), "classical")
    items, aside = defaultdict(list), {}
    for item in found.items:
        items[item["line"]].append(item["character"])
    for row in found.set_aside:
        aside[row["line"]] = row["reason"]
    assert [(" ".join(items[n]), aside.get(n, "")) for n in range(1, len(DUFU) + 1)] == [
        (row["items"], row["set aside"]) for row in DUFU
    ]
    assert {item["unit"] for item in found.items} == {"0001"}
