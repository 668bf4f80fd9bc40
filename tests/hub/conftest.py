"""A folder of a model, the list that its entry has, and what would show that something was executed or asked for."""

import hashlib
import json
import os
import socket
from pathlib import Path

import pytest

from sinobench.hub.inspection import inspect


@pytest.fixture
def listener():
    """A server on loopback that must not be asked: its address."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(BlockingIOError):
            server.accept()


@pytest.fixture
def canary(tmp_path):
    """A file that artefacts would write if anything of them were executed; and nothing else outside may change."""
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.bin").write_bytes(b"\0" * 64)
    before = _state(tmp_path / "outside")
    yield tmp_path / "outside" / "canary"
    assert _state(tmp_path / "outside") == before


class Place:
    """A model's folder."""

    def __init__(self, folder: Path):
        self.folder = folder
        folder.mkdir()

    def write(self, name: str, content) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def pinned(self, *left_out: str) -> dict[str, dict]:
        """The list of its regular files as they are now, as an attacker's entry has it."""
        found = {}
        for path in sorted(self.folder.rglob("*")):
            name = path.relative_to(self.folder).as_posix()
            if path.is_file() and not path.is_symlink() and name not in left_out:
                content = path.read_bytes()
                found[name] = {"sha256": hashlib.sha256(content).hexdigest(), "size_bytes": len(content)}
        return found

    def inspect(self, files=None):
        before = _state(self.folder)
        inspection = inspect(self.folder, self.pinned() if files is None else files)
        assert _state(self.folder) == before
        return inspection


@pytest.fixture
def place(tmp_path) -> Place:
    """A folder that holds an honest model's settings, words and weights."""
    place = Place(tmp_path / "model")
    place.write("config.json", json.dumps({"model_type": "bert", "architectures": ["BertForMaskedLM"]}))
    place.write("vocab.txt", "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n我\n你\n")
    place.write("model.safetensors", safetensors({"w": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}, 8))
    return place


def safetensors(header, n_bytes: int) -> bytes:
    """A safetensors file with this header, whatever it says, and as many bytes of values."""
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return len(text).to_bytes(8, "little") + text + b"\0" * n_bytes


def _state(folder: Path) -> list:
    """What stands below a folder: names, kinds, sizes and times."""
    found = [(path, path.lstat()) for path in sorted(folder.rglob("*"))]
    return [(str(path), s.st_mode, s.st_size, s.st_mtime_ns, os.path.islink(path)) for path, s in found]
