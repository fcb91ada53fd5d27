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
from functools import partial
from typing import TYPE_CHECKING, Final

import anyio
import httpx2
from mcp.shared.message import ClientMessageMetadata, SessionMessage
from mcp_types import METHOD_NOT_FOUND, ErrorData, JSONRPCError, JSONRPCNotification, JSONRPCRequest, RequestId
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from toolgraft.connection.wire.http.answers import RESUMES, Answers, pause_before_resuming
from toolgraft.connection.wire.http.bodies import kind_of, read_body, read_message
from toolgraft.connection.wire.http.client import http_client
from toolgraft.connection.wire.http.event_stream import EventReader
from toolgraft.connection.wire.http.failures import OUTAGE, NotMcp
from toolgraft.connection.wire.http.log_redaction import kept_out_of_logs
from toolgraft.connection.wire.http.media import EVENT_STREAM, EVENTS, JSON, MESSAGE, SESSION, VERSION
from toolgraft.connection.wire.http.offer import with_offer
from toolgraft.connection.wire.http.other_transport import speaks_sse
from toolgraft.connection.wire.http.requests import HttpRequests, Mark
from toolgraft.connection.wire.http.rests import Rests
from toolgraft.connection.wire.http.session_check import SessionCheck
from toolgraft.connection.wire.http.unasked import Unasked
from toolgraft.connection.wire.http.underway import NOTICE_SECONDS, Underway
from toolgraft.connection.wire.in_flight import Failure, WireError
from toolgraft.connection.wire.streams import Inbox, Stream
from toolgraft.connection.wire.unreadable import TooLarge

if TYPE_CHECKING:
    from toolgraft.config.options import CallContext
    from toolgraft.config.servers import Http
    from toolgraft.connection.wire.bounds import Bounds
    from toolgraft.connection.wire.opener import Streams


PROBE_SECONDS: Final = 10.0
"""How long a server is waited for that may not know `server/discover`; then it is spoken to as an old one."""

_ERROR_BODY: Final = 64 * 1024
_LAST_WORDS: Final = 2.0

_log: Final = logging.getLogger("toolgraft")


@asynccontextmanager
async def streamable_http(config: Http, who: CallContext, bounds: Bounds) -> AsyncGenerator[Streams]:
    """Speak to a server; nothing is sent yet."""
    inbox = Inbox()
    with kept_out_of_logs(config.url):
        async with await http_client(config) as client:
            http = HttpRequests(config, client, who)
            wire = StreamableHttp(config, http, inbox, bounds)
            try:
                yield inbox, wire
            finally:
                with anyio.CancelScope(shield=True):
                    await wire.end()
                    await http.end()


