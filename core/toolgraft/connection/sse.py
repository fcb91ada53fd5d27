"""The deprecated HTTP+SSE transport (MCP 2024-11-05): one event stream to read, a POST for each message.

Written here because the SDK's ends for good at the first failed POST or the first event above 1 MiB. A POST is made in
the task of its caller, so that its failure is that call's failure.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final

import anyio
import httpx2
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest

from toolgraft.connection.http_client import http_client
from toolgraft.connection.isolation import Isolation, NotMcp, WireError
from toolgraft.connection.record import TooLarge
from toolgraft.connection.stdio import parse

if TYPE_CHECKING:
    from toolgraft.config.servers import Sse

_HEADERS: Final = {"Accept": "text/event-stream", "Cache-Control": "no-store"}
_REDIRECTS: Final = 5
_log: Final = logging.getLogger("toolgraft")


@asynccontextmanager
async def sse(config: Sse, isolation: Isolation, *, wire_bytes: int) -> AsyncGenerator[tuple[Any, Any]]:
    """Open the stream and learn where to post.

    Raises:
        httpx2.TransportError: The server cannot be reached.
        NotMcp: What answers is something else.
    """
    async with http_client(config, isolation) as client:
        response = await _open(client, config.url)
        try:
            events = aiter(httpx2.EventSource(response, max_event_size=wire_bytes))
            endpoint = await _endpoint(events, response.request.url)
            yield Events(events, wire_bytes), Posts(client, endpoint)
        finally:
            with anyio.CancelScope(shield=True):
                await response.aclose()


async def _open(client: httpx2.AsyncClient, url: str) -> httpx2.Response:
    """GET the stream; a redirect is followed only where it stays within the origin."""
    request = client.build_request("GET", url, headers=_HEADERS)
    for _ in range(_REDIRECTS):
        response = await client.send(request, stream=True, follow_redirects=False)
        following = response.next_request
        if following is None:
            break
        await response.aclose()
        if _origin(following.url) != _origin(request.url):
            raise NotMcp(
                f"it redirects to {following.url.copy_with(userinfo=b'', query=None)}; use that, if you trust it"
            )
        request = following
    else:
        raise NotMcp("it redirects for ever")
    if response.status_code != 200:
        await response.aclose()
        response.raise_for_status()
        raise NotMcp(f"HTTP {response.status_code}, which opens no event stream")
    return response


def _origin(url: httpx2.URL) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port


async def _endpoint(events: AsyncIterator[httpx2.ServerSentEvent], url: httpx2.URL) -> httpx2.URL:
    async for event in events:
        if event.event == "endpoint":
            endpoint = url.join(event.data)
            if _origin(endpoint) != _origin(url):
                raise NotMcp("it wants its messages posted to another origin, which is not done")
            return endpoint
    raise NotMcp("its event stream ended before it said where to post")


class Events:
    """The messages of the server, as the SDK reads them."""

    def __init__(self, events: AsyncIterator[httpx2.ServerSentEvent], limit: int) -> None:
        self._events = events
        self._limit = limit
        self._over = False

    async def receive(self) -> SessionMessage | Exception:
        """The next message."""
        try:
            return await self.__anext__()
        except StopAsyncIteration:
            raise anyio.EndOfStream from None

    async def aclose(self) -> None:
        """Leave the closing to the transport."""
        self._over = True

    def __aiter__(self) -> Events:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        while not self._over:
            try:
                event = await anext(self._events)
            except httpx2.SSEError:  # an event that is too large; there is no way past it
                self._over = True
                return TooLarge(None, self._limit)
            except httpx2.TransportError:
                break
            if event.event == "message" and event.data:
                return parse(event.data.encode())
        raise StopAsyncIteration

    async def __aenter__(self) -> Events:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


class Posts:
    """Messages to the server, posted in the task of the caller."""

    def __init__(self, client: httpx2.AsyncClient, endpoint: httpx2.URL) -> None:
        self._client = client
        self._endpoint = endpoint

    async def send(self, item: SessionMessage, /) -> None:
        """Post a message.

        Raises:
            WireError: A request could not be posted, or was refused.
        """
        body = item.message.model_dump_json(by_alias=True, exclude_unset=True)
        request = self._client.build_request(
            "POST", self._endpoint, content=body, headers={"Content-Type": "application/json"}
        )
        try:
            response = await self._client.send(request, follow_redirects=False)
            response.raise_for_status()
        except WireError as error:
            if isinstance(item.message, JSONRPCRequest):
                raise
            _log.debug("a message to '%s' was not delivered: %s", self._endpoint.host, error)

    async def aclose(self) -> None:
        """Leave the closing to the transport."""

    async def __aenter__(self) -> Posts:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()
