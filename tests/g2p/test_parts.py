import random
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from sinobench.g2p import breakdown, stored
from sinobench.g2p.alike import Part
from sinobench.g2p.corpus import read_corpus
from sinobench.g2p.metrics import confusions
from sinobench.g2p.tables import ITEMS, PREDICTIONS
from sinobench.results import tables
from sinobench.results.stored import in_files

ROOT = Path(__file__).parents[2] / "resources/samples/g2p"
FILES = {part: str(ROOT / f"sample-classical.{part}") for part in ("sent", "lb")}
ENTRY = {"reader": "anchored", "register": "classical"}


@pytest.fixture
def seven_at_once(monkeypatch):
    for name in ("ROWS_AT_ONCE", "ROWS_IN_HAND"):
        monkeypatch.setattr(tables, name, 7)


def test_items_read_some_at_a_time_are_those_read_at_once(monkeypatch):
    whole = read_corpus(ENTRY, FILES)
    parts = []
    monkeypatch.setattr(tables, "ROWS_IN_HAND", 7)
    read = read_corpus(ENTRY, FILES, parts.append)
    assert [len(part) for part in parts] == [7] * 8 + [4]
    assert [row for part in parts for row in part] == whole.items
    assert len(read.items) == len(whole.items) == 60


@pytest.fixture
def files(tmp_path):
    items = [{"corpus": "c", **row} for row in read_corpus(ENTRY, FILES).items]
    labels = [row["labels"][0] for row in items]
    labels[3::11] = [None] * len(labels[3::11])
    rows = [
        {"corpus": "c", "model": "m", "item_id": row["item_id"], "prediction": label, "output_length": len(row["text"])}
        for row, label in zip(items, labels[1:] + labels[:1], strict=True)
    ]
    found = {ITEMS: tmp_path / "items.parquet", PREDICTIONS: tmp_path / "predictions.parquet"}
    tables.write(ITEMS, items, found[ITEMS])
    tables.write(PREDICTIONS, rows, found[PREDICTIONS])
    return {table: str(path) for table, path in found.items()}


def test_items_scored_some_at_a_time_have_the_figures_of_all_at_once(files, seven_at_once):
    own = in_files("c", "m", files)
    items, predicted, outcomes = stored.outcomes(own)
    assert len(list(stored.parts(own))) == 9
    held = stored.gathered(own)
    expected = confusions(items["labels"], predicted["prediction"], outcomes)
    assert [tuple(row.values()) for row in held.confusion_rows()] == expected
    together = zip(stored.scores_of(held), breakdown.scores(outcomes, items), strict=True)
    for one, other in together:
        assert (one.protocol, one.subset, list(one.units)) == (other.protocol, other.subset, list(other.units))
        assert np.array_equal(one.statistics, other.statistics)


def test_a_table_written_in_parts_has_the_rows_of_one_written_whole(files, tmp_path, seven_at_once):
    rows = tables.read(files[ITEMS]).to_pylist()
    tables.write(ITEMS, rows, tmp_path / "again.parquet")
    assert pq.read_metadata(tmp_path / "again.parquet").num_row_groups == 9
    assert tables.read(tmp_path / "again.parquet").to_pylist() == rows
    assert [row for part in tables.batches(tmp_path / "again.parquet") for row in part.to_pylist()] == rows


def test_verse_has_more_than_9999_poems(tmp_path):
    verse = tmp_path / "verse.txt"
    verse.write_text("9999 望嶽\nmong6 ngok6\n10000 岱宗\ndoi6 zung1\n", encoding="utf-8")
    read = read_corpus({"reader": "dufu", "register": "classical"}, {"text": str(verse)})
    assert [item["unit"] for item in read.items] == ["9999", "9999", "10000", "10000"]


def test_items_scored_by_their_kinds_have_the_outcomes_of_each_for_itself():
    choose = random.Random(3)
    chosen = {
        "labels": [["hou2"], ["gwong2", "ng5"], ["ng5", "gwong2"]],
        "position": [0, 1],
        "text": ["一二三", "一二三四"],
        "prediction": ["hou2", "hou3", "m5", "gwong", "", None],
        "output_length": [3, 3, 3, 4, 1],
    }
    drawn = {name: choose.choices(values, k=300) for name, values in chosen.items()}
    drawn["item_id"] = [f"{n:03d}" for n in range(300)]
    items, predictions = (
        {name: drawn[name] for name in table.columns if name in drawn} for table in (ITEMS, PREDICTIONS)
    )
    wanted = breakdown.outcome_columns(items, predictions, breakdown.score_table(items, predictions))
    part = Part.of(tables.to_arrow(ITEMS, items), tables.to_arrow(PREDICTIONS, predictions))
    assert len(part.of_kinds["text"]) < 300
    assert {name: column.to_pylist() for name, column in part.outcome_columns().items()} == {
        name: [value.item() if isinstance(value, np.generic) else value for value in values]
        for name, values in wanted.items()
    }
