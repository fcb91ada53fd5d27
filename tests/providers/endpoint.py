"""A provider on loopback: it keeps what it is sent, and answers that the request was wrong."""

from __future__ import annotations

import json
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, Final

_REFUSAL: Final = b'{"error": {"message": "kept", "code": 400, "status": "INVALID_ARGUMENT", "type": "kept"}}'


class Endpoint:
    """Where requests arrive.

    Attributes:
        url: Where it listens.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self._kept: list[bytes] = []

    def keep(self, body: bytes) -> None:
        self._kept.append(body)

    def taken(self) -> dict[str, Any] | None:
        """Take the last request since this was asked, if there was one."""
        bodies, self._kept = self._kept, []
        return json.loads(bodies[-1]) if bodies else None


@contextmanager
def endpoint() -> Generator[Endpoint]:
    """Listen until the end of the block."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # the answer in one piece: in two, each waits 40 ms for an acknowledgement

        def do_POST(self) -> None:
            kept.keep(self._body())
            self.send_response(400)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(_REFUSAL)))
            self.end_headers()
            self.wfile.write(_REFUSAL)

        def _body(self) -> bytes:
            if self.headers.get("Transfer-Encoding") != "chunked":
                return self.rfile.read(int(self.headers["Content-Length"]))
            body = b""
            while size := int(self.rfile.readline().split(b";")[0], 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
            return body

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    kept = Endpoint(f"http://127.0.0.1:{server.server_port}")
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield kept
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
