"""The deprecated HTTP+SSE transport (MCP 2024-11-05): one event stream to read, a POST for each message.

Written here because the SDK's ends for good at the first failed POST or the first event above 1 MiB. A POST is made in
the task of its caller, so that its failure is that call's failure.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import anyio
import httpx2
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest

from toolgraft.connection.bodies import NotMcp
from toolgraft.connection.http_client import http_client
from toolgraft.connection.isolation import Isolation, WireError
from toolgraft.connection.lines import EventReader, parse
from toolgraft.connection.record import Failure, TooLarge
from toolgraft.connection.streams import Incoming, Stream

if TYPE_CHECKING:
    from toolgraft.config.servers import Sse

_HEADERS: Final = {"Accept": "text/event-stream", "Cache-Control": "no-store"}
_REDIRECTS: Final = 5
_LAST_POSTS: Final = 2.0
"""Seconds that messages on their way are given when the stream has ended."""

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
        posts: Posts | None = None
        try:
            events = Events(response, wire_bytes)
            posts = Posts(client, await events.endpoint(response.request.url))
            yield events, posts
        finally:
            with anyio.CancelScope(shield=True):
                if posts is not None:
                    await posts.end()
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


class Events(Incoming):
    """The messages of the server, as the SDK reads them."""

    def __init__(self, response: httpx2.Response, limit: int) -> None:
        self._chunks = response.aiter_bytes()
        self._reader = EventReader(limit)
        self._ready: deque[tuple[str, bytes | TooLarge]] = deque()
        self._over = False

    async def endpoint(self, url: httpx2.URL) -> httpx2.URL:
        """Where messages are posted, which the server says first.

        Raises:
            NotMcp: It does not, or names another origin.
        """
        while (event := await self._next()) is not None:
            if event[0] == "endpoint" and isinstance(event[1], bytes):
                endpoint = url.join(event[1].decode(errors="replace"))
                if _origin(endpoint) != _origin(url):
                    raise NotMcp("it wants its messages posted to another origin, which is not done")
                return endpoint
        raise NotMcp("its event stream ended before it said where to post")
        self._over = True

    async def __anext__(self) -> SessionMessage | Exception:
        while (event := await self._next()) is not None:
            kind, data = event
            if isinstance(data, TooLarge):
                return data
            if kind == "message":
                return parse(data)
        raise StopAsyncIteration

    async def _next(self) -> tuple[str, bytes | TooLarge] | None:
        while not self._ready:
            try:
                chunk = await anext(self._chunks, b"")
            except httpx2.TransportError:
                chunk = b""
            if not chunk or self._over:
                return None
            self._ready.extend(self._reader.feed(chunk))
        return self._ready.popleft()


class Posts(Stream):
    """Messages to the server, posted in the task of the caller."""

    def __init__(self, client: httpx2.AsyncClient, endpoint: httpx2.URL) -> None:
        self._client = client
        self._endpoint = endpoint
        self._on_their_way: set[anyio.CancelScope] = set()
        self._none_left = anyio.Event()

    async def end(self) -> None:
        """Wait for what is on its way, but not long: a POST that outlives its client would leave a socket behind."""
        with anyio.move_on_after(_LAST_POSTS):
            await self._until_none()
        for scope in self._on_their_way:
            scope.cancel()
        await self._until_none()

    async def _until_none(self) -> None:
        while self._on_their_way:
            await self._none_left.wait()

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
            await self._post(request)
        except WireError as error:
            if isinstance(item.message, JSONRPCRequest):
                raise
            _log.debug("a message to '%s' was not delivered: %s", self._endpoint.host, error)

    async def _post(self, request: httpx2.Request) -> None:
        with anyio.CancelScope() as scope:
            self._on_their_way.add(scope)
            try:
                response = await self._client.send(request, follow_redirects=False)
            finally:
                self._on_their_way.discard(scope)
                if not self._on_their_way:
                    self._none_left.set()
                    self._none_left = anyio.Event()
            if response.is_redirect:
                raise WireError(Failure("it redirects, which is not followed", http_status=response.status_code))
        if scope.cancelled_caught:
            raise WireError(Failure("its event stream ended"))
