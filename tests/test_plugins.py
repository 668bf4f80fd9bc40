"""Catalogs of installed packages, and what is said of those that are wrong."""

import sys

import pytest
import yaml

from sinobench.errors import InputError
from sinobench.selection import resolve
from tests.conftest import ROOT

MODEL = {"task": "csc", "title": "Theirs", "kind": "python", "class": "their_package:Theirs"}
CORPUS = {"task": "csc", "title": "Theirs", "reader": "pairs", "files": {"text": "pairs.tsv"}, "licence": "MIT"}


@pytest.fixture
def install(tmp_path, monkeypatch):
    """install(package, models=..., corpora=...): a package that fails when it is imported, with these catalogs."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def install(package, value=None, **catalogs):
        module = package.replace("-", "_")
        (tmp_path / module).mkdir()
        (tmp_path / module / "__init__.py").write_text("raise RuntimeError('imported')\n")
        (tmp_path / f"{module}-1.0.dist-info").mkdir()
        metadata = f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n"
        (tmp_path / f"{module}-1.0.dist-info/METADATA").write_text(metadata)
        points = ""
        for kind, entries in catalogs.items():
            (tmp_path / module / f"{kind}.yaml").write_text(yaml.safe_dump(entries, allow_unicode=True))
            points += f"[sinobench.{kind}]\nown = {value or f'{module}:{kind}.yaml'}\n"
        (tmp_path / f"{module}-1.0.dist-info/entry_points.txt").write_text(points)
        return tmp_path / module

    return install


def resolved(**config):
    return resolve(
        {"csc": {"corpora": ["sample-csc"], "training": ["sample-csc-train"]}} | config, ROOT / "config/schema"
    )


def message(**config):
    with pytest.raises(InputError) as refused:
        resolved(**config)
    return refused.value.shown


def test_models_and_corpora_of_a_package_join_the_catalogs_and_nothing_of_it_is_imported(install):
    models, corpora = {"theirs": MODEL | {"inputs": ["weights"]}}, {"their-pairs": CORPUS}
    place = install("Their-Package", models=models, corpora=corpora)
    catalog = resolved(csc={"corpora": ["their-pairs"]})
    model, corpus = catalog.models["theirs"], catalog.corpora["their-pairs"]
    assert corpus["files"] == {"text": str(place / "pairs.tsv")}
    assert model["packages"] == ["their-package"] and model["inputs"] == [str(place / "weights")]
    assert place.name not in sys.modules


def test_a_config_may_name_the_packages_that_it_uses(install):
    install("one", models={"of-one": MODEL})
    install("another_one", models={"of-another": MODEL | {"enabled": False}})
    assert "of-one" in resolved().models and "of-another" not in resolved().models
    assert "of-one" not in resolved(plugins=[]).models
    chosen = resolved(plugins=["Another_One"], csc={"corpora": ["sample-csc"], "models": ["of-another"]})
    assert list(chosen.models) == ["of-another"]
    assert "config: plugins names 'anotherone', which is no installed plug-in" in message(plugins=["anotherone"])


def test_a_folder_of_a_package_may_hold_the_catalog(install):
    place = install("one", value="one.data:models.yaml", models={"of-one": MODEL})
    (place / "data").mkdir()
    (place / "models.yaml").rename(place / "data/models.yaml")
    assert "of-one" in resolved().models


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("one:Catalog", "expected 'package:file.yaml'"),
        ("one", "expected 'package:file.yaml'"),
        ("one:others.yaml", "names others.yaml in one, which has no such file"),
        ("elsewhere:models.yaml", "names models.yaml in elsewhere, which has no such file"),
    ],
)
def test_an_entry_point_without_a_catalog_stops_the_run(install, value, said):
    install("one", value=value, models={"of-one": MODEL})
    assert message().startswith("plug-in 'one': ") and said in message() and "plugins" in message()
    assert "of-one" not in resolved(plugins=[]).models


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (MODEL | {"clas": "a:B"}, "unknown key 'clas'"),
        ({"task": "csc", "title": "T", "kind": "python"}, "key 'class' is missing"),
        ("text", "is not of type 'object'"),
    ],
)
def test_an_entry_that_the_schema_refuses_stops_the_run(install, entry, said):
    install("one", models={"of-one": entry})
    assert message().startswith("plug-in 'one': models.yaml: ") and said in message()


@pytest.mark.parametrize("path", ["../weights", "/etc/passwd", "link", "<shared>/../../x"])
def test_a_path_that_leaves_the_package_is_refused(install, path):
    place = install("one", models={"of-one": MODEL | {"inputs": [path]}})
    (place / "link").symlink_to("/etc")
    assert message().startswith(f"plug-in 'one': '{path}' leads out of one, where models.yaml is")
    install("two", corpora={"pairs": CORPUS | {"files": {"text": "/etc/passwd"}}})
    assert "'/etc/passwd' leads out of two" in message(plugins=["two"])


def test_a_class_in_a_file_is_refused(install):
    install("one", models={"of-one": MODEL | {"class": "one.py:Theirs"}})
    assert "class 'one.py:Theirs' is in a file; expected 'module:Class'" in message()


def test_ids_that_two_bring_are_refused_with_both_names(install):
    install("one", models={"theirs": MODEL})
    install("two", models={"theirs": MODEL})
    assert message().startswith("plug-in 'two': its 'theirs' stands in plug-in one already")
    install("three", models={"do-nothing": MODEL})
    assert "its 'do-nothing' stands in config/models.yaml already" in message(plugins=["three"])


def test_what_no_schema_can_say_is_said_of_the_package(install):
    entry = {"task": "ld", "title": "T", "kind": "python", "class": "one:T", "lid": "gnm"}
    install("one", models={"of-one": entry})
    assert message().startswith("plug-in one: model 'of-one', lid: model 'gnm'") and "gmm" in message()
