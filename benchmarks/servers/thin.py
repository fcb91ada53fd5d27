"""An MCP server on the standard library alone: it answers at once, so that what is left of a call is the client's cost.

    thin.py [--http PORT] [--tools N] [--delay SECONDS] [--log FILE] [--stubborn] [--name NAME]

It speaks the `initialize` handshake. `--delay` waits before the first message is read (a slow start that uses no
processor), `--stubborn` ignores both the end of its input and SIGTERM, `--log` writes a JSON line for its start and
for every message.
"""

import argparse
import asyncio
import base64
import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

Json = dict[str, Any]

TEXT = "0123456789abcdef" * 65536  # 1 MiB
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x10\x00\x00\x00\x10\x08\x02\x00\x00\x00\x90\x91h6"
IMAGE = base64.b64encode(PNG + os.urandom(1_000_000 - len(PNG))).decode()


def tool(name: str, description: str, properties: Json, required: tuple[str, ...] = ()) -> Json:
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return {"name": name, "description": description, "inputSchema": schema}


def search(index: int) -> Json:
    """A tool of ordinary size: four parameters, some 670 bytes."""
    properties = {
        "query": {"type": "string", "title": "Query", "description": "What to look for, in the service's own syntax."},
        "limit": {"type": "integer", "title": "Limit", "default": 10, "minimum": 1, "maximum": 100,
                  "description": "The largest number of results to return."},
        "sort": {"type": "string", "title": "Sort", "enum": ["relevance", "date", "name"], "default": "relevance",
                 "description": "The order of the results."},
        "include_archived": {"type": "boolean", "title": "Include Archived", "default": False,
                             "description": "Whether archived items are searched too."},
    }  # fmt: skip
    description = f"Search the items of collection {index} and return those that match the query, newest first."
    return tool(f"search_items_{index:04d}", description, properties, ("query",))


def tools(count: int) -> list[Json]:
    own = [
        tool("echo", "Return the text.", {"text": {"type": "string", "description": "What to return."}}, ("text",)),
        tool("sleep", "Wait, then answer.", {"ms": {"type": "integer", "default": 50}}),
        tool("hang", "Never answer.", {}),
        tool("big_text", "Return 1 MiB of text.", {}),
        tool("image", "Return a picture of 1 MB.", {}),
    ]
    return own + [search(index) for index in range(count - len(own))]


class Thin:
    """Answers messages; `slow` are those that must not hold up the others."""

    def __init__(self, name: str, count: int, log: str | None) -> None:
        self.name = name
        self.tools = tools(count)
        self.log = Path(log).open("a", buffering=1) if log else None  # noqa: SIM115 (as long as it lives)

    def event(self, **facts: Any) -> None:
        if self.log:
            self.log.write(json.dumps({"at": time.time(), "pid": os.getpid(), **facts}) + "\n")

    async def answer(self, message: Json) -> Json | None:
        method, number = message.get("method"), message.get("id")
        self.event(method=method, id=number)
        if number is None or method is None:
            return None
        result = await self.result(str(method), message.get("params") or {})
        if result is None:
            return {"jsonrpc": "2.0", "id": number, "error": {"code": -32601, "message": "Method not found"}}
        return {"jsonrpc": "2.0", "id": number, "result": result}

    async def result(self, method: str, params: Json) -> Json | None:
        if method == "initialize":
            info = {"name": self.name, "version": "1"}
            return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": info}
        if method == "tools/list":
            return {"tools": self.tools}
        if method == "tools/call":
            return {"content": [await self.content(params["name"], params.get("arguments") or {})], "isError": False}
        return {} if method == "ping" else None

    async def content(self, name: str, arguments: Json) -> Json:
        if name == "sleep":
            await asyncio.sleep(arguments.get("ms", 50) / 1000)
        elif name == "hang":
            await asyncio.Event().wait()
        elif name == "image":
            return {"type": "image", "data": IMAGE, "mimeType": "image/png"}
        text = TEXT if name == "big_text" else arguments.get("text", "ok")
        return {"type": "text", "text": text}


def line(message: Json) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode()


def slow(message: Json) -> bool:
    return message.get("method") == "tools/call" and message["params"]["name"] in ("sleep", "hang")


async def over_stdio(server: Thin, stubborn: bool) -> None:
    reader = asyncio.StreamReader(limit=1 << 26)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin.buffer)

    async def one(message: Json) -> None:
        answer = await server.answer(message)
        if answer is not None:
            sys.stdout.buffer.write(line(answer) + b"\n")
            sys.stdout.buffer.flush()

    running: set[asyncio.Task[None]] = set()
    while given := await reader.readline():
        message = json.loads(given)
        if slow(message):
            task = asyncio.create_task(one(message))
            running.add(task)
            task.add_done_callback(running.discard)
        else:
            await one(message)
    server.event(method="end of input")
    if stubborn:
        await asyncio.sleep(30)


async def over_http(server: Thin, port: int) -> None:
    async def connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).lower()
                lengths = [each[15:] for each in head.split(b"\r\n") if each.startswith(b"content-length:")]
                body = await reader.readexactly(int(lengths[0])) if lengths else b""
                writer.write(await reply(head, body))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def reply(head: bytes, body: bytes) -> bytes:
        if not head.startswith(b"post"):
            return b"HTTP/1.1 405 Method Not Allowed\r\ncontent-length: 0\r\n\r\n"
        answer = await server.answer(json.loads(body))
        if answer is None:
            return b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n"
        content = line(answer)
        lead = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n"
        return lead % len(content) + content

    async with await asyncio.start_server(connection, "127.0.0.1", port, limit=1 << 26) as listening:
        await listening.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--http", type=int)
    parser.add_argument("--tools", type=int, default=10)
    parser.add_argument("--delay", type=float, default=0)
    parser.add_argument("--log")
    parser.add_argument("--stubborn", action="store_true")
    parser.add_argument("--name", default="thin")
    given = parser.parse_args()
    server = Thin(given.name, given.tools, given.log)
    if given.stubborn:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    server.event(method="start")
    time.sleep(given.delay)
    asyncio.run(over_http(server, given.http) if given.http else over_stdio(server, given.stubborn))


if __name__ == "__main__":
    main()
