"""What the rules of the gate do: a table of every model, and a job that fails for a refused one alone."""

import pytest

import admit_model
import inspect_model
from sinobench.errors import InputError
from sinobench.results import tables


def inspected(place, tmp_path):
    path = tmp_path / "inspections.parquet"
    inspect_model.main("csc", "mine", str(place.folder), place.pinned(), str(path))
    return path


def test_an_honest_model_is_admitted(place, tmp_path):
    admit_model.main("mine", str(inspected(place, tmp_path)), str(tmp_path / "admitted"))
    assert [line.split()[1] for line in (tmp_path / "admitted").read_text().splitlines()] == [
        "config.json",
        "model.safetensors",
        "vocab.txt",
    ]


def test_a_refused_model_has_its_rows_and_is_not_admitted(place, tmp_path, canary):
    place.write("vocab.txt", b"#!/bin/sh\n")
    path = inspected(place, tmp_path)
    rows = {row["file"]: row for row in tables.read(path).to_pylist()}
    assert {name: row["verdict"] for name, row in rows.items()} == {
        "config.json": "accepted",
        "model.safetensors": "accepted",
        "vocab.txt": "refused",
    }
    assert rows["vocab.txt"]["reason"].startswith("is a script")
    with pytest.raises(InputError, match=r"model 'mine' is refused: vocab\.txt: is a script"):
        admit_model.main("mine", str(path), str(tmp_path / "admitted"))
    assert not (tmp_path / "admitted").exists()
