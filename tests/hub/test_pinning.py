"""``sinobench hub pin``: the entry of a repository, asked from a hub on loopback or of a folder."""

import contextlib
import hashlib
import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

import pytest
import yaml

from sinobench.cli import main
from sinobench.hub.entries import with_classes
from sinobench.schema import check
from tests.conftest import ROOT
from tests.loopback import answering

COMMIT = "205dc2ebd415af323fef9a85033dbd19742f2d3d"
FILES = {
    ".gitattributes": b"*.bin lfs\n",
    "README.md": b"# A model\n",
    "config.json": json.dumps({"architectures": ["BertForMaskedLM"]}).encode(),
    "model.safetensors": b"weights",
    "onnx/model.onnx": b"graph",
    "pytorch_model.bin": b"pickle",
    "modeling.py": b"import os\n",
    "vocab.txt": "[PAD]\n我\n".encode(),
}
LFS = ("model.safetensors", "onnx/model.onnx", "pytorch_model.bin")


@contextlib.contextmanager
def hub(files=None, card=None, refuse=None, commit=COMMIT):
    """A hub with one repository, a/b; yields what it was asked for. refuse: a path's beginning to status and code."""
    files, asked = FILES if files is None else files, []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            path = unquote(urlsplit(self.path).path)
            asked.append(path)
            for start, (status, code) in (refuse or {}).items():
                if path.startswith(start):
                    return self._answer(b"", status, code)
            if path in (f"/api/models/a/b/revision/{each}" for each in ("main", "v1.0/x", COMMIT)):
                return self._answer(
                    json.dumps({"id": "a/b", "sha": commit, "cardData": card, "siblings": listed}).encode()
                )
            if path.startswith("/api/models/a/b/"):
                return self._answer(b"", 404, "RevisionNotFound")
            name = path.removeprefix(f"/a/b/resolve/{COMMIT}/")
            return self._answer(files[name]) if name in files else self._answer(b"", 401, "RepoNotFound")

        def _answer(self, data, status=200, code=None):
            self.send_response(status)
            if code:
                self.send_header("X-Error-Code", code)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args):
            pass

    listed = [
        {"rfilename": name, "size": len(data), "blobId": "0" * 40}
        | ({"lfs": {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}} if name in LFS else {})
        for name, data in files.items()
    ]
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with pytest.MonkeyPatch.context() as patch, answering(server):
        patch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{server.server_port}/")
        yield asked


def pin(capsys, *arguments):
    """Exit status, what is printed, and what is said of it."""
    status = main(["hub", "pin", *arguments])
    said = capsys.readouterr()
    return status, said.out, said.err


@pytest.fixture(autouse=True)
def no_mirror(monkeypatch):
    monkeypatch.delenv("SINOBENCH_MIRROR", raising=False)


@pytest.mark.parametrize("revision", ["main", "v1.0/x", COMMIT])
def test_the_entry_is_one_of_the_catalog_with_the_hashes_of_what_a_loader_takes(capsys, revision):
    with hub(card={"license": "apache-2.0", "datasets": ["a/csc", "SIGHAN: 2015"]}) as asked:
        status, printed, said = pin(capsys, f"a/b@{revision}")
    assert (status, said) == (0, "")
    entries = with_classes(check(yaml.safe_load(printed), ROOT / "config/schema/models.schema.yaml", "printed"))
    [entry] = entries.values()
    assert (entry["task"], entry["loader"], entry["licence"]) == ("csc", "masked-lm", "apache-2.0")
    assert (entry["hub"], entry["revision"]) == ("a/b", COMMIT)
    assert entry["training_data"] == ["a/csc", "SIGHAN: 2015"]
    assert entry["files"] == {
        name: {"sha256": hashlib.sha256(FILES[name]).hexdigest(), "size_bytes": len(FILES[name])}
        for name in ("config.json", "model.safetensors", "vocab.txt")
    }
    assert (f"'{revision}' may be moved; it was the commit {COMMIT}" in printed) == (revision != COMMIT)
    for name, reason in (
        ("pytorch_model.bin", "can hold a pickle"),
        ("modeling.py", "Python code"),
        ("onnx/model.onnx", "the loader masked-lm does not read"),
        ("README.md", "of a kind that no loader reads"),
        (".gitattributes", "begins with a dot"),
    ):
        [line] = [line for line in printed.splitlines() if line.startswith(f"    # {name}: left out")]
        assert reason in line
    assert not any("model.safetensors" in path or "pickle" in path or ".py" in path for path in asked)


