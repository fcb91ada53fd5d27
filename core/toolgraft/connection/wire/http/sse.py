"""The deprecated HTTP+SSE transport (MCP 2024-11-05): one event stream to read, a POST for each message.

A POST is made in the task of its caller, so that its failure is that call's failure; answers come on the stream.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import anyio
import anyio.lowlevel
import httpx2
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest

from toolgraft.connection.wire.http.bodies import chunks, kind_of, read_body, read_message
from toolgraft.connection.wire.http.client import http_client
from toolgraft.connection.wire.http.event_stream import Event, EventReader
from toolgraft.connection.wire.http.failures import NotMcp
from toolgraft.connection.wire.http.log_redaction import kept_out_of_logs
from toolgraft.connection.wire.http.requests import HttpRequests, Mark, origin
from toolgraft.connection.wire.http.underway import Underway
from toolgraft.connection.wire.in_flight import Failure, WireError
from toolgraft.connection.wire.messages import id_in
from toolgraft.connection.wire.streams import Inbox, Incoming, Stream
from toolgraft.connection.wire.unreadable import TooLarge, Unreadable

if TYPE_CHECKING:
    from toolgraft.config.options import CallContext
    from toolgraft.config.servers import Sse
    from toolgraft.connection.wire.opener import Streams

_STREAM: Final = {"accept": "text/event-stream", "cache-control": "no-store"}
_MESSAGE: Final = {"content-type": "application/json"}
_ERROR_BODY: Final = 64 * 1024
_SESSION_CHECK: Final = 5.0
_LAST_POSTS: Final = 2.0
"""Seconds that messages on their way are given when the stream has ended."""

_PREFIXES: Final = 4

_log: Final = logging.getLogger("toolgraft")


@asynccontextmanager
async def sse(config: Sse, who: CallContext, wire_bytes: int) -> AsyncGenerator[Streams]:
    """Open the stream and learn where to post.

    Raises:
        WireError: The server cannot be reached, or is something else.
    """
    with kept_out_of_logs(config.url):
        async with http_client(config) as client:
            http = HttpRequests(config, client, who)
            underway = Underway(config.name, Inbox())
            response = await _open(http)
            try:
                events = Events(response, underway, wire_bytes)
                posts = Posts(config.name, http, underway, await events.endpoints(response.request.url))
                yield events, posts
                with anyio.move_on_after(_LAST_POSTS, shield=True):
                    await posts.until_none()
            except (httpx2.HTTPError, NotMcp) as error:
                raise WireError(http.failures.of(error)) from error
            finally:
                with anyio.CancelScope(shield=True):
                    await underway.end()
                    await response.aclose()


async def _open(http: HttpRequests) -> httpx2.Response:
    response = await http.send("GET", http.url, Mark(), headers=_STREAM, ours=True)
    if response.status_code != 200:
        body = await read_body(response, _ERROR_BODY, cut=True)
        raise WireError(http.failures.refusal(response, body))
    if kind_of(response) != "text/event-stream":
        kind = kind_of(response)
        await response.aclose()
        raise WireError(Failure(f"it answers with {kind or 'no content type'}, which opens no event stream"))
    return response


class Events(Incoming):
    """The messages of the server, as the session reads them."""

    def __init__(self, response: httpx2.Response, underway: Underway, limit: int) -> None:
        self._chunks = chunks(response)
        self._reader = EventReader(limit)
        self._underway = underway
        self._events: deque[Event] = deque()
        self._closed = False

    async def endpoints(self, url: httpx2.URL) -> list[httpx2.URL]:
        """Where messages are posted, which the server says first, and where else that may be.

        Raises:
            NotMcp: It does not, or names another origin.
        """
        while (event := await self._next()) is not None:
            if event.kind == "endpoint" and isinstance(event.data, bytes):
                told = event.data.decode(errors="replace")
                try:
                    endpoint = url.join(told)
                except (httpx2.InvalidURL, ValueError) as error:
                    raise NotMcp("it names an address for messages that is none") from error
                if origin(endpoint) != origin(url) or endpoint.userinfo:
                    raise NotMcp("it wants its messages posted to another origin, which is not done")
                return [endpoint, *behind_prefixes(url, endpoint, told)]
        raise NotMcp("its event stream ended before it said where to post")

    async def aclose(self) -> None:
        """Deliver nothing more."""
        self._closed = True
        self._events.clear()

    async def __anext__(self) -> SessionMessage | Exception:
        while (event := await self._next()) is not None:
            if isinstance(event.data, TooLarge):
                return event.data
            if event.kind != "message" or not event.data:
                continue
            try:
                item = read_message(event.data, None)
                self._underway.asked(item, len(event.data))
            except NotMcp as error:
                return unreadable(event.data, error)
            except WireError:
                break
            return item
        raise StopAsyncIteration

    async def _next(self) -> Event | None:
        if self._events:  # others get their turn, however much has come
            await anyio.lowlevel.checkpoint()
        while not self._events:
            try:
                chunk = await anext(self._chunks, b"")
            except (httpx2.TransportError, NotMcp):
                chunk = b""
            if not chunk or self._closed or self._underway.over:
                return None
            self._events.extend(self._reader.feed(chunk))
        return None if self._closed else self._events.popleft()


class Posts(Stream):
    """Messages to the server, posted in the task of the caller."""

    def __init__(self, server: str, http: HttpRequests, underway: Underway, endpoints: list[httpx2.URL]) -> None:
        self._server = server
        self._http = http
        self._underway = underway
        self._endpoints = endpoints
        self._found = False

    async def until_none(self) -> None:
        """Wait until nothing is on its way: a POST that outlives its client would leave a socket behind."""
        await self._underway.until_none()

    async def send(self, item: SessionMessage, /) -> None:
        """Post a message.

        Raises:
            WireError: A request could not be posted, or was refused.
        """
        try:
            await self._underway.run(math.inf, lambda mark: self._post(item, mark))
        except WireError as error:
            if isinstance(item.message, JSONRPCRequest):
                raise
            _log.debug("a message to server '%s' was not delivered: %s", self._server, error)
        finally:
            self._underway.answered(item)

    async def _post(self, item: SessionMessage, mark: Mark) -> None:
        body = item.message.model_dump_json(by_alias=True, exclude_unset=True).encode()
        response, said = await self._to(self._endpoints[0], body, mark)
        if response.status_code in (404, 405) and not self._found and _harmless(item):
            response, said = await self._elsewhere(body, mark, response, said)
        if response.status_code < 300:
            self._found = True
            return
        if response.status_code < 400:
            status = f"HTTP {response.status_code} {response.reason_phrase}".strip()
            raise WireError(Failure(status, ran="no", http_status=response.status_code))
        failure = self._http.failures.refusal(response, said)
        if not self._found:
            where = self._endpoints[0].copy_with(query=None)
            failure = replace(failure, reason=f"{failure.reason} from {where}, where it wants its messages posted")
        elif await self._session_gone(response, said):
            failure = replace(failure, expired=True)
        raise WireError(failure)

    async def _elsewhere(
        self, body: bytes, mark: Mark, response: httpx2.Response, said: bytes
    ) -> tuple[httpx2.Response, bytes]:
        """A server behind a path prefix may not know of it: try the address below the prefix."""
        for endpoint in self._endpoints[1:]:
            other, heard = await self._to(endpoint, body, mark)
            if other.status_code not in (404, 405):
                self._endpoints = [endpoint]
                return other, heard
        return response, said

    async def _to(self, endpoint: httpx2.URL, body: bytes, mark: Mark) -> tuple[httpx2.Response, bytes]:
        response = await self._http.send("POST", endpoint, mark, headers=_MESSAGE, content=body)
        try:
            return response, await read_body(response, _ERROR_BODY, cut=True)
        except (httpx2.HTTPError, NotMcp) as error:
            if response.status_code < 300:
                return response, b""  # it was taken; the answer comes on the stream
            raise WireError(self._http.failures.of(error)) from error

    async def _session_gone(self, response: httpx2.Response, said: bytes) -> bool:
        """Whether what worked before is refused in the same way now: then the refused request did not run either."""
        status = response.status_code
        if status not in (400, 404) and not (status >= 500 and b"session" in said.lower()):
            return False
        request = JSONRPCRequest(jsonrpc="2.0", id=f"session-{status}", method="tools/list")
        content = request.model_dump_json(by_alias=True, exclude_unset=True).encode()
        with anyio.move_on_after(_SESSION_CHECK), suppress(WireError):
            again, _ = await self._to(self._endpoints[0], content, Mark())
            return again.status_code == status
        return False


def behind_prefixes(url: httpx2.URL, endpoint: httpx2.URL, told: str) -> Iterator[httpx2.URL]:
    """Addresses below the leading folders of the stream's own, the longest first."""
    if not told.startswith("/") or told.startswith("//"):
        return
    folders = [each for each in url.path.split("/")[:-1] if each][:_PREFIXES]
    for end in range(len(folders), 0, -1):
        prefix = "/" + "/".join(folders[:end])
        if not endpoint.path.startswith(prefix + "/"):
            yield endpoint.copy_with(path=prefix + endpoint.path, query=endpoint.query or None)


def unreadable(data: bytes, error: Exception) -> Exception:
    """What says which request is answered by something that cannot be read, where that is to be seen."""
    answered = id_in(data[:4096])
    return error if answered is None else Unreadable(answered)


def _harmless(item: SessionMessage) -> bool:
    """Whether a message may be posted to more than one address: it begins the connection."""
    message = item.message
    return isinstance(message, JSONRPCRequest) and message.method in ("initialize", "server/discover")
