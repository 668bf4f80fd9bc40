"""A table that something overwrote after its job, in any way, is not read."""

import pytest

from sinobench.errors import InputError
from sinobench.results import seals, tables
from sinobench.runs import remove


def test_only_what_was_sealed_is_read(tmp_path):
    path = tmp_path / "metrics.parquet"
    tables.write(tables.METRICS, [{"model": "a", "value": 0.5}], path)
    seals.seal(path)
    assert tables.read(path).num_rows == 1
    tables.write(tables.METRICS, [{"model": "a", "value": 0.75}], path)
    with pytest.raises(InputError, match=r"metrics.parquet: is not what its job wrote"):
        tables.read(path)
    seals.seal(path)
    assert tables.read(path).to_pylist()[0]["value"] == 0.75


def test_the_seal_goes_with_its_table(tmp_path):
    path = tmp_path / "metrics/sample/m.parquet"
    path.parent.mkdir(parents=True)
    tables.write(tables.METRICS, [], path)
    seals.seal(path)
    remove([str(path)], str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_damage_is_found_wherever_it_is_with_what_to_delete(tmp_path):
    path = tmp_path / "shard/chunks.parquet"
    path.parent.mkdir()
    tables.write(tables.METRICS, [{"model": "a", "value": 0.5}] * 50, path)
    seals.seal(path.parent)
    whole = path.read_bytes()
    footer = [len(whole) - back for back in range(9, 400, 13)]
    for damaged in (
        whole[: len(whole) // 2],
        b"",
        *(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :] for place in (4, len(whole) // 2, *footer)),
    ):
        path.write_bytes(damaged)
        for read in (tables.read, lambda file: list(tables.row_groups(file))):
            with pytest.raises(InputError, match=r"chunks.parquet: is not what.*; delete the folder .*shard and run"):
                read(path)
    path.write_bytes(whole)
    assert [table.num_rows for table in tables.row_groups(path)] == [50]


def test_a_seal_that_is_cut_off_is_no_seal_of_the_table(tmp_path):
    path = tmp_path / "metrics.parquet"
    tables.write(tables.METRICS, [], path)
    seals.seal(path)
    (tmp_path / ".metrics.parquet.sha256").write_text("", encoding="utf-8")
    with pytest.raises(InputError, match=r"delete it and run again"):
        tables.read(path)
