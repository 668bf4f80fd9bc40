"""The retrieval of pinned files, against a real HTTP server on the loopback interface."""

import contextlib
import hashlib
import os
import socket
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from sinobench import arrival
from sinobench.arrival import Retrieval
from sinobench.pins import RetrievalError, pin_of
from sinobench.retrieve import retrieve
from tests.loopback import answering

BODY = "0\t你好\t你好\n".encode() * 10_000  # longer than one block
SHA256 = hashlib.sha256(BODY).hexdigest()
SOURCES = Path(__file__).parents[1] / "config" / "sources.yaml"


class Server:
    """Answers the n-th request with the n-th script, the last one for ever after; a script writes to the handler."""

    def __init__(self):
        self.scripts, self.paths = [], []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                outer.paths.append(self.path)
                self.close_connection = True
                outer.scripts[min(len(outer.paths), len(outer.scripts)) - 1](self)

            def log_message(self, *args):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.base_url = f"http://127.0.0.1:{self.http.server_port}/"


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    server = Server()
    with answering(server.http):
        yield server


@pytest.fixture
def fetch(server, tmp_path):
    """retrieve() of one file from the server, without waiting between attempts; keywords change a field or argument."""

    def fetch(mirror=None, attempts=3, file="law.test", source="ecspell", timeout_s=10.0, wait_s=0.0, **fields):
        pin = {"path": "Data/law.test", "sha256": SHA256, "size_bytes": len(BODY)}
        pin |= {key: value for key, value in fields.items() if key != "base_url"}
        entry = {"base_url": fields.get("base_url", server.base_url), "files": {"law.test": pin}}
        destination = tmp_path / "data" / "law.test"
        return retrieve(source, file, destination, {"ecspell": entry}, mirror, attempts, wait_s, timeout_s)

    return fetch


def drip(*pieces):
    """A script that sends a byte each 10 ms, for ever."""

    def script(handler):
        with contextlib.suppress(OSError):
            for piece in pieces:
                handler.wfile.write(piece)
            while True:
                handler.wfile.write(b"x")
                time.sleep(0.01)

    return script


@pytest.mark.parametrize(
    "script",
    [
        drip(b"HTTP/1.1 200 OK\r\nX: "),
        drip(b"HTTP/1.1 200 OK\r\nContent-Length: 210000\r\n\r\n"),
        drip(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"1" * 15, b";"),
    ],
    ids=["header", "body", "chunk"],
)
def test_a_byte_now_and_then_is_not_waited_for(server, fetch, monkeypatch, script):
    monkeypatch.setattr(arrival, "LEAST_BYTES_PER_S", 500_000)
    server.scripts = [script]
    start = time.monotonic()
    with pytest.raises(RetrievalError, match="slower than 500 kB a second"):
        fetch(attempts=2, timeout_s=0.3)
    assert time.monotonic() - start < 10 and len(server.paths) == 2


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


@pytest.fixture
def mirror(tmp_path):
    def mirror(content: bytes) -> Path:
        (tmp_path / "mirror" / "ecspell").mkdir(parents=True)
        (tmp_path / "mirror" / "ecspell" / "law.test").write_bytes(content)
        return tmp_path / "mirror"

    return mirror


def body(content=BODY, length=None, status=200, headers=()):
    def script(handler):
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(content) if length is None else length))
        for name, value in headers:
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)

    return script


def truncated(handler):
    body(BODY[:1000], length=len(BODY))(handler)


def truncated_chunks(handler):
    handler.protocol_version = "HTTP/1.1"
    handler.send_response(200)
    handler.send_header("Transfer-Encoding", "chunked")
    handler.end_headers()
    handler.wfile.write(b"400\r\n" + BODY[:100])


def without_length(content):
    def script(handler):
        handler.send_response(200)
        handler.end_headers()
        handler.wfile.write(content)

    return script


def endless(handler):
    handler.send_response(200)
    handler.end_headers()
    with contextlib.suppress(OSError):  # the client goes away
        while True:
            handler.wfile.write(BODY)


def status(code, **headers):
    return body(b"sorry", status=code, headers=headers.items())


def silent(handler):
    pass


def assert_only(data, *names):
    """No temporary file stays behind."""
    assert sorted(path.name for path in data.iterdir()) == sorted(names)


