"""What an entry of a hub model may say, and where its files come from."""

import pytest

from sinobench.errors import InputError
from sinobench.hub.entries import LOADERS, pin, pins_of, placed, with_classes
from sinobench.models import load_class
from sinobench.schema import check
from tests.conftest import ROOT

SCHEMA = ROOT / "config/schema/models.schema.yaml"
REVISION = "0123456789abcdef0123456789abcdef01234567"
FACTS = {"sha256": "0" * 64, "size_bytes": 3}
ENTRY = {
    **{"task": "csc", "title": "T", "kind": "hub", "hub": "owner/name", "revision": REVISION, "loader": "masked-lm"},
    **{"licence": "MIT", "training_data": ["unknown"], "files": {"config.json": FACTS, "onnx/model.onnx": FACTS}},
}


def resolved(**changes):
    entry = {key: value for key, value in (ENTRY | changes).items() if value is not None}
    return with_classes({"m": check({"m": entry}, SCHEMA, "models.yaml")["m"] | {"catalog": "models.yaml"}})["m"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"revision": "main"}, "'main' at m.revision does not fit: The full id of a commit"),
        ({"revision": "v1.0"}, "`sinobench hub pin owner/name@main` prints the entry with the commit"),
        ({"revision": REVISION[:7]}, "40 hexadecimal digits"),
        ({"revision": REVISION.upper()}, "40 hexadecimal digits"),
        ({"revision": REVISION + "\n"}, "40 hexadecimal digits"),
        ({"revision": None}, "key 'revision' is missing at m"),
        ({"licence": None}, "key 'licence' is missing at m"),
        ({"training_data": None}, "key 'training_data' is missing at m"),
        ({"training_data": []}, "at m.training_data"),
        ({"files": None}, "key 'files' is missing at m"),
        ({"files": {}}, "at m.files"),
        ({"files": {"config.json": {"size_bytes": 3}}}, "key 'sha256' is missing at m.files.config.json"),
        ({"files": {"config.json": {"sha256": "0" * 64}}}, "key 'size_bytes' is missing at m.files.config.json"),
        ({"files": {"config.json": FACTS | {"sha256": "abc"}}}, "64 lower-case hexadecimal digits"),
        ({"files": {"config.json": FACTS | {"size_bytes": -1}}}, "m.files.config.json.size_bytes"),
        ({"files": {"/etc/passwd": FACTS}}, "'/etc/passwd' at m.files does not fit: A path in the repository"),
        ({"files": {"../up.json": FACTS}}, "'../up.json' at m.files does not fit"),
        ({"files": {"a/../b.json": FACTS}}, "'a/../b.json' at m.files does not fit"),
        ({"files": {"a//b.json": FACTS}}, "'a//b.json' at m.files does not fit"),
        ({"files": {".hidden": FACTS}}, "'.hidden' at m.files does not fit"),
        ({"files": {"a\\b.json": FACTS}}, "at m.files does not fit"),
        ({"files": {"a\nb.json": FACTS}}, "is not a line of text"),
        ({"hub": "name"}, "'name' at m.hub does not fit: The repository of the hub, `owner/name`"),
        ({"hub": "owner/../name"}, "at m.hub does not fit"),
        ({"hub": "https://example.org/owner/name"}, "at m.hub does not fit"),
        ({"hub": "owner/na--me"}, "at m.hub does not fit"),
        (
            {"task": "lid"},
            "'masked-lm' at m.loader goes with task: csc, kind: hub; expected whisper or mms or wav2vec2",
        ),
        ({"task": "ld"}, "'hub' at m.kind does not go with task: ld; expected python or predictions"),
        ({"loader": "masked_lm"}, "'masked_lm' at m.loader is not known; did you mean 'masked-lm'?"),
        ({"class": "os:system"}, "key 'class' at m goes with kind: python"),
    ],
)
def test_what_an_entry_may_not_say(changes, message):
    with pytest.raises(InputError) as refused:
        resolved(**changes)
    assert message in str(refused.value)


def test_an_entry_has_the_class_of_its_loader_and_its_packages():
    entry = resolved()
    assert entry["class"] == "sinobench.csc.models.masked_lm:MaskedLm" and "transformers" in entry["packages"]
    for target, _ in LOADERS.values():
        assert load_class(target)
    [lid] = [resolved(task="lid", loader="whisper")]
    assert lid["track"] == "open" and lid["pretrained"][0]["version"] == REVISION


def test_two_entries_of_one_folder_list_the_same_files():
    one, other = resolved(), resolved(files={"config.json": FACTS})
    assert with_classes({"m": one, "n": resolved()})
    with pytest.raises(InputError, match=r"model 'n' lists other files of owner/name than 'm', of the same revision"):
        with_classes({"m": one, "n": other})


def test_files_are_asked_from_the_hub_or_its_copy(monkeypatch):
    monkeypatch.delenv("HF_ENDPOINT", raising=False)
    [_, graph] = pins_of(resolved())
    assert graph.url == f"https://huggingface.co/owner/name/resolve/{REVISION}/onnx/model.onnx"
    assert (graph.source, graph.file) == (f"hub/owner--name/{REVISION}", "onnx/model.onnx")
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9/")
    other = FACTS | {"hub": "a/b", "revision": "f" * 40}
    assert pin("owner--name", REVISION, "x.txt", other).url == f"http://127.0.0.1:9/a/b/resolve/{'f' * 40}/x.txt"
    params = placed({"kind": "hub", "options": {"x": 1}, "hub": "owner/name", "revision": REVISION}, "r")
    assert params["options"] == {"x": 1, "folder": f"r/hub/owner--name/{REVISION}"}
