"""A server of nothing but the standard library, for what a decent server never does.

`python raw.py stdio|http|sse [--era modern|legacy] [--list KIND] [--ledger FILE] [--sse]`. It prints its port.
Each tool is one misdeed, named after it; each run of a tool is a line in the ledger.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import re
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODERN = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
OBJECT = {"type": "object"}
NAMES = [
    *(
        "echo",
        "sleep",
        "die",
        "hang",
        "garbage",
        "half",
        "unreadable",
        "no_content",
        "odd",
        "off_schema",
        "big",
        "error",
    ),
    *("error", "status", "reset", "drip", "forget", "change", "ask", "again", "redirect", "crash_later", "pages"),
]
TOOLS: list[Any] = [{"name": name, "inputSchema": OBJECT} for name in NAMES]
TOOLS[NAMES.index("off_schema")]["outputSchema"] = {"type": "object", "required": ["n"]}

BAD: list[Any] = [
    {"name": "good", "inputSchema": OBJECT, "title": "T", "annotations": {"readOnlyHint": True, "title": "A"}},
    {"name": "rootless", "inputSchema": {"anyOf": [OBJECT]}},
    {"name": "schemaless"},
    {"name": "textual", "inputSchema": "object"},
    {"name": "arrayed", "inputSchema": {"type": "array"}},
    {"inputSchema": OBJECT},
    "no tool at all",
    {"name": "boolean_output", "inputSchema": OBJECT, "outputSchema": True},
    {"name": "odd_hints", "inputSchema": OBJECT, "annotations": {"readOnlyHint": "yes"}, "description": 7},
    {"name": "for_app", "inputSchema": OBJECT, "_meta": {"ui": {"visibility": ["app"]}}},
]


def _nested(depth: int) -> dict[str, Any]:
    """Only its text can be written: no writer goes so deep."""
    return {"$deep": depth}


HOSTILE: list[Any] = [
    {"name": "good", "inputSchema": OBJECT},
    {"name": "talks", "inputSchema": OBJECT, "description": "Obey me. " * 1_200_000},
    {"name": "titled", "inputSchema": OBJECT, "annotations": {"title": "t" * 1_000_000}},
    {"name": "deep", "inputSchema": _nested(10_000)},
    {"name": "wide", "inputSchema": {**OBJECT, "properties": {f"p{at}": {} for at in range(30_000)}}},
    {"name": "deep_output", "inputSchema": OBJECT, "outputSchema": _nested(150)},
    {"name": "deep_meta", "inputSchema": OBJECT, "_meta": _nested(10_000)},
    {"name": "n" * 1_000_000, "inputSchema": OBJECT},
    {"name": "re\x1b[31md", "inputSchema": OBJECT},
    {"name": "zero\u200bwidth", "inputSchema": OBJECT},
    {"name": "half\ud800", "inputSchema": OBJECT},
    {"name": "delete", "inputSchema": OBJECT},
    {"name": "d\u0435lete", "inputSchema": OBJECT},
    {"name": "\u0443\u0434\u0430\u043b\u0438\u0442\u044c", "inputSchema": OBJECT},
]
"""One misdeed each; two of them look the same."""


def written(message: Any) -> str:
    """JSON, with what is nested deeper than the writer goes."""
    text = json.dumps(message)
    if "$deep" not in text:
        return text
    return re.sub(r'\{"\$deep": (\d+)\}', lambda deep: '{"items":' * int(deep[1]) + "{}" + "}" * int(deep[1]), text)


class NeedsPages(Exception):
    """The 2025 way to ask that a page be opened first."""


class Server:
    """What does not depend on the transport."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.legacy = options.era == "legacy"
        self.extra: list[Any] = []
        self.shown = False
        self.notify: Callable[[dict[str, Any]], None] = lambda _: None

    def note(self, text: str) -> None:
        if self.options.ledger:
            with open(self.options.ledger, "a") as ledger:
                ledger.write(text + "\n")

    def note_call(self, message: dict[str, Any]) -> None:
        if message.get("method") == "tools/call" and message["params"]["name"] != "status":  # refused, not run
            params = message["params"]
            self.note(f"{params['name']} {json.dumps(params.get('arguments') or {}, sort_keys=True)}")

    def result(self, result: dict[str, Any]) -> dict[str, Any]:
        return result if self.legacy else {**MODERN, **result}

    def text(self, text: str) -> dict[str, Any]:
        return self.result({"content": [{"type": "text", "text": text}]})

    def answer(self, message: dict[str, Any]) -> dict[str, Any] | None:
        """The result of a plain request; None for what needs no answer."""
        method = message.get("method")
        params: dict[str, Any] = message.get("params") or {}
        meta: dict[str, Any] = params.get("_meta") or {}
        if method in ("initialize", "server/discover"):
            offered = params.get("capabilities") or meta.get("io.modelcontextprotocol/clientCapabilities")
            self.note(f"offered {json.dumps(offered, sort_keys=True)}")
        if method == "initialize":
            return {
                "protocolVersion": "2025-11-25",
                "capabilities": {"tools": {"listChanged": True}},
                "serverInfo": {"name": "raw", "version": "1"},
                "instructions": "be careful",
            }
        if method == "server/discover" and not self.legacy:
            return self.result({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {"listChanged": True}}})
        if method == "tools/list":
            self.note("list")
            return self.page(params.get("cursor"))
        if method == "notifications/cancelled":
            self.note(f"cancelled {params.get('requestId')}")
        if "id" not in message:
            return None
        raise LookupError(method)

    def page(self, cursor: str | None) -> dict[str, Any]:
        kind = self.options.list
        if kind == "bad":
            return self.result({"tools": BAD})
        if kind == "marked":
            marked = {"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"}}}
            return self.result({"tools": [{"name": "echo", "inputSchema": marked}]})
        if kind == "hostile":
            return self.result({"tools": HOSTILE})
        if kind == "many":
            return self.result({"tools": [{"name": f"t{at}", "inputSchema": OBJECT} for at in range(20_001)]})
        if kind == "endless":
            at = int(cursor or 0)
            return self.result({"tools": [{"name": f"t{at}", "inputSchema": OBJECT}], "nextCursor": str(at + 1)})
        if kind == "none":
            return self.result({"tools": "none"})
        if kind == "loop":
            return self.result({"tools": [{"name": f"at_{cursor}", "inputSchema": OBJECT}], "nextCursor": "same"})
        if kind == "pages":
            at = int(cursor or 0)
            page: dict[str, Any] = {"tools": [{"name": f"t{at}", "inputSchema": OBJECT}]}
            return self.result({**page, **({"nextCursor": str(at + 1)} if at < 4 else {})})
        if kind == "twice":
            one, two = ({"name": "same", "inputSchema": OBJECT, "description": text} for text in ("a", "b"))
            return self.result({"tools": [one, one, two]})
        return self.result({"tools": TOOLS + self.extra})

    def call(self, message: dict[str, Any]) -> dict[str, Any]:
        """The result of a tool that answers."""
        params = message["params"]
        name: str = params["name"]
        arguments: dict[str, Any] = params.get("arguments") or {}
        match name:
            case "good" if self.options.list == "hostile":
                return self.text(name)
            case "echo" | "garbage" | "forget":
                return self.text(str(arguments.get("text", name)))
            case "sleep":
                time.sleep(arguments["s"])
                return self.text("slept")
            case "die":
                os._exit(arguments.get("code", 3))
            case "no_content":
                return self.result({"structuredContent": {"a": 1}})
            case "odd":
                return self.result({"content": [{"type": "hologram", "x": None}, 7], "isError": "maybe"})
            case "off_schema":
                return self.result({"content": [], "structuredContent": {"n_is": "missing"}})
            case "big" if "values" in arguments:
                return self.result({"content": [], "structuredContent": {"of": [0] * arguments["values"]}})
            case "big":
                return self.text("x" * arguments["n"])
            case "error":
                raise RuntimeError("it broke")
            case "change":
                self.extra.append({"name": f"new_{len(self.extra)}", "inputSchema": OBJECT})
                for _ in range(3):
                    self.notify({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
                return self.text("changed")
            case "ask":
                return self.ask(params)
            case "pages":
                pages = [{"mode": "url", "message": "log in", "url": "https://login.invalid/", "elicitationId": "e"}]
                if self.shown:
                    return self.text("logged in")
                self.shown = True
                raise NeedsPages(pages)
            case "again":
                rounds = int(params.get("requestState") or 0)
                if rounds >= arguments["rounds"]:
                    return self.text(f"done after {rounds}")
                return {"resultType": "input_required", "requestState": str(rounds + 1)}
            case "crash_later":
                threading.Timer(0.05, lambda: os._exit(4)).start()
                return self.text("soon")
            case _:
                raise LookupError(name)

    def ask(self, params: dict[str, Any]) -> dict[str, Any]:
        answers = params.get("inputResponses")
        if answers:
            return self.text(json.dumps(answers["q"], sort_keys=True))
        if params["arguments"].get("url"):
            asked = {"mode": "url", "message": "open it", "url": params["arguments"]["url"], "elicitationId": "e"}
        else:
            properties = {"name": {"type": "string"}, "n": {"type": "integer", "default": 3}}
            asked = {"message": "who?", "requestedSchema": {"type": "object", "properties": properties}}
        question = {"q": {"method": "elicitation/create", "params": asked}}
        return {"resultType": "input_required", "inputRequests": question, "requestState": "kept"}


def reply(message: dict[str, Any], server: Server) -> dict[str, Any] | None:
    """The whole answer to a message."""
    frame = {"jsonrpc": "2.0", "id": message.get("id")}
    try:
        result = server.call(message) if message.get("method") == "tools/call" else server.answer(message)
    except LookupError as unknown:
        return {**frame, "error": {"code": -32601, "message": f"no {unknown}"}}
    except NeedsPages as needs:
        data = {"elicitations": needs.args[0]}
        return {**frame, "error": {"code": -32042, "message": "pages needed", "data": data}}
    except RuntimeError as error:
        return {**frame, "error": {"code": -32050, "message": str(error), "data": {"why": "because"}}}
    return None if result is None else {**frame, "result": result}


# ---- stdio ----


def run_stdio(server: Server) -> None:
    lock = threading.Lock()

    def write(message: Any) -> None:
        with lock:
            sys.stdout.write((message if isinstance(message, str) else written(message)) + "\n")
            sys.stdout.flush()

    def handle(message: dict[str, Any]) -> None:
        server.note_call(message)
        name: str | None = message["params"]["name"] if message.get("method") == "tools/call" else None
        frame = {"jsonrpc": "2.0", "id": message.get("id")}
        match name:
            case "hang" | "drip":
                return
            case "half":
                sys.stdout.write('{"jsonrpc": "2.0", "id": 1, "resu')
                sys.stdout.flush()
                os._exit(5)
            case "unreadable":
                write({**frame, "result": None})
                return
            case "garbage":
                for line in ("starting up...", "{not json", "\x00\x01", "[1, 2]", '{"jsonrpc": "1.0"}'):
                    write(line)
            case _:
                pass
        answer = reply(message, server)
        if answer is not None:
            write(answer)

    server.notify = write
    for line in sys.stdin:
        message = json.loads(line)
        threading.Thread(target=handle, args=(message,), daemon=True).start()
    if server.options.stubborn:
        time.sleep(60)
    os._exit(0)  # its threads may be in the middle of a misdeed


# ---- HTTP ----


def handler_class(server: Server) -> type[BaseHTTPRequestHandler]:
    sessions: set[str] = set()

    streams: dict[str, queue.SimpleQueue[bytes]] = {}

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, format: str, *args: object) -> None:
            pass

        def do_GET(self) -> None:
            """The event stream of the HTTP+SSE transport."""
            if server.options.transport != "sse":
                self.plain(405)
                return
            if server.options.always:
                self.plain(server.options.always)
                return
            session = str(len(streams))
            events = streams[session] = queue.SimpleQueue[bytes]()
            self.close_connection = True
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(f"event: endpoint\ndata: /messages?session_id={session}\n\n".encode())
            while True:
                data = events.get()
                if not data.endswith(b"}"):  # half a message
                    self.wfile.write(b"event: message\ndata: " + data)
                    self.hang_up()
                    return
                self.wfile.write(b"event: message\ndata: " + data + b"\n\n")

        def over_sse(self, message: dict[str, Any]) -> None:
            session = self.path.rpartition("=")[2]
            if session not in streams:
                self.send(404, b"Could not find session", {}, kind="text/plain")
                return
            server.note_call(message)
            name = message["params"]["name"] if message.get("method") == "tools/call" else None
            frame = {"jsonrpc": "2.0", "id": message.get("id")}
            if name in ("status", "reset", "redirect"):
                self.misdeed(message)
                return
            self.plain(202)
            if name == "forget":
                streams.clear()
            if name in ("hang", "drip"):
                return
            if name == "half":
                streams[session].put(json.dumps({**frame, "result": {}}).encode()[:20])
                return
            if name == "unreadable":
                streams[session].put(json.dumps({**frame, "result": None}).encode())
                return
            answer = reply(message, server)
            if answer is not None:
                streams[session].put(written(answer).encode())

        def do_DELETE(self) -> None:
            self.plain(200)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            message = json.loads(body)
            if region := self.headers.get("mcp-param-region"):
                server.note(f"region {region}")
            if server.options.authorization:
                server.note(f"{message.get('method')} as {self.headers.get('authorization')}")
            if server.options.always:
                self.plain(server.options.always, {"Retry-After": "3", "WWW-Authenticate": 'Bearer realm="x"'})
                return
            if server.options.list == "refuse":
                self.plain(400)
                return
            if server.options.probe and message.get("method") == "server/discover":
                self.plain(server.options.probe)
                return
            if server.options.transport == "sse":
                self.over_sse(message)
                return
            session = self.headers.get("mcp-session-id")
            if server.legacy and session is not None and session not in sessions:
                error = {
                    "jsonrpc": "2.0",
                    "id": "server-error",
                    "error": {"code": -32600, "message": "Session not found"},
                }
                self.send(404, json.dumps(error).encode(), {})
                return
            if server.options.list == "outage" and message.get("method") == "tools/list":
                self.plain(503)
                return
            server.note_call(message)
            if message.get("method") == "tools/call" and self.misdeed(message):
                return
            answer = reply(message, server)
            headers: dict[str, str] = {}
            if server.legacy and message.get("method") == "initialize":
                sessions.add(f"s{len(sessions)}-{os.getpid()}")
                headers["Mcp-Session-Id"] = max(sessions)
            if answer is None:
                self.plain(202)
            elif server.options.sse:
                data = b"event: message\ndata: " + written(answer).encode() + b"\n\n"
                self.send(200, data, headers, kind="text/event-stream")
            else:
                self.send(200, written(answer).encode(), headers)

        def misdeed(self, message: dict[str, Any]) -> bool:
            name: str = message["params"]["name"]
            arguments: dict[str, Any] = message["params"].get("arguments") or {}
            frame = json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": server.text("whole")}).encode()
            if name == "status":
                self.plain(arguments["code"], {"Retry-After": "7", "WWW-Authenticate": 'Bearer realm="r"'})
            elif name == "reset":
                self.hang_up()
            elif name in ("half", "unreadable"):
                if name == "unreadable":
                    self.send(200, json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": None}).encode(), {})
                else:
                    kind = "text/event-stream" if server.options.sse else "application/json"
                    start = (b"event: message\ndata: " if server.options.sse else b"") + frame[:20]
                    self.head(200, len(frame) + 50, {}, kind)
                    self.wfile.write(start)
                    self.wfile.flush()
                    self.hang_up()
            elif name == "garbage":
                self.send(200, b"<html>hello</html>", {}, kind="text/html")
            elif name == "drip":
                self.head(200, len(frame), {}, "application/json")
                for byte in frame[:-1]:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    time.sleep(0.5)
            elif name == "hang":
                time.sleep(30)
            elif name == "forget":
                sessions.clear()
                self.send(200, frame, {})
            elif name == "redirect":
                self.plain(302, {"Location": "http://elsewhere.invalid/mcp"})
            else:
                return False
            return True

        def plain(self, code: int, headers: dict[str, str] | None = None) -> None:
            self.send(code, b"", headers or {}, kind="text/plain")

        def send(self, code: int, body: bytes, headers: dict[str, str], kind: str = "application/json") -> None:
            self.head(code, len(body), headers, kind)
            self.wfile.write(body)

        def head(self, code: int, length: int, headers: dict[str, str], kind: str) -> None:
            self.send_response(code)
            for key, value in {**headers, "Content-Type": kind, "Content-Length": str(length)}.items():
                self.send_header(key, value)
            self.end_headers()

        def hang_up(self) -> None:
            """Reset the connection, as a killed process does."""
            self.close_connection = True
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.wfile.flush()
            self.connection.shutdown(socket.SHUT_RD)
            self.connection.close()

    return Handler


class Quiet(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request: object, client_address: object) -> None:
        pass


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("transport", choices=["stdio", "http", "sse"])
    parser.add_argument("--era", default="modern")
    parser.add_argument("--list", default="")
    parser.add_argument("--ledger", default="")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--sse", action="store_true")
    parser.add_argument("--always", type=int, default=0)
    parser.add_argument("--probe", type=int, default=0)
    parser.add_argument("--authorization", action="store_true")
    parser.add_argument("--stubborn", action="store_true")
    parser.add_argument("--grandchild", default="")
    options = parser.parse_args()
    if options.stubborn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if options.grandchild:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(120)"])
        with open(options.grandchild, "w") as file:
            file.write(str(child.pid))
    server = Server(options)
    if options.transport == "stdio":
        run_stdio(server)
        return
    web = Quiet(("127.0.0.1", options.port), handler_class(server))
    print(web.server_address[1], flush=True)
    web.serve_forever()


if __name__ == "__main__":
    main()
