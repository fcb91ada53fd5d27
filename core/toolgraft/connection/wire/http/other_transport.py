"""Whether a server that does not speak the transport that is declared speaks the other one, so that we can say so."""

from __future__ import annotations

from contextlib import suppress
from typing import Final

import anyio
import httpx2
from mcp_types import JSONRPCRequest

from toolgraft.connection.wire.http.bodies import chunks, kind_of, read_body
from toolgraft.connection.wire.http.event_stream import EventReader
from toolgraft.connection.wire.http.failures import NotMcp
from toolgraft.connection.wire.http.media import EVENT_STREAM, EVENTS, MESSAGE, SESSION
from toolgraft.connection.wire.http.requests import HttpRequests, Mark
from toolgraft.connection.wire.in_flight import WireError

_SECONDS: Final = 5.0
_BYTES: Final = 64 * 1024


async def speaks_sse(http: HttpRequests) -> bool:
    """Whether an event stream opens here that begins with the address for messages, as HTTP+SSE does."""
    with anyio.move_on_after(_SECONDS), suppress(WireError, NotMcp, httpx2.HTTPError):
        response = await http.send("GET", http.url, Mark(), headers=EVENTS)
        try:
            reader = EventReader(_BYTES)
            if response.status_code == 200 and kind_of(response) == EVENT_STREAM:
                async for chunk in chunks(response):
                    for event in reader.feed(chunk):
                        return event.kind == "endpoint"
        finally:
            await response.aclose()
    return False


async def speaks_streamable_http(http: HttpRequests) -> bool:
    """Whether a POST is answered here by a JSON-RPC message, be it an error, as Streamable HTTP does."""
    ping = JSONRPCRequest(jsonrpc="2.0", id="ping", method="ping")
    content = ping.model_dump_json(by_alias=True, exclude_unset=True).encode()
    with anyio.move_on_after(_SECONDS), suppress(WireError, NotMcp, httpx2.HTTPError):
        response = await http.send("POST", http.url, Mark(), headers=MESSAGE, content=content)
        if session := response.headers.get(SESSION):  # some open one for whatever comes first
            ended = await http.send("DELETE", http.url, Mark(), headers={**MESSAGE, SESSION: session})
            await ended.aclose()
        if response.status_code == 200 and kind_of(response) == EVENT_STREAM:
            await response.aclose()
            return True
        return b'"jsonrpc"' in await read_body(response, _BYTES, cut=True)
    return False
