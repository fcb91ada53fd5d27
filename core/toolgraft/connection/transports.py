"""From a server's declaration to a transport of the SDK; a new one for each connection."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from mcp import StdioServerParameters
from mcp.client._memory import InMemoryTransport
from mcp.client.sse import sse_client
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

from toolgraft.config.servers import Custom, Http, InProcess, Server, Sse, Stdio
from toolgraft.connection.http_client import http_client
from toolgraft.connection.isolation import Isolation

if TYPE_CHECKING:
    from mcp.client import Transport


def transport(config: Server, isolation: Isolation) -> Transport:
    """A new transport to `config`."""
    match config:
        case Stdio():
            return stdio_client(
                StdioServerParameters(
                    command=config.command, args=list(config.args), env=dict(config.env), cwd=config.cwd
                )
            )
        case Http():
            return _http(config, isolation)
        case Sse():
            return sse_client(config.url, httpx_client_factory=lambda **_: http_client(config, isolation))
        case InProcess():
            return InMemoryTransport(config.server)
        case Custom():
            return config.transport_factory()
        case _:
            raise TypeError(f"no transport for {type(config).__name__}")


@asynccontextmanager
async def _http(config: Http, isolation: Isolation) -> AsyncIterator[Any]:
    size = config.max_sse_event_size or config.limits.wire_bytes
    async with (
        http_client(config, isolation) as client,
        streamable_http_client(config.url, http_client=client, max_sse_event_size=size) as streams,
    ):
        yield streams