class StreamableHttp(Stream):
    """Messages to the server, and those that come back on them."""

    def __init__(self, config: Http, http: HttpRequests, inbox: Inbox, bounds: Bounds) -> None:
        self._config = config
        self._http = http
        self._underway = Underway(config.name, inbox)
        event = replace(bounds, bytes=config.max_sse_event_size or bounds.bytes)
        self._rests = Rests()
        self._answers = Answers(self._rests, bounds, event.bytes)
        self._check = SessionCheck(self._asked_again)
        self._unasked = Unasked(http, self._underway, self._check, self._headers, event)
        self._session: str | None = None
        self._version: str | None = None

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
        patience = NOTICE_SECONDS if isinstance(message, JSONRPCNotification) else math.inf
        try:
            await self._underway.run(patience, lambda mark: self._tell(item, mark))
        except WireError as error:
            _log.debug("a message to server '%s' was not delivered: %s", self._config.name, error)
        finally:
            self._underway.answered(item)
        initialized = isinstance(message, JSONRPCNotification) and message.method == "notifications/initialized"
        if initialized and self._session is not None:
            self._unasked.listen()

    async def end(self) -> None:
        """End what is on its way, and the session."""
        await self._unasked.end()
        await self._underway.end()
        await self._check.end()
        await self._rests.end()
        if self._session is not None and not self._check.lost:
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
        if self._check.lost:
            raise WireError(Failure("its session expired", sent=False, ran="no", session="expired"))
        probing = request.method == "server/discover"
        patience = min(PROBE_SECONDS, self._config.connect_timeout / 2) if probing else math.inf
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
        await self._rests.leave(response)

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
                raise WireError(self._http.failures.refusal(response, b""))
            if request.method == "initialize":
                self._session = response.headers.get(SESSION)
            await self._answers.read(
                response, request, partial(self._deliver, request.id), None if self._modern else self._resume
            )
            self._http.failures.met = True
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

    async def _deliver(self, asked: RequestId, item: SessionMessage, size: int) -> None:
        """Deliver a message that came for a request; an error that speaks of the session may be how that is refused."""
        if isinstance(item.message, JSONRPCError) and self._session is not None:
            failure = await self._check.judged(_told(item.message))
            if failure.session != "open":
                raise WireError(failure)
        await self._underway.deliver(item, size, asked)

    async def _refused(self, response: httpx2.Response, request: JSONRPCRequest) -> None:
        """An answer of 400 and above: the server's own JSON-RPC error, or a failure."""
        body = await read_body(response, _ERROR_BODY, cut=True)
        failure = self._http.failures.refusal(response, body)
        if self._session is not None:
            failure = await self._check.judged(failure)
        error = _error_in(response, body, request)
        perhaps_run = failure.may_have_run and request.method == "tools/call"
        if failure.session == "open" and error is not None and not perhaps_run and response.status_code not in OUTAGE:
            await self._underway.deliver(error, len(body), request.id)
            return
        failure = await with_offer(self._config, response, failure)
        if failure.session == "open" and await self._only_sse(failure, request):
            remedy = f"it speaks the older HTTP+SSE transport: try Sse({self._config.target!r})"
            failure = replace(failure, reason=f"{failure.reason}; {remedy}")
        raise WireError(failure)

    async def _only_sse(self, failure: Failure, request: JSONRPCRequest) -> bool:
        """Whether a server that has not spoken MCP yet is one of HTTP+SSE; an old one may just not know the probe."""
        status = failure.http_status or 0
        if self._http.failures.met or request.method == "server/discover" or status >= 500 or status in OUTAGE:
            return False
        return await speaks_sse(self._http)

    async def _asked_again(self, request: JSONRPCRequest) -> Failure | None:
        """How a request on the session is refused, for itself; None where it is not."""
        content = request.model_dump_json(by_alias=True, exclude_unset=True).encode()
        response = await self._http.send("POST", self._http.url, Mark(), headers=self._headers(), content=content)
        refused: list[Failure] = []

        async def hear(item: SessionMessage, _: int) -> None:
            if isinstance(item.message, JSONRPCError):
                refused.append(_told(item.message))

        with suppress(httpx2.HTTPError, NotMcp, TooLarge):
            if response.status_code >= 400:
                return self._http.failures.refusal(response, await read_body(response, _ERROR_BODY, cut=True))
            await self._answers.read(response, request, hear, None)
        return refused[0] if refused else None


def _of_an_old_server(failure: Failure) -> bool:
    """Whether a probe failed as it does where it is not known, rather than because the server is out of reach."""
    status = failure.http_status
    return failure.sent and not (status is not None and (status in OUTAGE or 300 <= status < 400))


def _told(error: JSONRPCError) -> Failure:
    """A JSON-RPC error, where it refuses the session rather than what was asked on it."""
    return Failure(f"{error.error.message} (error {error.error.code})", ran="no", body=error.error.message)


def _error_in(response: httpx2.Response, body: bytes, request: JSONRPCRequest) -> SessionMessage | None:
    """The JSON-RPC error in an answer's body: the server's own words, which a 4xx or 5xx only carries."""
    if kind_of(response) != JSON or b'"jsonrpc"' not in body:
        return None
    with suppress(NotMcp):
        item = read_message(body, request, most=_ERROR_BODY)
        return item if isinstance(item.message, JSONRPCError) else None
    return None
