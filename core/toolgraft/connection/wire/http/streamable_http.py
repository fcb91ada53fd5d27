"""Streamable HTTP (MCP: transports): a POST for each message, answered in JSON or as an event stream.

A request is made and its answer read in the task of its caller: its failure is that call's failure, cancelling the task
closes the stream, which is how a call is cancelled by the 2026-07-28 protocol, and no task or queue stands between.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final

import anyio
import httpx2
from mcp.shared.message import ClientMessageMetadata, SessionMessage
from mcp_types import METHOD_NOT_FOUND, ErrorData, JSONRPCError, JSONRPCNotification, JSONRPCRequest
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from toolgraft.connection.wire.http.answers import EVENT_STREAM, RESUMES, Answers, pause_before_resuming
from toolgraft.connection.wire.http.bodies import chunks, kind_of, read_body, read_message
from toolgraft.connection.wire.http.client import http_client
from toolgraft.connection.wire.http.event_stream import EventReader
from toolgraft.connection.wire.http.failures import OUTAGE, NotMcp
from toolgraft.connection.wire.http.log_redaction import kept_out_of_logs
from toolgraft.connection.wire.http.requests import HttpRequests, Mark
from toolgraft.connection.wire.http.underway import Underway
from toolgraft.connection.wire.in_flight import Failure, WireError
from toolgraft.connection.wire.streams import Inbox, Stream
from toolgraft.connection.wire.unreadable import TooLarge

if TYPE_CHECKING:
    from toolgraft.config.options import CallContext
    from toolgraft.config.servers import Http
    from toolgraft.connection.wire.opener import Streams

SESSION: Final = "mcp-session-id"
VERSION: Final = "mcp-protocol-version"
MESSAGE: Final = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
EVENTS: Final = {"accept": "text/event-stream", "cache-control": "no-store"}

PROBE_SECONDS: Final = 10.0
"""How long a server is waited for that may not know `server/discover`; then it is spoken to as an old one."""

_ERROR_BODY: Final = 64 * 1024
_LAST_WORDS: Final = 2.0
_SESSION_CHECK: Final = 5.0

_log: Final = logging.getLogger("toolgraft")


@asynccontextmanager
async def streamable_http(config: Http, who: CallContext, wire_bytes: int) -> AsyncGenerator[Streams]:
    """Speak to a server; nothing is sent yet."""
    inbox = Inbox()
    with kept_out_of_logs(config.url):
        async with http_client(config) as client:
            wire = StreamableHttp(config, HttpRequests(config, client, who), inbox, wire_bytes)
            try:
                yield inbox, wire
            finally:
                with anyio.CancelScope(shield=True):
                    await wire.end()


class StreamableHttp(Stream):
    """Messages to the server, and those that come back on them."""

    def __init__(self, config: Http, http: HttpRequests, inbox: Inbox, wire_bytes: int) -> None:
        self._config = config
        self._http = http
        self._underway = Underway(config.name, inbox)
        self._event_bytes = config.max_sse_event_size or wire_bytes
        self._answers = Answers(self._underway, wire_bytes, self._event_bytes)
        self._session: str | None = None
        self._version: str | None = None
        self._listening: asyncio.Task[None] | None = None

    async def send(self, item: SessionMessage, /) -> None:
        """Post a message. A request is through when its answer is delivered.

        Raises:
            WireError: A request failed.
        """
        message = item.message
        self._note_version(item)
        if isinstance(message, JSONRPCRequest):
            await self._ask(item, message)
            return
        if isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled" and self._modern:
            return  # the end of the request's own stream has said so
        try:
            await self._underway.run(math.inf, lambda mark: self._tell(item, mark))
        except WireError as error:
            _log.debug("a message to server '%s' was not delivered: %s", self._config.name, error)
        finally:
            self._underway.answered(item)
        initialized = isinstance(message, JSONRPCNotification) and message.method == "notifications/initialized"
        if initialized and self._session is not None:
            self._listening = asyncio.get_running_loop().create_task(self._listen(self._session))

    async def end(self) -> None:
        """End what is on its way, and the session."""
        if self._listening is not None:
            self._listening.cancel()
            await asyncio.wait([self._listening])
        await self._underway.end()
        await self._answers.end()
        if self._session is not None:
            with anyio.move_on_after(_LAST_WORDS), suppress(WireError):
                headers = self._headers()
                response = await self._http.send("DELETE", self._http.url, Mark(), headers=headers, ours=True)
                await response.aclose()

    @property
    def _modern(self) -> bool:
        return self._version in MODERN_PROTOCOL_VERSIONS

    def _note_version(self, item: SessionMessage) -> None:
        """The protocol version that the session speaks, for requests that it does not make itself."""
        if isinstance(item.message, JSONRPCRequest) and item.message.method == "initialize":
            self._version = None  # what the probe offered is not agreed on
        elif isinstance(item.metadata, ClientMessageMetadata) and item.metadata.headers:
            self._version = item.metadata.headers.get(VERSION, self._version)

    def _headers(self, item: SessionMessage | None = None) -> dict[str, str]:
        headers = dict(MESSAGE)
        if self._session is not None:
            headers[SESSION] = self._session
        if self._version is not None:
            headers[VERSION] = self._version
        if item is not None and isinstance(item.metadata, ClientMessageMetadata):
            headers.update(item.metadata.headers or {})
        return headers

    async def _ask(self, item: SessionMessage, request: JSONRPCRequest) -> None:
        probing = request.method == "server/discover"
        patience = PROBE_SECONDS if probing else math.inf
        try:
            await self._underway.run(patience, lambda mark: self._post(item, request, mark))
        except WireError as error:
            if not probing or self._underway.over or not _of_an_old_server(error.failure):
                raise
            unknown = ErrorData(code=METHOD_NOT_FOUND, message=error.failure.reason)
            answer = JSONRPCError(jsonrpc="2.0", id=request.id, error=unknown)
            self._underway.inbox.put_answer(SessionMessage(answer))

    async def _tell(self, item: SessionMessage, mark: Mark) -> None:
        """Post what is not answered. What comes back all the same is nothing: 202, 204, an empty 200, `null`, `{}`."""
        body = item.message.model_dump_json(by_alias=True, exclude_unset=True).encode()
        response = await self._http.send("POST", self._http.url, mark, headers=self._headers(item), content=body)
        if response.status_code >= 400:
            _log.debug("server '%s' refused a message: HTTP %d", self._config.name, response.status_code)
        with suppress(httpx2.TransportError, NotMcp, httpx2.DecodingError):
            await read_body(response, _ERROR_BODY, cut=True)  # so that the connection serves again

    async def _post(self, item: SessionMessage, request: JSONRPCRequest, mark: Mark) -> None:
        body = request.model_dump_json(by_alias=True, exclude_unset=True).encode()
        response = await self._http.send("POST", self._http.url, mark, headers=self._headers(item), content=body)
        mark.waits()
        try:
            if response.status_code >= 400:
                await self._refused(response, request)
                return
            if response.status_code >= 300:
                await response.aclose()
                status = f"HTTP {response.status_code} {response.reason_phrase}".strip()
                raise WireError(Failure(status, ran="no", http_status=response.status_code))
            if request.method == "initialize":
                self._session = response.headers.get(SESSION)
            await self._answers.read(response, request, None if self._modern else self._resume)
        except (httpx2.HTTPError, NotMcp, TooLarge) as error:
            raise WireError(self._http.failures.of(error)) from error

    async def _resume(self, last_id: str) -> httpx2.Response:
        """Open the stream of an answer again after the event that came last (until 2025-11-25)."""
        headers = {**self._headers(), **EVENTS, "last-event-id": last_id}
        status = 0
        for attempt in range(1, RESUMES + 1):
            response = await self._http.send("GET", self._http.url, Mark(), headers=headers)
            status = response.status_code
            if status == 200 and kind_of(response) == EVENT_STREAM:
                return response
            await response.aclose()
            if status < 500:
                break
            await asyncio.sleep(pause_before_resuming(EventReader(0), attempt))
        raise NotMcp(f"its event stream ended before its answer and is not resumed (HTTP {status})")

    async def _refused(self, response: httpx2.Response, request: JSONRPCRequest) -> None:
        """An answer of 400 and above: the server's own JSON-RPC error, or a failure."""
        body = await read_body(response, _ERROR_BODY, cut=True)
        failure = self._http.failures.refusal(response, body)
        status = response.status_code
        if await self._session_gone(response, body):
            failure = replace(failure, expired=True)
        elif status not in OUTAGE and (error := _error_in(response, body, request)) is not None:
            await self._underway.deliver(error, len(body))
            return
        elif request.method == "initialize" and status < 500 and status not in OUTAGE and await self._only_sse():
            remedy = f"it speaks the older HTTP+SSE transport: try Sse({self._config.target!r})"
            failure = replace(failure, reason=f"{failure.reason}; {remedy}")
        raise WireError(failure)

    async def _session_gone(self, response: httpx2.Response, body: bytes) -> bool:
        """Whether a refusal means that the server does not know our session any more.

        The protocol says so by 404, servers of the SDK by 400, others by 500; but a tool may answer with all of these
        too. So what worked before on this session is asked again: only a server that refuses that in the same way has
        refused the session, and with it the request, before anything ran.
        """
        session, status = self._session, response.status_code
        if session is None or response.request.headers.get(SESSION) != session:
            return False
        if status not in (400, 404) and not (status >= 500 and b"session" in body.lower()):
            return False
        request = JSONRPCRequest(jsonrpc="2.0", id=f"session-{status}", method="tools/list")
        content = request.model_dump_json(by_alias=True, exclude_unset=True).encode()
        with anyio.move_on_after(_SESSION_CHECK), suppress(WireError):
            again = await self._http.send("POST", self._http.url, Mark(), headers=self._headers(), content=content)
            await again.aclose()
            if again.status_code == status:
                self._session = None
                return True
        return False

    async def _only_sse(self) -> bool:
        """Whether an event stream opens here that begins with the address for messages, as HTTP+SSE does."""
        with anyio.move_on_after(_SESSION_CHECK), suppress(WireError, NotMcp, httpx2.HTTPError):
            response = await self._http.send("GET", self._http.url, Mark(), headers=EVENTS)
            try:
                reader = EventReader(_ERROR_BODY)
                if response.status_code == 200 and kind_of(response) == EVENT_STREAM:
                    async for chunk in chunks(response):
                        for event in reader.feed(chunk):
                            return event.kind == "endpoint"
            finally:
                await response.aclose()
        return False

    async def _listen(self, session: str) -> None:
        """Read what a server of 2025 says unasked, as long as its session lasts; a server need not offer that."""
        reader = EventReader(self._event_bytes)
        fruitless = 0
        while self._session == session:
            headers = {**self._headers(), **EVENTS, **({"last-event-id": reader.last_id} if reader.last_id else {})}
            fruitless += 1
            with suppress(WireError, NotMcp, httpx2.HTTPError):
                response = await self._http.send("GET", self._http.url, Mark(), headers=headers, ours=True)
                try:
                    if response.status_code < 500 and not (
                        response.status_code == 200 and kind_of(response) == EVENT_STREAM
                    ):
                        return
                    if response.status_code == 200 and await self._hear(response, reader):
                        fruitless = 0
                finally:
                    await response.aclose()
            await asyncio.sleep(pause_before_resuming(reader, fruitless))

    async def _hear(self, response: httpx2.Response, reader: EventReader) -> bool:
        heard = False
        with suppress(httpx2.TransportError):
            async for chunk in chunks(response):
                for event in reader.feed(chunk):
                    heard = True
                    if event.kind != "message" or not event.data:
                        continue
                    if isinstance(event.data, TooLarge):
                        await self._underway.inbox.put(event.data)
                        continue
                    with suppress(NotMcp):
                        await self._underway.deliver(read_message(event.data, None), len(event.data))
        return heard


def _of_an_old_server(failure: Failure) -> bool:
    """Whether a probe failed as it does where it is not known, rather than because the server is out of reach."""
    status = failure.http_status
    return failure.sent and not (status is not None and (status in OUTAGE or 300 <= status < 400))


def _error_in(response: httpx2.Response, body: bytes, request: JSONRPCRequest) -> SessionMessage | None:
    """The JSON-RPC error in an answer's body: the server's own words, which a 4xx or 5xx only carries."""
    if kind_of(response) != "application/json" or b'"jsonrpc"' not in body:
        return None
    with suppress(NotMcp):
        item = read_message(body, request)
        return item if isinstance(item.message, JSONRPCError) else None
    return None