# --- network


def test_good(server, fetch, data):
    server.scripts = [body()]
    assert fetch() == Retrieval(server.base_url + "Data/law.test", SHA256, len(BODY))
    assert (data / "law.test").read_bytes() == BODY
    assert_only(data, "law.test")


def test_plain_permissions(server, fetch, data):
    server.scripts = [body()]
    fetch()
    (data / "other").touch()
    assert (data / "law.test").stat().st_mode == (data / "other").stat().st_mode


def test_empty_file(server, fetch, data):
    server.scripts = [body(b"")]
    fetch(sha256=hashlib.sha256(b"").hexdigest(), size_bytes=0)
    assert (data / "law.test").read_bytes() == b""


def test_path_is_percent_encoded(server, fetch):
    server.scripts = [body()]
    fetch(path="陳永明《杜甫》/a b?#%.txt")
    assert server.paths == ["/%E9%99%B3%E6%B0%B8%E6%98%8E%E3%80%8A%E6%9D%9C%E7%94%AB%E3%80%8B/a%20b%3F%23%25.txt"]


def test_replaces_an_older_file(server, fetch, data):
    data.mkdir()
    (data / "law.test").write_text("old")
    server.scripts = [body()]
    fetch()
    assert (data / "law.test").read_bytes() == BODY


def test_body_without_length(server, fetch):
    server.scripts = [without_length(BODY)]
    assert fetch().sha256 == SHA256


@pytest.mark.parametrize(
    "passing",
    [truncated, truncated_chunks, without_length(BODY[:1000]), status(500), status(503), status(429), silent],
    ids=["truncated", "truncated chunks", "truncated without length", "500", "503", "429", "no answer"],
)
def test_passing_failure_then_good(server, fetch, data, passing):
    server.scripts = [passing, body()]
    assert fetch().sha256 == SHA256
    assert len(server.paths) == 2
    assert_only(data, "law.test")


@pytest.mark.parametrize(
    ("passing", "reason"),
    [
        (truncated, f"truncated after 1000 of {len(BODY)} bytes"),
        (truncated_chunks, "IncompleteRead"),
        (status(500), "HTTP 500"),
        (silent, "closed connection"),
    ],
    ids=["truncated", "truncated chunks", "500", "no answer"],
)
def test_passing_failure_always(server, fetch, data, passing, reason):
    server.scripts = [passing]
    with pytest.raises(RetrievalError, match=reason) as error:
        fetch()
    assert "the last of 3 attempts" in str(error.value)
    assert len(server.paths) == 3
    assert not data.exists() or not list(data.iterdir())


def test_waits_twice_as_long_each_time(server, fetch, monkeypatch):
    waits = []
    monkeypatch.setattr(arrival.time, "sleep", waits.append)
    server.scripts = [status(500)]
    with pytest.raises(RetrievalError):
        fetch(attempts=4, wait_s=0.5)
    assert waits == [0.5, 1.0, 2.0]


def test_timeout_is_passing(server, fetch):
    release = threading.Event()

    def stalled(handler):
        body(BODY[:1000], length=len(BODY))(handler)
        handler.wfile.flush()
        release.wait(10)

    server.scripts = [stalled]
    try:
        with pytest.raises(RetrievalError, match=r"timed out \(the last of 2 attempts\)"):
            fetch(attempts=2, timeout_s=0.1)
    finally:
        release.set()
    assert len(server.paths) == 2


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        (body(BODY[:-1] + b"!"), f"wrong sha256: expected {SHA256}, found [0-9a-f]{{64}}"),
        (body(BODY[:-1]), f"wrong size: expected {len(BODY)} bytes, found {len(BODY) - 1}"),
        (body(BODY + b"!"), f"wrong size: expected {len(BODY)} bytes, found more"),
        (status(404), "HTTP 404"),
        (status(403), "HTTP 403"),
        (status(302, Location="file:///etc/hostname"), "HTTP 302"),
        (status(302, Location="ftp://127.0.0.1/law.test"), "unknown url type: ftp"),
        (status(302, Location="http://[/law.test"), "network: "),
    ],
    ids=["wrong hash", "short", "long", "404", "403", "to file:", "to ftp:", "to nonsense"],
)
def test_final_failure_is_not_tried_again(server, fetch, data, script, reason):
    server.scripts = [script]
    with pytest.raises(RetrievalError, match=reason):
        fetch()
    assert len(server.paths) == 1
    assert not data.exists() or not list(data.iterdir())


