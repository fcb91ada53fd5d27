"""The deprecated HTTP+SSE transport (MCP 2024-11-05): one event stream to read, a POST for each message.

A POST is made in the task of its caller, so that its failure is that call's failure; answers come on the stream.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections import deque
from collections.abc import AsyncGenerator, Coroutine, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import anyio
import anyio.lowlevel
import httpx2
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCNotification, JSONRPCRequest

from toolgraft.connection.wire.http.bodies import chunks, kind_of, read_body, read_message
from toolgraft.connection.wire.http.client import http_client
from toolgraft.connection.wire.http.event_stream import Event, EventReader
from toolgraft.connection.wire.http.failures import OUTAGE, NotMcp
from toolgraft.connection.wire.http.log_redaction import kept_out_of_logs
from toolgraft.connection.wire.http.media import EVENT_STREAM, EVENTS, JSON
from toolgraft.connection.wire.http.offer import with_offer
from toolgraft.connection.wire.http.other_transport import speaks_streamable_http
from toolgraft.connection.wire.http.requests import HttpRequests, Mark
from toolgraft.connection.wire.http.rests import Rests
from toolgraft.connection.wire.http.session_check import SessionCheck
from toolgraft.connection.wire.http.underway import NOTICE_SECONDS, Underway
from toolgraft.connection.wire.in_flight import Failure, WireError
from toolgraft.connection.wire.messages import id_in
from toolgraft.connection.wire.streams import Inbox, Incoming, Stream
from toolgraft.connection.wire.unreadable import TooLarge, Unreadable

if TYPE_CHECKING:
    from toolgraft.config.options import CallContext
    from toolgraft.config.servers import Sse
    from toolgraft.connection.wire.bounds import Bounds
    from toolgraft.connection.wire.opener import Streams

_MESSAGE: Final = {"content-type": JSON}
_ERROR_BODY: Final = 64 * 1024
_LAST_POSTS: Final = 2.0
"""Seconds that messages on their way are given when the stream has ended."""

_TOLD_AT_ONCE: Final = 2.0
"""Seconds in which servers of this transport say where to post; after them others are looked for."""

_PREFIXES: Final = 4

_BEHIND_A_PROXY: Final = "a proxy before it has to pass that address on"

_SAY_NOTHING: Final = OUTAGE - {403}
"""Statuses that say nothing of the address; gateways refuse by 403 what they do not know."""

_log: Final = logging.getLogger("toolgraft")


@asynccontextmanager
async def sse(config: Sse, who: CallContext, bounds: Bounds) -> AsyncGenerator[Streams]:
    """Open the stream and learn where to post.

    Raises:
        WireError: The server cannot be reached, or is something else.
    """
    with kept_out_of_logs(config.url):
        async with await http_client(config) as client:
            http = HttpRequests(config, client, who)
            try:
                async with _spoken_to(config, http, bounds) as streams:
                    yield streams
            finally:
                with anyio.CancelScope(shield=True):
                    await http.end()


@asynccontextmanager
async def _spoken_to(config: Sse, http: HttpRequests, bounds: Bounds) -> AsyncGenerator[Streams]:
    underway = Underway(config.name, Inbox())
    response = await _open(config, http)
    posts: Posts | None = None
    try:
        events = Events(response, underway, bounds)
        endpoints = await _told(config, http, events.endpoints(response.request.url))
        posts = Posts(config.name, http, underway, endpoints)
        http.failures.met = True
        yield events, posts
        with anyio.move_on_after(_LAST_POSTS, shield=True):
            await posts.until_none()
    except (httpx2.HTTPError, NotMcp) as error:
        raise WireError(http.failures.of(error)) from error
    finally:
        with anyio.CancelScope(shield=True):
            await underway.end()
            if posts is not None:
                await posts.end()
            await response.aclose()


async def _open(config: Sse, http: HttpRequests) -> httpx2.Response:
    """The event stream.

    Raises:
        WireError: There is none; where the server speaks Streamable HTTP, that is said.
    """
    response = await http.send("GET", http.url, Mark(), headers=EVENTS, ours=True)
    status, kind = response.status_code, kind_of(response)
    if status == 200 and kind == EVENT_STREAM:
        return response
    body = await read_body(response, _ERROR_BODY, cut=True)
    if status == 200:
        failure = Failure(f"it answers with {kind or 'no content type'}, which opens no event stream")
    else:
        failure = await with_offer(config, response, http.failures.refusal(response, body))
    if status < 500 and status not in OUTAGE and await speaks_streamable_http(http):
        failure = replace(failure, reason=f"{failure.reason}; {_remedy(config)}")
    raise WireError(failure)


async def _told(config: Sse, http: HttpRequests, told: Coroutine[Any, Any, list[httpx2.URL]]) -> list[httpx2.URL]:
    """Where messages are posted, once the stream says it; servers of Streamable HTTP open one too, and say nothing.

    Raises:
        WireError: It is such a server.
        NotMcp: The stream does not say it.
    """
    telling = asyncio.get_running_loop().create_task(told)
    try:
        await asyncio.wait([telling], timeout=min(_TOLD_AT_ONCE, config.connect_timeout / 4))
        if not telling.done() and await speaks_streamable_http(http):
            raise WireError(Failure(f"its event stream does not say where to post; {_remedy(config)}", ran="no"))
        return await telling
    finally:
        if not telling.done():
            telling.cancel()
            await asyncio.wait([telling])


def _remedy(config: Sse) -> str:
    return f"it speaks Streamable HTTP: try Http({config.target!r})"


class Events(Incoming):
    """The messages of the server, as the session reads them."""

    def __init__(self, response: httpx2.Response, underway: Underway, bounds: Bounds) -> None:
        self._chunks = chunks(response)
        self._reader = EventReader(bounds.bytes)
        self._most = bounds.values
        self._underway = underway
        self._events: deque[Event] = deque()
        self._closed = False

    async def endpoints(self, url: httpx2.URL) -> list[httpx2.URL]:
        """Where messages are posted, which the server says first, and where else that may be.

        All of them are of the stream's own origin: a server behind a proxy may name the host and scheme that it has
        behind it, and nobody else is sent anything.

        Raises:
            NotMcp: It does not say.
        """
        while (event := await self._next()) is not None:
            if event.kind == "endpoint" and isinstance(event.data, bytes):
                return endpoints_of(url, event.data.decode(errors="replace"))
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
                item = read_message(event.data, None, self._most)
                self._underway.asked(item, len(event.data))
            except TooLarge as error:
                return error
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
        self._rests = Rests()
        self._check = SessionCheck(self._asked_again)

    async def until_none(self) -> None:
        """Wait until nothing is on its way: a POST that outlives its client would leave a socket behind."""
        await self._underway.until_none()

    async def end(self) -> None:
        """End what is done beside the messages."""
        await self._check.end()
        await self._rests.end()

    async def send(self, item: SessionMessage, /) -> None:
        """Post a message.

        Raises:
            WireError: A request could not be posted, or was refused.
        """
        patience = NOTICE_SECONDS if isinstance(item.message, JSONRPCNotification) else math.inf
        try:
            await self._underway.run(patience, lambda mark: self._post(item, mark))
        except WireError as error:
            if isinstance(item.message, JSONRPCRequest):  # the stream may have ended too, which ends no question
                judged = await self._check.judged(error.failure) if self._found else error.failure
                raise WireError(judged) from error
            _log.debug("a message to server '%s' was not delivered: %s", self._server, error)
        finally:
            self._underway.answered(item)

    async def _post(self, item: SessionMessage, mark: Mark) -> None:
        body = item.message.model_dump_json(by_alias=True, exclude_unset=True).encode()
        failure = await self._to(self._endpoints[0], body, mark)
        if failure is not None and not self._found:
            if _harmless(item) and failure.http_status not in _SAY_NOTHING:
                failure = await self._elsewhere(body, mark, failure)
            if failure is not None:
                where = self._endpoints[0].copy_with(query=None)
                reason = f"{failure.reason} from {where}, where it wants its messages posted; {_BEHIND_A_PROXY}"
                raise WireError(replace(failure, reason=reason))
        if failure is not None:
            raise WireError(failure)
        self._found = True

    async def _elsewhere(self, body: bytes, mark: Mark, failure: Failure) -> Failure | None:
        """A server behind a path prefix may not know of it: try the addresses below the prefix."""
        for endpoint in self._endpoints[1:]:
            if await self._to(endpoint, body, mark) is None:
                self._endpoints = [endpoint]
                return None
        return failure

    async def _to(self, endpoint: httpx2.URL, body: bytes, mark: Mark) -> Failure | None:
        """Post a message, and give how it is refused; None where it is taken: the answer comes on the stream."""
        response = await self._http.send("POST", endpoint, mark, headers=_MESSAGE, content=body)
        if response.status_code < 300:
            await self._rests.leave(response)
            return None
        try:
            said = await read_body(response, _ERROR_BODY, cut=True)
        except (httpx2.HTTPError, NotMcp) as error:
            raise WireError(self._http.failures.of(error)) from error
        return self._http.failures.refusal(response, said)

    async def _asked_again(self, request: JSONRPCRequest) -> Failure | None:
        content = request.model_dump_json(by_alias=True, exclude_unset=True).encode()
        return await self._to(self._endpoints[0], content, Mark())


def endpoints_of(url: httpx2.URL, told: str) -> list[httpx2.URL]:
    """Where messages may be posted.

    Args:
        url: The stream's own address.
        told: What the server says.

    Raises:
        NotMcp: It is no address.
    """
    try:
        named = url.join(told)
    except (httpx2.InvalidURL, ValueError) as error:
        raise NotMcp("it names an address for messages that is none") from error
    if named.scheme not in ("http", "https") or not named.host:
        raise NotMcp("it names an address for messages that is none of HTTP")
    endpoint = url.copy_with(raw_path=named.raw_path, fragment=None)
    rooted = urlsplit(told).path.startswith("/")
    return [endpoint, *(behind_prefixes(url, endpoint) if rooted else ())]


def behind_prefixes(url: httpx2.URL, endpoint: httpx2.URL) -> Iterator[httpx2.URL]:
    """Addresses below the leading folders of the stream's own, the longest first."""
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
