"""Which model made predictions, told by content."""

import random
from pathlib import Path

import pytest

import sinobench as package
from sinobench import identity as module
from sinobench.dependencies import with_content
from sinobench.identity import PARTS, digest_of, identity

CODE = "from neighbour import fix\nclass Mine:\n    pass\n"


@pytest.fixture
def own(tmp_path, monkeypatch):
    """own(**changes): the identity of a class in a file, with weights, and what it was fitted to."""
    monkeypatch.chdir(tmp_path)
    content = {"mine.py": CODE, "neighbour.py": "fix = 1\n", "weights.bin": "1", "fitted/model": "a"}

    def own(options=None, packages=None, kind="python", **files):
        for name, text in (
            content | {name.replace("__", "/").replace("_py", ".py"): t for name, t in files.items()}
        ).items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
        entry = {
            "kind": kind,
            "class": "mine.py:Mine",
            "options": {"weights": "weights.bin", "beams": 4} | (options or {}),
            "packages": {"numpy": "2.0.0"} | (packages or {}),
        }
        return identity([entry], ["weights.bin"], ["fitted"])

    return own


@pytest.mark.parametrize(
    ("part", "changes"),
    [
        ("settings", {"options": {"beams": 5}}),
        ("packages", {"packages": {"numpy": "2.0.1"}}),
        ("packages", {"packages": {"scipy": "1.0"}}),
        ("code", {"mine_py": CODE + "    beams = 2\n"}),
        ("code", {"neighbour_py": "fix = 2\n"}),
        ("fitted", {"fitted__model": "b"}),
        ("fitted", {"fitted__calibration": "c"}),
    ],
)
def test_each_part_changes_the_hash_and_no_other_part(own, part, changes):
    before, after = own(), own(**changes)
    assert {name for name in PARTS if before[name] != after[name]} == {part}
    assert before["sha256"] != after["sha256"] == digest_of(after)


def test_what_a_file_of_the_entry_holds_is_in_files_and_in_the_option_that_names_it(own, tmp_path):
    before = own()
    (tmp_path / "weights.bin").write_text("2")
    entry = {"kind": "python", "class": "mine.py:Mine", "options": {"weights": "weights.bin", "beams": 4}}
    after = identity([entry | {"packages": {"numpy": "2.0.0"}}], ["weights.bin"], ["fitted"])
    assert {name for name in PARTS if before[name] != after[name]} == {"files", "settings"}


def test_the_same_model_elsewhere_and_later_is_the_same(tmp_path):
    found = []
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        weights, mine = tmp_path / folder / "weights.bin", tmp_path / folder / "mine.py"
        weights.write_text("1")
        mine.write_text("class Mine:\n    pass\n")
        (tmp_path / folder / ".snakemake_timestamp").write_text(str(random.random()))
        entry = {"kind": "python", "class": f"{mine}:Mine", "options": {"weights": str(weights)}, "packages": {}}
        found.append(identity([entry], [str(weights)], [str(tmp_path / folder)]))
    assert found[0] == found[1]


def test_predictions_from_a_file_are_their_content(write):
    entry = {"kind": "predictions", "class": None, "packages": {}, "files": {"sample": "theirs.txt"}}
    one, same, other = (
        identity([entry], [str(write(text, name))], [None]) for text, name in (("a", "1"), ("a", "2"), ("b", "3"))
    )
    assert one == same and one["sha256"] != other["sha256"]
    assert one["version"] is None and one["code"] is None


def test_predictions_from_a_folder_are_its_files_by_name(tmp_path):
    entry = {"kind": "predictions", "class": None, "packages": {}, "files": {"sample": "theirs"}}
    found = []
    for folder, outputs in (("one", "ab"), ("same", "ab"), ("other", "ba")):
        (tmp_path / folder).mkdir()
        for recording, output in zip(("1.txt", "2.txt"), outputs, strict=True):
            (tmp_path / folder / recording).write_text(output)
        found.append(identity([entry], with_content(str(tmp_path / folder)), [])["sha256"])
    assert found[0] == found[1] != found[2]


def test_a_bundled_class_has_the_version_of_the_package(monkeypatch):
    entry = {"kind": "python", "class": "sinobench.csc.models.do_nothing:DoNothing", "packages": {}}
    before = identity([entry], [], [])
    monkeypatch.setattr(module, "__version__", "9.9.9")
    assert identity([entry], [], []) == before | {"version": "9.9.9"}
    assert Path(package.__file__) not in module._code([entry["class"]])
