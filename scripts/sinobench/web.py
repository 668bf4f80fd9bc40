"""HTTP and HTTPS whose every wait ends: the system's own time limits start anew with each byte that arrives."""

import contextlib
import socket
import threading
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPSConnection
from urllib import request


class Watch:
    """Connections that are shut once the time is over; whoever waits for one gets an OSError or a short body."""

    def __init__(self) -> None:
        self.is_over = False
        self._sockets: list[socket.socket] = []

    def add(self, connected: socket.socket) -> None:
        """Watch one more connection; TimeoutError where the time is over."""
        self._sockets.append(connected)
        if self.is_over:
            self.end()
            raise TimeoutError

    def end(self) -> None:
        """The time is over."""
        self.is_over = True
        for connected in self._sockets:
            with contextlib.suppress(OSError):
                connected.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[Watch]:
    """A watch on the connections that are made inside."""
    watch = Watch()
    timer = threading.Timer(seconds, watch.end)
    timer.daemon = True
    timer.start()
    try:
        yield watch
    finally:
        timer.cancel()


def opener(watch: Watch, with_key: bool = False) -> request.OpenerDirector:
    """Opens HTTP and HTTPS addresses, and redirections to such; not build_opener, which follows one to ftp too.

    with_key: requests bear a secret, so a redirection is an HTTPError, and a proxy gets none but encrypted ones.
    """

    class Http(HTTPConnection):
        def connect(self) -> None:
            super().connect()
            watch.add(self.sock)

    class Https(HTTPSConnection):
        def connect(self) -> None:
            super().connect()
            watch.add(self.sock)

    class HttpHandler(request.HTTPHandler):
        def http_open(self, req: request.Request) -> object:
            return self.do_open(Http, req)

    class HttpsHandler(request.HTTPSHandler):
        def https_open(self, req: request.Request) -> object:
            return self.do_open(Https, req)

    made = request.OpenerDirector()
    proxies = request.getproxies()
    for handler in (
        request.ProxyHandler({k: v for k, v in proxies.items() if k == "https"} if with_key else proxies),
        HttpHandler(),
        HttpsHandler(),
        *([] if with_key else [request.HTTPRedirectHandler()]),
        request.HTTPErrorProcessor(),
        request.HTTPDefaultErrorHandler(),
        request.UnknownHandler(),
    ):
        made.add_handler(handler)
    return made
