"""A chat service on loopback that stands for public ones."""

import contextlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.loopback import answering

KEY = "sk-planted-7f3e9c1ab2d84c60-end"


def completion(content: object, finish_reason: str = "stop", usage: dict | None = None, **message: object) -> bytes:
    """The body of a chat completion."""
    said = {"role": "assistant", "content": content, **message}
    choice = {"index": 0, "message": said, "finish_reason": finish_reason}
    usage = {"prompt_tokens": 20, "completion_tokens": 5} if usage is None else usage
    return json.dumps({"object": "chat.completion", "choices": [choice], "usage": usage}).encode()


class Service:
    """Answers the n-th request with the n-th of ``scripts``, the last one for ever after.

    A script gets the handler and the question, the last message; ``asked`` are the bodies of the requests, ``keys``
    their headers of authorization. Who does not send ``key`` gets 401.
    """

    def __init__(self, *scripts: Callable[["BaseHTTPRequestHandler", str], None], key: str | None = None) -> None:
        self.asked: list[dict] = []
        self.keys: list[str | None] = []
        self.most_at_once = self._at_once = 0
        lock, outer = threading.Lock(), self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                self.close_connection = True
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with lock:
                    outer.asked.append(body)
                    outer.keys.append(self.headers["Authorization"])
                    script = scripts[min(len(outer.asked), len(scripts)) - 1]
                    outer._at_once += 1
                    self.is_counted = True
                    outer.most_at_once = max(outer.most_at_once, outer._at_once)
                with contextlib.suppress(OSError):
                    if self.path != "/v1/chat/completions":
                        self.send_error(404)
                    elif key and self.headers["Authorization"] != f"Bearer {key}":
                        given = (self.headers["Authorization"] or "").removeprefix("Bearer ")
                        fail(401, f"wrong key {given}, {given[:8]}***")(self, "")
                    else:
                        script(self, body["messages"][-1]["content"])
                self.leave()

            def leave(self):
                """This request is no longer under way: before its answer, on which the next one may follow at once."""
                with lock:
                    outer._at_once -= self.is_counted
                    self.is_counted = False

            def log_message(self, *args):
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.http.server_port}/v1"


def say(handler: BaseHTTPRequestHandler, body: bytes, status: int = 200, **headers: str) -> None:
    """Send an answer; a header's name has underscores for its hyphens."""
    handler.leave()
    handler.send_response(status)
    for name, value in {"Content-Length": str(len(body)), **headers}.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)


def answer(make: Callable[[str], object], **details: object) -> Callable:
    """A script that answers with what ``make`` makes of the question."""
    return lambda handler, question: say(handler, completion(make(question), **details))


def fail(status: int, message: str = "busy", **headers: str) -> Callable:
    """A script that answers with an error."""
    body = json.dumps({"error": {"message": message}}).encode()
    return lambda handler, question: say(handler, body, status, **headers)


def hang(seconds: float) -> Callable:
    """A script that says nothing for a while, and then closes the connection."""
    return lambda handler, question: time.sleep(seconds)


@contextlib.contextmanager
def serving(*scripts: Callable, key: str | None = None) -> Iterator[Service]:
    """The service while the block runs."""
    service = Service(*scripts, key=key)
    with answering(service.http):
        yield service
