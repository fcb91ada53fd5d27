"""Servers that do what a decent server never does, on the standard library alone. They end by themselves in 3 minutes.

    hostile.py dies LOG          over stdio: runs the first call that it gets, and dies; its next process answers
    hostile.py choices           over stdio: an output schema of 8,000 values, and an answer of 3,000 members
    hostile.py floods            over stdio: answers a call with 8 million lines of two bytes, then with nothing
    hostile.py pings             over stdio: answers a call with pings of 100 kB, and reads nothing from then on
    hostile.py --http PORT LOG   over HTTP, protocol of 2025: sessions, and the tools `echo` and `pings`

LOG gets a line for each start, handshake and call.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeAlias

Json: TypeAlias = dict[str, Any]

SECONDS = 180
VALUES = [{"number": index} for index in range(8_000)]
MEMBERS = 3_000
PING = "x" * 100_000
FLOOD = 16_000_000
PROPERTY = {"type": "object", "additionalProperties": {"enum": VALUES}}


def tool(name: str, **more: Any) -> Json:
    return {"name": name, "inputSchema": {"type": "object"}, **more}


TOOLS = [tool("echo"), tool("pings")]


def result(method: str, params: Json, tools: list[Json]) -> Json | None:
    """The result of whatever is not a call."""
    if method == "initialize":
        info = {"name": "hostile", "version": "1"}
        version = min(str(params["protocolVersion"]), "2025-11-25")
        return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
    if method == "tools/list":
        return {"tools": tools}
    return {} if method == "ping" else None


def reply(message: Json, given: Json | None) -> bytes:
    said: Json = {"error": {"code": -32601, "message": "Method not found"}} if given is None else {"result": given}
    return json.dumps({"jsonrpc": "2.0", "id": message["id"], **said}).encode()


def text(said: str, **more: Any) -> Json:
    return {"content": [{"type": "text", "text": said}], **more}


def note(log: str, *words: str) -> int:
    """Write a line to the log; give how many such lines there are now."""
    line = " ".join(words)
    with Path(log).open("a") as file:
        file.write(line + "\n")
    return Path(log).read_text().splitlines().count(line)


def ping(number: int) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": f"{number}{PING}", "method": "ping"}).encode()


def dies(message: Json, log: str) -> Json:
    note(log, "ran", message["params"]["arguments"]["id"])
    if note(log, "call") == 1:
        os._exit(1)
    return text("done")


def choices(_: Json) -> Json:
    return text("done", structuredContent={f"member {index}": VALUES[-1] for index in range(MEMBERS)})


def floods(_: Json) -> Json:
    for _chunk in range(FLOOD // 65_536):
        sys.stdout.buffer.write(b"1\n" * 32_768)
    time.sleep(SECONDS)
    return text("late")


def pings(_: Json) -> Json:
    number = 0
    while True:
        number += 1
        sys.stdout.buffer.write(ping(number) + b"\n")


def over_stdio(kind: str, *log: str) -> None:
    tools = [tool("call", outputSchema=PROPERTY)] if kind == "choices" else [tool("call")]
    kinds: Any = {"dies": dies, "choices": choices, "floods": floods, "pings": pings}
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        if message["method"] == "tools/call":
            given = kinds[kind](message, *log)
        else:
            given = result(message["method"], message.get("params") or {}, tools)
        sys.stdout.buffer.write(reply(message, given) + b"\n")
        sys.stdout.buffer.flush()


class OverHttp(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    log = ""

    def log_message(self, format: str, *args: Any) -> None: ...

    def do_GET(self) -> None:
        self._answer(405)

    def do_DELETE(self) -> None:
        note(self.log, "deleted")
        self._answer(200)

    def do_POST(self) -> None:
        length = int(self.headers["content-length"])
        if length > len(PING):  # an answer to one of our pings: it is never read
            time.sleep(SECONDS)
        message = json.loads(self.rfile.read(length))
        if "id" not in message or "method" not in message:
            self._answer(202)
        elif message["method"] == "tools/call":
            self._call(message)
        elif message["method"] == "initialize":
            note(self.log, "handshake")
            self._answer(200, reply(message, result("initialize", message["params"], TOOLS)), uuid.uuid4().hex)
        else:
            self._answer(200, reply(message, result(message["method"], {}, TOOLS)))

    def _call(self, message: Json) -> None:
        note(self.log, "call")
        params = message["params"]
        if params["name"] == "pings":
            self._stream()
            return
        arguments: Json = params.get("arguments") or {}
        time.sleep(arguments.get("seconds", 0))
        self._answer(200, reply(message, text("done")))

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()
        number = 0
        while True:
            number += 1
            self.wfile.write(b"data: " + ping(number) + b"\n\n")

    def _answer(self, status: int, body: bytes = b"", session: str = "") -> None:
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        if body:
            self.send_header("content-type", "application/json")
        if session:
            self.send_header("mcp-session-id", session)
        self.end_headers()
        self.wfile.write(body)


class Quiet(ThreadingHTTPServer):
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None: ...


def main() -> None:
    kind, *given = sys.argv[1:]
    signal.alarm(SECONDS)
    if kind != "--http":
        over_stdio(kind, *given)
        return
    OverHttp.log = given[1]
    server = Quiet(("127.0.0.1", int(given[0])), OverHttp)
    threading.Thread(target=server.serve_forever).start()


if __name__ == "__main__":
    main()
