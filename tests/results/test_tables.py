from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pytest

from sinobench.errors import InputError
from sinobench.g2p.tables import ITEMS, OUTCOMES
from sinobench.merlion.audio.shards import Writer
from sinobench.merlion.audio.tables import CHUNKS
from sinobench.results import tables
from sinobench.results.registry import TABLES


def test_absent_columns_are_null_and_scalars_repeat(tmp_path):
    path = tmp_path / "g2p_outcomes.parquet"
    columns = {"corpus": "dufu", "model": "trie", "item_id": ["a", "b"], "strict_errors": np.array([0, 4])}
    tables.write(OUTCOMES, columns | {"strict_correct": np.array([True, False])}, path)
    found = tables.read(path)
    assert found.schema.equals(tables.schema(OUTCOMES))
    rows = found.to_pylist()
    assert [(row["corpus"], row["item_id"], row["strict_errors"]) for row in rows] == [
        ("dufu", "a", 0),
        ("dufu", "b", 4),
    ]
    assert [row["strict_correct"] for row in rows] == [True, False]
    assert {row["prediction"] for row in rows} == {None}


def test_rows_may_differ_in_their_keys(tmp_path):
    path = tmp_path / "metrics.parquet"
    tables.write(tables.METRICS, [{"metric": "per", "value": 0.5}, {"metric": "accuracy", "n_items": 3}], path)
    rows = tables.read(path).to_pylist()
    assert [(row["metric"], row["value"], row["n_items"]) for row in rows] == [
        ("per", 0.5, None),
        ("accuracy", None, 3),
    ]


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
@pytest.mark.parametrize("kind", ["rows", "columns"])
def test_every_table_can_be_empty(tmp_path, table, kind):
    empty = [] if kind == "rows" else {next(iter(table.columns)): []}
    path = tmp_path / f"{table.name}.parquet"
    tables.write(table, empty, path)
    found = tables.read(path)
    assert found.num_rows == 0 and found.schema.equals(tables.schema(table))


@pytest.mark.parametrize("columns", [{"metric": ["per"], "unit": ["s"]}, [{"metric": "per", "unit": "s"}]])
def test_unknown_column_is_refused(tmp_path, columns):
    with pytest.raises(KeyError, match="table metrics has no column unit"):
        tables.write(tables.METRICS, columns, tmp_path / "metrics.parquet")
    assert not (tmp_path / "metrics.parquet").exists()


def test_columns_of_unequal_length_are_refused(tmp_path):
    with pytest.raises((ValueError, pa.ArrowInvalid)):
        tables.write(tables.METRICS, {"metric": ["per", "accuracy"], "value": [0.5]}, tmp_path / "metrics.parquet")


def test_lists_of_labels_and_text_of_any_plane_come_back(tmp_path):
    path = tmp_path / "items.parquet"
    tables.write(ITEMS, {"labels": [["ni1", "nei1"], ["go2"]], "text": ["呢\u3000", "𠮶"]}, path)
    found = tables.read(path).to_pydict()
    assert found["labels"] == [["ni1", "nei1"], ["go2"]] and found["text"] == ["呢\u3000", "𠮶"]


def test_same_rows_are_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        tables.write(tables.METRICS, [{"metric": "per", "value": 0.5}] * 100, tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("table", [tables.METRICS, CHUNKS], ids=["metrics", "chunks"])
def test_no_flipped_bit_gives_other_values(tmp_path, table):
    path, damaged = tmp_path / "whole.parquet", tmp_path / "damaged.parquet"
    values = np.random.default_rng(0).random(200)
    if table is tables.METRICS:
        tables.write(table, {"model": [f"model {i}" for i in range(200)], "value": values}, path)
    else:
        with Writer(path, table) as writer:
            writer.write({"segment_id": [f"{i}" for i in range(200)], "audio": [v.tobytes() for v in values]})
    expected, content = tables.read(path), path.read_bytes()
    footer = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
    found = 0
    for place in range(4, footer, max(1, footer // 150)):
        damaged.write_bytes(content[:place] + bytes([content[place] ^ 0x10]) + content[place + 1 :])
        for read in (
            tables.read,
            lambda file: pa.concat_tables(tables.row_groups(file)),
            lambda file: pa.concat_tables(tables.batches(file, n_rows=64)),
        ):
            try:
                assert read(damaged).equals(expected), place
            except InputError as error:
                assert "damaged.parquet: is damaged" in str(error)
                found += 1
    assert found > 300


@dataclass(frozen=True)
class Held:
    name: str
    speaker: str | None
    start_ms: int
    share: float
    heard: bool
    row: int = 0


HELD = tables.Table("held", {"corpus": "string", "kind": "string"} | tables.columns_of(Held) | {"start_ms": "int32"})


def test_columns_have_the_types_of_the_fields_but_where_another_is_named():
    assert HELD.columns == {
        **{"corpus": "string", "kind": "string", "name": "string", "speaker": "string"},
        **{"start_ms": "int32", "share": "double", "heard": "bool", "row": "int64"},
    }


def test_objects_come_back_from_their_rows(tmp_path):
    held = [Held("a", None, 1, 0.5, True, row=3), Held("b", "s", 2, 0.25, False)]
    for kind in ("one", "other"):
        rows = tables.rows_of(HELD, held, corpus="c", kind=kind, no_column=1)
        tables.write(HELD, rows, tmp_path / kind)
    assert tables.objects(Held, tmp_path / "one") == held
    assert tables.objects(Held, tmp_path / "one", tmp_path / "other", kind="other") == held
    assert tables.objects(Held, tmp_path / "one", name="b") == held[1:]


def test_a_field_that_is_no_column_has_its_default(tmp_path):
    columns = {name: kind for name, kind in HELD.columns.items() if name != "row"}
    table = tables.Table("held", columns)
    tables.write(table, tables.rows_of(table, [Held("a", None, 1, 0.5, True, row=3)]), tmp_path / "held")
    assert tables.objects(Held, tmp_path / "held") == [Held("a", None, 1, 0.5, True)]
