"""From a server's declaration to a transport of the SDK; a new one for each connection."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from mcp.client._memory import InMemoryTransport
from mcp.client.streamable_http import streamable_http_client

from toolgraft.config.servers import Custom, Http, InProcess, Server, Sse, Stdio
from toolgraft.connection.child import Child
from toolgraft.connection.http_client import http_client
from toolgraft.connection.isolation import Isolation
from toolgraft.connection.sse import sse
from toolgraft.connection.stdio import stdio

if TYPE_CHECKING:
    from mcp.client import Transport
    from mcp.client._transport import TransportStreams  # only public under this name


def transport(config: Server, isolation: Isolation, child: Child | None, *, wire_bytes: int) -> Transport:
    """A new transport to `config`; `child` is told of a process that is started."""
    match config:
        case Stdio():
            return stdio(config, child or Child(config), wire_bytes=wire_bytes)
        case Http():
            return _http(config, isolation, wire_bytes)
        case Sse():
            return sse(config, isolation, wire_bytes=wire_bytes)
        case InProcess():
            return InMemoryTransport(config.server)
        case Custom():
            return config.transport_factory()
        case _:
            raise TypeError(f"no transport for {type(config).__name__}")


@asynccontextmanager
async def _http(config: Http, isolation: Isolation, wire_bytes: int) -> AsyncGenerator[TransportStreams]:
    size = config.max_sse_event_size or wire_bytes
    async with (
        http_client(config, isolation) as client,
        streamable_http_client(config.url, http_client=client, max_sse_event_size=size) as streams,
    ):
        yield streams
