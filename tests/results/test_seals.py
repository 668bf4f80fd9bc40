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
