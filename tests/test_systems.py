"""What the documents of submissions are filled from."""

from pathlib import Path

import pytest

from sinobench import systems
from sinobench.schema import load_yaml
from sinobench.selection import resolve

ROOT = Path(__file__).parents[1]


@pytest.fixture
def catalog(monkeypatch):
    monkeypatch.chdir(ROOT)
    return resolve(load_yaml("config/config.yaml"), ROOT / "config" / "schema")


def test_entries_are_described_without_what_only_selects_them():
    assert systems.described({"a": {"title": "A", "enabled": True, "catalog": "mine.yaml"}}) == {"a": {"title": "A"}}


def test_a_spelling_model_depends_on_the_scored_corpora_where_it_is_fitted(catalog):
    fitted, other = systems.csc(catalog, "dictionary"), systems.csc(catalog, "do-nothing")
    assert fitted["config"] == {
        "csc": {
            "models": ["dictionary"],
            "corpora": ["sample-csc", "sample-csc-test"],
            "training": ["sample-csc-train"],
        },
        "seed": 2023,
    }
    assert fitted["corpora"].keys() == {"sample-csc", "sample-csc-test", "sample-csc-train"}
    assert other["config"] == {"csc": {"models": ["do-nothing"], "corpora": ["sample-csc-test"]}}
    assert other["corpora"].keys() == {"sample-csc-test"} and other["sources"] == {}


def test_a_diarization_model_is_described_with_its_identification_model(catalog):
    system = systems.speech(catalog, "window+gmm", "closed")
    assert (system["task"], system["track"], system["pretrained"]) == ("ld", "closed", [])
    assert list(system["components"]) == ["window+gmm", "gmm"]
    assert {entry["task"] for entry in system["corpora"].values()} == {"merlion"}
    assert system["config"].keys() == {"seed", "merlion", "lid", "ld"}
