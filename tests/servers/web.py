"""An HTTP server in a thread of the test, whose misbehaviour is a function of the test's own.

It speaks the `initialize` protocol with sessions, or the 2026 one.
What `misbehave` answers (True) is not answered here.
"""

from __future__ import annotations

import json
import queue
import ssl
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODERN = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


class Request(BaseHTTPRequestHandler):
    """One request; `message` is its JSON-RPC message, empty for a GET."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    message: dict[str, Any]
    web: Web

    def log_message(self, format: str, *args: object) -> None:
        pass

    def do_POST(self) -> None:
        self.message = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self._handle()

    def do_GET(self) -> None:
        self.message = {}
        self._handle()

    def do_DELETE(self) -> None:
        self.answer(200, b"")

    @property
    def method(self) -> str:
        return self.message.get("method", "")

    @property
    def tool(self) -> str:
        return self.message["params"]["name"] if self.method == "tools/call" else ""

    def _handle(self) -> None:
        self.web.seen.append(self.tool or self.method)
        if not self.web.misbehave(self):
            self.behave()

    def behave(self) -> None:
        session = self.headers.get("mcp-session-id")
        if not self.message:
            self.answer(405, b"")
        elif "id" not in self.message or "method" not in self.message:
            self.answer(202, b"")
        elif session is not None and session not in self.web.sessions:
            self.answer(404, b"Session not found", kind="text/plain")
        elif self.method == "initialize" and not self.web.modern:
            self.web.sessions.append(f"s{len(self.web.sessions)}")
            info = {"name": "web", "version": "1"}
            version = self.message["params"]["protocolVersion"]
            result: dict[str, Any] = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
            self.result(result, {"Mcp-Session-Id": self.web.sessions[-1]})
        elif self.method == "server/discover" and self.web.modern:
            self.result({**MODERN, "supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}})
        elif self.method == "tools/list":
            tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("echo", "order")]
            self.result({**MODERN, "tools": tools})
        elif self.method == "tools/call":
            said = json.dumps(self.message["params"].get("arguments"))
            self.result({**MODERN, "content": [{"type": "text", "text": said}]})
        else:
            self.error({"code": -32601, "message": f"no {self.method}"})

    def result(self, result: dict[str, Any], headers: dict[str, str] | None = None) -> None:
        body = {"jsonrpc": "2.0", "id": self.message["id"], "result": result}
        self.answer(200, json.dumps(body).encode(), headers)

    def error(self, error: object, status: int = 200) -> None:
        body = {"jsonrpc": "2.0", "id": self.message["id"], "error": error}
        self.answer(status, json.dumps(body).encode())

    def answer(
        self, status: int, body: bytes, headers: dict[str, str] | None = None, kind: str = "application/json"
    ) -> None:
        self.send_response(status)
        for key, value in {"Content-Type": kind, "Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(key, value)
        self.end_headers()
        self.wfile.write(body)

    def stream(self, *events: bytes) -> None:
        """An event stream that ends after these events, with the connection."""
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for event in events:
            self.wfile.write(event)
            self.wfile.flush()


class Streamed(Request):
    """The same over HTTP+SSE: a GET opens a session, and what is answered rightly comes on its stream."""

    def do_GET(self) -> None:
        self.message = {}
        if self.web.misbehave(self):
            return
        answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        session = f"s{len(self.web.streams)}"
        self.web.sessions.append(session)
        self.web.streams[session] = answers
        self.stream(f"event: endpoint\ndata: {self.web.endpoint}?session_id={session}\n\n".encode())
        while answer := answers.get():
            self.wfile.write(b"data: " + answer + b"\n\n")

    def behave(self) -> None:
        session = self.path.partition("session_id=")[2]
        if session not in self.web.sessions:
            self.answer(404, b"Could not find session", kind="text/plain")
            return
        answers = self.web.streams[session]

        def told(_: int, body: bytes, *args: object, **options: object) -> None:
            Request.answer(self, 202, b"")
            if body:
                answers.put(body)

        self.__dict__["answer"] = told
        super().behave()
        del self.__dict__["answer"]


class Web:
    """What a server has seen, and how it misbehaves."""

    def __init__(self, *, modern: bool) -> None:
        self.modern = modern
        self.misbehave: Callable[[Request], bool] = lambda _: False
        self.sessions: list[str] = []
        self.seen: list[str] = []
        self.url = ""
        self.endpoint = "/messages"
        self.streams: dict[str, queue.SimpleQueue[bytes]] = {}
        self.secure: Callable[[ssl.SSLContext], None] = lambda _: None

    def instead(self, what: str, answer: Callable[[Request], object]) -> None:
        """Have a method, or the calls of a tool, answered by this."""

        def misbehave(request: Request) -> bool:
            if what in (request.tool, request.method):
                answer(request)
                return True
            return False

        self.misbehave = misbehave

    def count(self, what: str) -> int:
        """How often a method was asked, or a tool called."""
        return self.seen.count(what)


class Quiet(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request: object, client_address: object) -> None:
        pass


@contextmanager
def web(*, modern: bool = False, speaks: type[Request] = Request) -> Generator[Web]:
    """A server on a port of its own."""
    served = Web(modern=modern)
    kind = type("Bound", (speaks,), {"web": served})
    with Quiet(("127.0.0.1", 0), kind) as server:
        served.url = f"http://127.0.0.1:{server.server_port}/mcp"

        def secure(context: ssl.SSLContext) -> None:
            """Speak TLS from now on; each connection shakes hands in its own thread."""
            server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
            served.url = served.url.replace("http:", "https:")

        served.secure = secure
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield served
        finally:
            for stream in served.streams.values():
                stream.put(b"")
            server.shutdown()
