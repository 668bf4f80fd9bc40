"""A server on loopback that stands for the public addresses of the catalog of sources."""

import contextlib
import csv
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

import yaml

PUBLIC = "https://raw.githubusercontent.com/"


class Public:
    """Serves the files of a mirror at the paths of their public addresses; ``asked`` are those that were requested.

    absent: sources and repositories of which nothing is found.
    """

    def __init__(self, root: Path, mirror: Path, absent: tuple[str, ...] = ()) -> None:
        self.sources = yaml.safe_load((root / "config/sources.yaml").read_text(encoding="utf-8"))
        self.asked: list[str] = []
        files = {}
        for source, entry in self.sources.items():
            base = urlsplit(entry["base_url"]).path
            found = [(source, base, file, facts["path"]) for file, facts in entry.get("files", {}).items()] + (
                _listed(root / entry["listing"], base) if "listing" in entry else []
            )
            for name, address, file, path in found:
                if name not in absent:
                    files[f"{address}{path}"] = mirror / source / file
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                path = unquote(self.path)
                outer.asked.append(path)
                if path not in files:
                    self.send_error(404)
                    return
                data = files[path].read_bytes()
                self.send_response(200)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True

    def write_sources(self, path: Path) -> Path:
        """A catalog of the same files at this server's addresses."""
        own = f"http://127.0.0.1:{self.http.server_port}/"
        path.write_text(
            yaml.safe_dump(
                {
                    source: entry | {"base_url": entry["base_url"].replace(PUBLIC, own)}
                    for source, entry in self.sources.items()
                },
                allow_unicode=True,
            ),
            encoding="utf-8",
        )
        return path


def _listed(listing: Path, base: str) -> list[tuple[str, str, str, str]]:
    with listing.open(encoding="utf-8", newline="") as stream:
        return [
            (
                row["source"],
                unquote(base).replace("{repository}", row["source"]).replace("{commit}", row["commit"]),
                f"{row['source'].replace('/', '+')}/{row['source_path']}",
                row["source_path"],
            )
            for row in csv.DictReader(stream)
        ]


@contextlib.contextmanager
def answering(http: ThreadingHTTPServer) -> Iterator[None]:
    """Let a server answer while the block runs, and close it."""
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield
    finally:
        http.shutdown()
        thread.join()
        http.server_close()


@contextlib.contextmanager
def public(root: Path, mirror: Path, absent: tuple[str, ...] = ()) -> Iterator[Public]:
    """The server while the block runs."""
    server = Public(root, mirror, absent)
    with answering(server.http):
        yield server
