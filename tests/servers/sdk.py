"""A server made with the SDK, over stdio, Streamable HTTP, SSE, or in this process."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import anyio
import uvicorn
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from pydantic import BaseModel, Field


class Name(BaseModel):
    """What a person is asked."""

    name: str = "nobody"


async def ask() -> Elicit[Name]:
    """Ask in the modern way."""
    return Elicit("your name?", Name)


def make() -> MCPServer:
    """A new server."""
    server = MCPServer("sdk", version="1", instructions="for tests", log_level="ERROR")

    @server.tool()
    async def echo(text: str) -> str:
        return text

    @server.tool()
    async def sleep(s: float) -> str:
        await anyio.sleep(s)
        return "slept"

    @server.tool()
    async def plod(steps: int, ctx: Context) -> str:  # type: ignore[type-arg]
        for step in range(steps):
            await ctx.report_progress(step, steps)
            await anyio.sleep(0.1)
        return "arrived"

    @server.tool()
    def tell_meta(ctx: Context) -> str:  # type: ignore[type-arg]
        meta = ctx.request_context.meta or {}
        return json.dumps({name: value for name, value in meta.items() if name in ("tenant", "trace")})

    @server.tool()
    async def stay(file: str) -> str:
        try:
            await anyio.sleep(60)
        finally:
            Path(file).write_text("cancelled\n")  # noqa: ASYNC240
        return "stayed"

    @server.tool()
    def pid() -> int:
        return os.getpid()

    @server.tool()
    async def greet(who: Annotated[Name, Resolve(ask)]) -> str:
        return f"hi {who.name}"

    @server.tool()
    async def greet_old(ctx: Context) -> str:  # type: ignore[type-arg]
        answer = await ctx.elicit("your name?", Name)
        return f"{answer.action} {getattr(getattr(answer, 'data', None), 'name', '-')}"

    @server.tool()
    async def confirm(what: str, ctx: Context, apart: bool = False) -> str:  # type: ignore[type-arg]
        """Ask in the old way; apart from the call's own stream, as servers do that do not say which call asks."""
        form: Any = {"type": "object", "properties": {"name": {"type": "string"}}}
        answer = await ctx.session.elicit_form(f"really {what}?", form, None if apart else ctx.request_id)
        return f"{what}: {(answer.content or {}).get('name')}"

    @server.tool()
    async def grow(ctx: Context) -> str:  # type: ignore[type-arg]
        def grown(a: int) -> int:
            return a

        server.add_tool(grown, name="grown")
        await ctx.notify_tools_changed()
        await ctx.session.send_tool_list_changed()
        return "grown"

    @server.tool()
    def big(n: int) -> str:
        return "x" * n

    @server.tool()
    def near(place: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Place"})], steps: int = 1) -> str:
        return f"{steps} from {place}"

    @server.resource("note://one")
    def note() -> str:
        return "a note"

    @server.prompt()
    def hello(name: str) -> str:
        return f"say hello to {name}"

    return server


@contextmanager
def serving(kind: str, *, port: int = 0, made: Any = None, **options: Any) -> Generator[str]:
    """Serve over HTTP in a thread, and give the URL."""
    made = make() if made is None else made
    app = made.sse_app() if kind == "sse" else made.streamable_http_app(**options)
    config = uvicorn.Config(app, host="127.0.0.1", port=port, log_level="error", ws="none", timeout_graceful_shutdown=1)
    web = uvicorn.Server(config)
    thread = threading.Thread(target=web.run, daemon=True)
    thread.start()
    while not web.started:
        threading.Event().wait(0.005)
    at = web.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{at}/{'sse' if kind == 'sse' else 'mcp'}"
    finally:
        web.should_exit = True
        thread.join(20)


if __name__ == "__main__":
    make().run("stdio")
    sys.exit(0)