@pytest.mark.parametrize(
    ("arguments", "refuse", "message"),
    [
        (["a/b@gone"], None, "a/b at 'gone': the hub has no such revision; give a branch, a tag or a commit"),
        (["a/gone@main"], {"/api": (401, "RepoNotFound")}, "no such repository, or does not show it (HTTP 401)"),
        (["a/gone@main"], {"/api": (404, "RepoNotFound")}, "no such repository, or does not show it (HTTP 404)"),
        (["a/b@main"], {"/api": (403, "GatedRepo")}, "is gated: its owner asks who fetches it"),
        (["a/b@main"], {"/a/b/resolve": (401, "GatedRepo")}, "config.json of a/b at 'main': is gated"),
        (["a/b@main"], {"/api": (503, "")}, "the hub answers HTTP 503"),
        (["b@main"], None, "'b@main' is no repository at a revision; expected owner/name@main"),
        (["a/b"], None, "expected owner/name@main"),
        (["a/../b@main"], None, "expected owner/name@main"),
        (["a/b@main", "--folder", "."], None, "which commit a folder holds can't be told; give its 40 digits"),
    ],
)
def test_what_the_hub_has_not_or_does_not_show(capsys, arguments, refuse, message):
    with hub(refuse=refuse):
        status, printed, said = pin(capsys, *arguments)
    assert (status, printed) == (2, "") and message in said and "Traceback" not in said


def test_without_a_network_it_says_what_to_do(capsys, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    status, _, said = pin(capsys, "a/b@main")
    assert status == 2 and "can't be reached" in said and "give --folder, a folder with the files" in said


@pytest.mark.parametrize("files", [b"<html>Log in</html>", b"[]", b'{"sha": 1}'])
def test_a_page_that_is_no_hub_is_named(capsys, monkeypatch, files):
    with hub({"x": b""}), pytest.MonkeyPatch.context() as patch:
        patch.setattr("sinobench.hub.pinning.json.loads", lambda content: json.JSONDecoder().decode(files.decode()))
        status, _, said = pin(capsys, "a/b@main")
    assert status == 2 and ("no JSON object" in said or "neither commit nor files" in said)


def test_hostile_names_and_words_print_as_comments_alone(capsys):
    files = {"config.json": b"{}", "a\nb: {x: 1}\x1b[2J.json": b"", "../up.json": b"", "sub/v.json": b"{}"}
    with hub(files, card={"license": "mit\nkind: python", "datasets": "x"}):
        status, printed, _ = pin(capsys, "a/b@main")
    [entry] = yaml.safe_load(printed).values()
    assert status == 0 and entry["kind"] == "hub" and entry["licence"] == "mit\nkind: python"
    assert entry["files"].keys() == {"config.json", "sub/v.json"} and "\x1b" not in printed
    assert "No weights in safetensors or ONNX" in printed and "No loader for the architecture none" in printed


def test_of_a_folder_and_of_a_mirror_it_is_the_same_without_any_network(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    folder = tmp_path / "hub/a--b" / COMMIT
    for name, data in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    of_folder = pin(capsys, f"a/b@{COMMIT}", "--folder", str(folder))
    monkeypatch.setenv("SINOBENCH_MIRROR", str(tmp_path))
    assert of_folder == pin(capsys, f"a/b@{COMMIT}") and of_folder[0] == 0
    with hub():
        monkeypatch.delenv("SINOBENCH_MIRROR")
        asked = pin(capsys, f"a/b@{COMMIT}")
    assert asked == of_folder
    status, _, said = pin(capsys, f"a/b@{COMMIT}", "--folder", str(tmp_path / "none"))
    assert status == 2 and "holds no files" in said