def test_failure_leaves_the_older_file(server, fetch, data):
    data.mkdir()
    (data / "law.test").write_text("old")
    server.scripts = [body(b"x" * len(BODY))]
    with pytest.raises(RetrievalError):
        fetch()
    assert (data / "law.test").read_text() == "old"
    assert_only(data, "law.test")


def test_endless_body(server, fetch, data, monkeypatch):
    written = []
    copy = arrival._copy

    def spy(read, output, expected_bytes):
        sha256, size_bytes = copy(read, output, expected_bytes)
        written.append(size_bytes)
        return sha256, size_bytes

    monkeypatch.setattr(arrival, "_copy", spy)
    server.scripts = [endless]
    with pytest.raises(RetrievalError, match="found more"):
        fetch()
    assert written == [len(BODY) + 1]
    assert_only(data)


def test_connection_refused(fetch, data):
    with socket.socket() as taken:  # bound but not listening: no one else gets the port, and no one answers
        taken.bind(("127.0.0.1", 0))
        base_url = f"http://127.0.0.1:{taken.getsockname()[1]}/"
        with pytest.raises(RetrievalError, match=r"refused \(the last of 3 attempts\)"):
            fetch(base_url=base_url)
    assert not data.exists()


def test_full_disk_is_not_a_network_failure(server, fetch, data, monkeypatch):
    def full(read, output, expected_bytes):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(arrival, "_copy", full)
    server.scripts = [body()]
    with pytest.raises(RetrievalError, match=r"law\.test of ecspell: cannot write .*No space left"):
        fetch()
    assert len(server.paths) == 1
    assert_only(data)


def test_destination_folder_is_a_file(server, fetch, data):
    data.write_text("in the way")
    server.scripts = [body()]
    with pytest.raises(RetrievalError, match="cannot write"):
        fetch()


# --- mirror


def test_mirror_good(server, fetch, data, mirror):
    folder = mirror(BODY)
    assert fetch(folder) == Retrieval(str(folder / "ecspell" / "law.test"), SHA256, len(BODY))
    assert (data / "law.test").read_bytes() == BODY
    assert_only(data, "law.test")
    assert not server.paths


@pytest.mark.parametrize(
    ("content", "reason"),
    [(BODY[:-1] + b"!", "wrong sha256"), (BODY[:-1], "wrong size"), (BODY + b"!", "found more")],
    ids=["hash", "short", "long"],
)
def test_mirror_wrong_is_an_error(server, fetch, data, mirror, content, reason):
    server.scripts = [body()]
    folder = mirror(content)
    with pytest.raises(RetrievalError, match=reason) as error:
        fetch(folder)
    assert str(folder / "ecspell" / "law.test") in str(error.value)
    assert not server.paths
    assert_only(data)


def test_mirror_unreadable_is_an_error(server, fetch, tmp_path):
    (tmp_path / "mirror" / "ecspell" / "law.test").mkdir(parents=True)
    with pytest.raises(RetrievalError, match="cannot be read"):
        fetch(tmp_path / "mirror")
    assert not server.paths


@pytest.mark.parametrize("exists", [True, False])
def test_mirror_lacks_file(server, fetch, tmp_path, exists):
    if exists:
        (tmp_path / "mirror").mkdir()
    server.scripts = [body()]
    assert fetch(tmp_path / "mirror").origin == server.base_url + "Data/law.test"


@pytest.mark.parametrize("with_mirror", [True, False])
def test_neither_network_nor_mirror(server, fetch, tmp_path, with_mirror):
    server.scripts = [status(404)]
    with pytest.raises(RetrievalError) as error:
        fetch(tmp_path / "mirror" if with_mirror else None)
    message = str(error.value)
    assert message.startswith("cannot retrieve law.test of ecspell\n")
    assert f"network: {server.base_url}Data/law.test: HTTP 404" in message
    missing = tmp_path / "mirror" / "ecspell" / "law.test"
    assert (f"mirror: {missing} does not exist" if with_mirror else "mirror: none is set") in message
    assert "let this machine reach 127.0.0.1" in message
    assert "$SINOBENCH_MIRROR/ecspell/law.test" in message
    assert "config key `mirror:`" in message
    assert SHA256 in message


