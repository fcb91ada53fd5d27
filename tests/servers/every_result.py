"""A server that answers in every shape a result can have, good and bad, of nothing but the standard library.

`python every_result.py stdio|http [--era modern|legacy] [--sse]`. Each tool is one shape, named after it. Over HTTP it
prints its port; with `--sse` it answers in server-sent events.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import random
import socket
import struct
import sys
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


def b64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def png(width: int, height: int, rows: bytes) -> bytes:
    """A grey picture."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 0)) + chunk(b"IEND", b"")


def noise(width: int, height: int) -> bytes:
    """A picture that does not compress: a byte a pixel."""
    source = random.Random(width)
    return png(width, height, b"".join(b"\0" + source.randbytes(width) for _ in range(height)))


PNG = b64(png(1, 1, b"\0\x80"))
JPEG = b64(b"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01\x00\x00\x01\x00\x01\x00\x00\xff\xd9")
SVG = '<svg xmlns="http://www.w3.org/2000/svg"><circle r="1"/></svg>'
WAV = b64(b"RIFF\x24\x00\x00\x00WAVEfmt " + bytes(28))
PDF = b64(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\n")
ZIP = b64(b"PK\x03\x04" + bytes(40))

TEXT = {"type": "text", "text": "a text"}
IMAGE = {"type": "image", "data": PNG, "mimeType": "image/png"}
AUDIO = {"type": "audio", "data": WAV, "mimeType": "audio/wav"}
LINK = {
    "type": "resource_link",
    "uri": "notes://1",
    "name": "note",
    "title": "A note",
    "description": "What was noted",
    "mimeType": "text/plain",
    "size": 12,
}
USER = {"annotations": {"audience": ["user"], "priority": 0.2}}


def resource(**contents: Any) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": "file:///data/a.bin", **contents}}


def content(*blocks: Any, **more: Any) -> dict[str, Any]:
    return {"content": list(blocks), **more}


SHAPES: dict[str, dict[str, Any]] = {
    "text": content(TEXT),
    "two_texts": content(TEXT, {"type": "text", "text": "another"}),
    "empty": content(),
    "blank": content({"type": "text", "text": " \n"}),
    "unicode": content({"type": "text", "text": "東京 שלום 👩🏽"}),
    "image": content(IMAGE),
    "text_and_image": content(TEXT, IMAGE),
    "image_mislabelled": content({**IMAGE, "data": JPEG}),
    "image_svg": content({"type": "image", "data": b64(SVG.encode()), "mimeType": "image/svg+xml"}),
    "image_empty": content({**IMAGE, "data": ""}),
    "image_broken": content({**IMAGE, "data": "%%%%"}),
    "image_no_picture": content({**IMAGE, "data": b64(b"no picture")}),
    "audio": content(AUDIO),
    "link": content(LINK),
    "resource_text": content(resource(text="x = 1", mimeType="text/x-python")),
    "resource_image": content(resource(blob=PNG, mimeType="image/png")),
    "resource_pdf": content(resource(blob=PDF, mimeType="application/pdf")),
    "resource_zip": content(resource(blob=ZIP)),
    "user_only": content({**TEXT, **USER}),
    "user_and_model": content({**TEXT, **USER}, IMAGE),
    "structured": content(structuredContent={"v": "東京"}),
    "structured_empty": content(structuredContent={}),
    "structured_null": content(structuredContent=None),
    "structured_mirrored": content({"type": "text", "text": '{"a": 1}'}, structuredContent={"a": 1}),
    "structured_escaped": content({"type": "text", "text": '{"v": "\\u6771"}'}, structuredContent={"v": "東"}),
    "structured_beside_text": content(TEXT, structuredContent={"a": 1}),
    "structured_beside_image": content(IMAGE, structuredContent={"w": 1}),
    "structured_repeats_image": content(IMAGE, structuredContent={"w": 1, "data": PNG}),
    "error": content({"type": "text", "text": "no such city"}, isError=True),
    "error_structured": content({"type": "text", "text": "quota"}, structuredContent={"wait": 3}, isError=True),
    "error_only_structured": content(structuredContent={"wait": 3}, isError=True),
    "error_image": content(IMAGE, isError=True),
    "error_empty": content(isError=True),
    "meta": content(TEXT, _meta={"example.com/cost": 2}),
    "everything": content(
        TEXT, IMAGE, LINK, resource(text="x"), {"type": "audio", "data": WAV, "mimeType": "audio/wav"}
    ),
}
"""What servers of either era may send."""

MODERN: dict[str, dict[str, Any]] = {
    "structured_list": content(structuredContent=[1, "a"]),
    "structured_zero": content(structuredContent=0),
    "structured_false": content(structuredContent=False),
}
"""What the revision 2026-07-28 allows besides."""

BAD: dict[str, dict[str, Any]] = {
    "no_content": {"structuredContent": {"a": 1}},
    "null_content": {"content": None, "structuredContent": {"a": 1}},
    "unknown_block": content(TEXT, {"type": "hologram", "data": {"x": 1}}),
    "odd_blocks": content(TEXT, None, 7, "bare", {"type": "text"}, {"type": "image"}),
    "odd_members": content(TEXT, isError="no"),
}
"""What no server should send and some do."""

OUTPUT: dict[str, Any] = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
PROMISED: dict[str, dict[str, Any]] = {
    "promise_kept": content({"type": "text", "text": '{"n": 1}'}, structuredContent={"n": 1}),
    "promise_broken": content({"type": "text", "text": "one"}, structuredContent={"n": "one"}),
    "promise_forgotten": content(TEXT),
}
"""Results of tools that have the output schema `OUTPUT`."""

FAILING = ("protocol_error", "dies")
"""Tools that answer with a JSON-RPC error, and not at all."""

LARGE = ("image_5mb", "text_20mb")
ALL = {**SHAPES, **MODERN, **BAD, **PROMISED}
RESOURCES = {"notes://1": {"contents": [{"uri": "notes://1", "mimeType": "text/plain", "text": "noted"}]}}


def large(name: str) -> dict[str, Any]:
    if name == "image_5mb":
        return content({**IMAGE, "data": b64(noise(2_500, 2_000))})
    line = "This is one of very many lines of text.\n"
    return content({"type": "text", "text": line * (20 * 1024 * 1024 // len(line))})


def tools() -> list[dict[str, Any]]:
    names = [*ALL, *LARGE, *FAILING]
    return [
        {"name": name, "inputSchema": {"type": "object"}, **({"outputSchema": OUTPUT} if name in PROMISED else {})}
        for name in names
    ]


def answer(message: dict[str, Any], legacy: bool) -> dict[str, Any] | None:
    """Answer one JSON-RPC message; None for a notification."""
    if "id" not in message:
        return None
    head = {"jsonrpc": "2.0", "id": message["id"]}
    name = message.get("params", {}).get("name")
    if name == "protocol_error":
        return {**head, "error": {"code": -32602, "message": "no such city", "data": {"city": "?"}}}
    if name == "dies":
        os._exit(3)
    result = result_of(message, legacy)
    if result is None:
        return {**head, "error": {"code": -32601, "message": f"no method {message.get('method')}"}}
    return {**head, "result": result if legacy else {"resultType": "complete", **result}}


def result_of(message: dict[str, Any], legacy: bool) -> dict[str, Any] | None:
    method: str = message["method"]
    params: dict[str, Any] = message.get("params", {})
    offered: dict[str, Any] = {"tools": {}, "resources": {}}
    cached: dict[str, Any] = {} if legacy else {"ttlMs": 0, "cacheScope": "private"}
    if method == "initialize":
        return {
            "protocolVersion": "2025-11-25",
            "capabilities": offered,
            "serverInfo": {"name": "every", "version": "1"},
        }
    if method == "server/discover" and not legacy:
        return {"supportedVersions": ["2026-07-28"], "capabilities": offered, **cached}
    if method == "tools/list":
        return {"tools": tools(), **cached}
    if method == "tools/call":
        name = params["name"]
        return large(name) if name in LARGE else ALL[name]
    if method == "resources/read":
        return {**RESOURCES[params["uri"]], **cached}
    return None


def over_stdio(legacy: bool) -> None:
    for line in sys.stdin:
        said = answer(json.loads(line), legacy)
        if said is not None:
            sys.stdout.write(json.dumps(said) + "\n")
            sys.stdout.flush()


def over_http(legacy: bool, sse: bool) -> None:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if message.get("params", {}).get("name") == "dies":
                self.close_connection = True
                return self.connection.shutdown(socket.SHUT_RDWR)
            said = answer(message, legacy)
            if said is None:
                return self.reply(202, "application/json", b"")
            body = json.dumps(said).encode()
            if sse:
                return self.reply(200, "text/event-stream", b"event: message\ndata: " + body + b"\n\n")
            return self.reply(200, "application/json", body)

        def do_GET(self) -> None:
            self.reply(405, "text/plain", b"")

        do_DELETE = do_GET

        def reply(self, status: int, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        request_queue_size = 256  # all tools are called at once

    server = Server(("127.0.0.1", 0), Handler)
    sys.stdout.write(f"{server.server_port}\n")
    sys.stdout.flush()
    server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("transport", choices=["stdio", "http"])
    parser.add_argument("--era", choices=["modern", "legacy"], default="modern")
    parser.add_argument("--sse", action="store_true")
    options = parser.parse_args()
    legacy = options.era == "legacy"
    over_stdio(legacy) if options.transport == "stdio" else over_http(legacy, options.sse)


if __name__ == "__main__":
    main()
