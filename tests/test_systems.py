"""What the documents of submissions are filled from."""

import json
from importlib import metadata
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
    fitted, other = (systems.csc(catalog, model, "retrieved") for model in ("dictionary", "do-nothing"))
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
    assert other["corpora"]["sample-csc-test"]["files"] == {"text": "resources/samples/csc/sample-test.txt"}


def test_an_object_of_a_corpus_is_named_by_its_copy(catalog):
    catalog.corpora["sample-csc-test"]["files"]["text"] = "s3://speech/texts/test.txt"
    found = systems.csc(catalog, "do-nothing", "retrieved")["corpora"]["sample-csc-test"]["files"]
    assert found == {"text": "retrieved/s3/speech/texts/test.txt"}


def test_a_diarization_model_is_described_with_its_identification_model(catalog):
    system = systems.speech(catalog, "window+gmm", "closed")
    assert (system["task"], system["track"], system["pretrained"]) == ("ld", "closed", [])
    assert list(system["components"]) == ["window+gmm", "gmm"]
    assert {entry["task"] for entry in system["corpora"].values()} == {"merlion"}
    assert system["config"].keys() == {"seed", "merlion", "lid", "ld"}


def test_silero_makes_a_system_one_of_the_open_track(monkeypatch):
    monkeypatch.chdir(ROOT)
    config = load_yaml("config/config.yaml") | {"disabled": []}
    catalog = resolve(config, ROOT / "config" / "schema")
    assert catalog.track_of("vad+gmm") == "closed" and catalog.track_of("silero+gmm") == "open"
    [pretrained] = systems.speech(catalog, "silero+gmm", "open")["pretrained"]
    assert (pretrained["name"], pretrained["version"]) == ("Silero VAD", metadata.version("silero-vad"))
    assert [model for model in catalog.model_ids("ld") if catalog.pretrained_of(model)] == [
        "silero+gmm",
        "silero+conformer-small",
    ]


def test_a_model_of_a_hub_makes_a_system_one_of_the_open_track(monkeypatch, write):
    """Its own, and that of a diarization model that uses it; both name repository and commit."""
    hub = {"hub": "owner/name", "revision": 40 * "a", "files": {"x": {"sha256": 64 * "0", "size_bytes": 1}}}
    about = {"title": "W", "licence": "MIT", "training_data": ["unknown"], "loader": "whisper"}
    diarizer = {"task": "ld", "kind": "python", "title": "V", "class": "package:Vad", "lid": "heard"}
    entries = {"heard": {"task": "lid", "kind": "hub", **hub, **about}, "vad+heard": diarizer}
    monkeypatch.chdir(ROOT)
    config = load_yaml("config/config.yaml")
    config["catalogs"] = {"models": ["config/models.yaml", str(write(json.dumps(entries), "own.yaml"))]}
    catalog = resolve(config, ROOT / "config" / "schema")
    assert catalog.models["heard"]["fit"] and catalog.partition_of("heard") == "sample"
    expected = {"name": "owner/name", "version": 40 * "a", "url": "https://huggingface.co/owner/name", "public": True}
    for model in ("heard", "vad+heard"):
        assert catalog.track_of(model) == "open" and catalog.pretrained_of(model) == [expected]