# --- what users write into sources.yaml


@pytest.mark.parametrize("name", ["..", ".", "", "../law.test", "/etc/passwd", "a/b", "a\\b", "C:x", "a\0b", "a\nb", 7])
@pytest.mark.parametrize("field", ["file", "source"])
def test_names_that_escape(server, fetch, mirror, field, name):
    with pytest.raises(RetrievalError, match="not a plain name"):
        fetch(mirror(BODY), **{field: name})
    assert not server.paths


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"file": "law.tset"}, "lists no file 'law.tset'; did you mean 'law.test'"),
        ({"source": "ecspel"}, "sources has no 'ecspel'; did you mean 'ecspell'"),
        ({"path": "../secret"}, "path is"),
        ({"path": "/secret"}, "path is"),
        ({"path": ""}, "path is"),
        ({"path": None}, "path is"),
        ({"base_url": "file:///etc/"}, "base_url is"),
        ({"base_url": "ftp://127.0.0.1/"}, "base_url is"),
        ({"base_url": "http://127.0.0.1"}, "base_url is"),
        ({"base_url": "http://127.0.0.1:port/"}, "base_url is"),
        ({"base_url": "http://127.0.0.1/?to=/"}, "base_url is"),
        ({"base_url": None}, "base_url is"),
        ({"sha256": "123"}, "sha256 is '123'"),
        ({"sha256": 10**63}, "sha256 is 10"),
        ({"size_bytes": "1 kB"}, "size_bytes is '1 kB'"),
        ({"size_bytes": -1}, "size_bytes is -1"),
        ({"size_bytes": True}, "size_bytes is True"),
    ],
)
def test_bad_entry(server, fetch, fields, reason):
    with pytest.raises(RetrievalError, match=reason):
        fetch(**fields)
    assert not server.paths


@pytest.mark.parametrize("sources", [None, {}, {"ecspell": None}, {"ecspell": {"files": None}}])
def test_empty_sources(tmp_path, sources):
    with pytest.raises(RetrievalError, match=r"law\.test of ecspell"):
        retrieve("ecspell", "law.test", tmp_path / "law.test", sources)


# --- the table itself


def test_table_is_well_formed():
    sources = yaml.safe_load(SOURCES.read_text(encoding="utf-8"))
    listed = sources.pop("speech-originals")
    assert listed["base_url"] == "https://raw.githubusercontent.com/{repository}/{commit}/"
    for source, entry in sources.items():
        assert set(entry) == {"repository", "commit", "licence", "base_url", "files"}
        assert len(entry["commit"]) == 40
        raw = "https://raw.githubusercontent.com"
        assert entry["base_url"] == f"{raw}/{entry['repository']}/{entry['commit']}/"
        for file, facts in entry["files"].items():
            assert set(facts) == {"path", "sha256", "size_bytes"}
            assert pin_of(source, file, sources).url.startswith(entry["base_url"])


def test_table_equals_the_mirror(tmp_path):
    if not os.environ.get("SINOBENCH_MIRROR"):
        pytest.skip("SINOBENCH_MIRROR is not set: no copies of the public corpora to compare with")
    mirror = Path(os.environ["SINOBENCH_MIRROR"])
    sources = yaml.safe_load(SOURCES.read_text(encoding="utf-8"))
    for source, entry in sources.items():
        for file in entry.get("files", ()):
            found = retrieve(source, file, tmp_path / source / file, sources, mirror, attempts=1)
            assert found.origin == str(mirror / source / file)


def test_a_file_that_is_as_pinned_is_asked_of_nobody(server, fetch, data, tmp_path):
    (tmp_path / "data").mkdir(exist_ok=True)
    (tmp_path / "data/law.test").write_bytes(BODY)
    before = (tmp_path / "data/law.test").stat()
    assert fetch(mirror=tmp_path / "no-such-mirror").sha256 == SHA256
    assert server.paths == [] and (tmp_path / "data/law.test").stat() == before
