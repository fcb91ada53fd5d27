"""One failed request fails one call, never the client.

An exception out of one POST ends the SDK's whole HTTP transport, and statuses and headers are lost on the way up. Every
request goes through `AsyncClient.send`, so that is where failures are caught, noted in the `Record` of their call, and
answered in the server's place with a JSON-RPC error. While connecting they are raised instead: an outage must not pass
for an old server.
"""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final, cast

import httpx2

from toolgraft.config.options import CallContext
from toolgraft.config.servers import Http, Server, Sse
from toolgraft.connection.bodies import NotMcp, QuietBody, checked_body, is_rpc_error, read_body, with_body
from toolgraft.connection.headers import HeadersFailed, headers_for
from toolgraft.connection.record import CURRENT, Failure, Record, TooLarge

_NEVER_SENT: Final = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.UnsupportedProtocol,
    httpx2.LocalProtocolError,
)
_OUTAGE: Final = frozenset({401, 403, 407, 408, 425, 429})
_SESSION: Final = re.compile(rb"session", re.IGNORECASE)
_ERROR_BODY: Final = 64 * 1024
_MARK: Final = "toolgraft"


class WireError(Exception):
    """A request failed, and its failure is raised rather than answered."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


class Isolation:
    """Catches what goes wrong in the HTTP requests of one connection.

    With `raising`, failures are always raised: for a transport whose requests are made in the task of their caller.

    Attributes:
        answering: Failures are answered (the connection is open) rather than raised (it is being made).
    """

    def __init__(self, config: Server, who: CallContext, *, wire_bytes: int) -> None:
        self.answering = False
        self._config = config
        self._who = who
        self._own_headers = isinstance(config, Http | Sse) and callable(config.headers)
        self._wire_bytes = wire_bytes
        self._raising = isinstance(config, Sse)

    def isolate(self, client: httpx2.AsyncClient) -> httpx2.AsyncClient:
        """Put this isolation before `client.send`, the one way out of the SDK's transports.

        Set on the object, not by a subclass: the client may have come from the user's own factory.
        """
        send = client.send
        client.event_hooks = _with_hooks(client.event_hooks)

        async def isolated(request: httpx2.Request, **options: Any) -> httpx2.Response:
            if request.method != "POST":
                await self._add_headers(request, None)
                return await send(request, **options)  # the SDK takes failures of its GET and DELETE itself
            return await self._send(send, request, options)

        setattr(client, "send", isolated)  # noqa: B010
        return client

    async def _send(
        self, send: Callable[..., Awaitable[httpx2.Response]], request: httpx2.Request, options: dict[str, Any]
    ) -> httpx2.Response:
        record = CURRENT.get()
        mark = _Mark()
        request.extensions = {**request.extensions, _MARK: mark}
        response: httpx2.Response | None = None
        try:
            await self._add_headers(request, record)
            response = await send(request, **options)
            if response.status_code >= 400:
                return await self._refused(response, record)
            if response.status_code != 200 or self._raising:
                if response.is_redirect and record is not None:
                    record.redirected = response.status_code
                return response
            return await self._answered(response, record)
        except WireError:
            raise
        except Exception as error:
            if response is not None:
                await response.aclose()
            failure = failure_of(error)
            if not mark.left:
                failure = replace(failure, sent=False)
            return self._failed(request, record, failure, error)

    async def _add_headers(self, request: httpx2.Request, record: Record | None) -> None:
        if not self._own_headers:
            return
        given = record.given if record is not None else None
        if given is None:
            given = await headers_for(self._config, record.context if record is not None else self._who)
        request.headers.update(given)

    async def _answered(self, response: httpx2.Response, record: Record | None) -> httpx2.Response:
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "text/event-stream":
            response.stream = QuietBody(cast("httpx2.AsyncByteStream", response.stream), partial(_broke, record))
            return response
        if kind != "application/json":
            if b'"id"' not in response.request.content:
                return response  # to a notification; nobody reads it
            raise NotMcp(f"it answered with {kind or 'no content type'}, which is not MCP")
        body = await read_body(response, self._wire_bytes)
        return with_body(response, checked_body(body, record))

    async def _refused(self, response: httpx2.Response, record: Record | None) -> httpx2.Response:
        body = await read_body(response, _ERROR_BODY, cut=True)
        failure = _refusal(response, body)
        if self._raising:
            return self._failed(response.request, record, failure, None)
        if is_rpc_error(response, body) and not failure.expired and response.status_code not in _OUTAGE:
            return with_body(response, body)  # the server's own words; a 4xx or 5xx only carries them
        if not self.answering and response.status_code < 500 and response.status_code not in _OUTAGE:
            return with_body(response, body)  # how an old server answers the probe
        return self._failed(response.request, record, failure, None)

    def _failed(
        self, request: httpx2.Request, record: Record | None, failure: Failure, cause: Exception | None
    ) -> httpx2.Response:
        if record is not None:
            record.fail(failure)
        if not self.answering or self._raising:
            raise WireError(failure) from cause
        error = {"code": -32000, "message": failure.reason}
        body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
        return httpx2.Response(503, headers={"content-type": "application/json"}, content=body, request=request)


def _broke(record: Record | None, error: httpx2.TransportError) -> None:
    if record is not None:
        record.fail(failure_of(error))


class _Mark:
    """Whether a request has left and was not refused."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = False


def _with_hooks(hooks: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """The client's hooks and ours, which see a request leave below the auth flow."""

    async def leaves(request: httpx2.Request) -> None:
        mark = request.extensions.get(_MARK)
        if mark is not None:
            mark.left = True

    async def returns(response: httpx2.Response) -> None:
        mark = response.request.extensions.get(_MARK)
        if mark is not None and response.status_code in _OUTAGE:
            mark.left = False

    return {"request": [*hooks.get("request", []), leaves], "response": [*hooks.get("response", []), returns]}


def _refusal(response: httpx2.Response, body: bytes) -> Failure:
    status = response.status_code
    with_session = (
        "mcp-session-id" in response.request.headers or "session" in response.request.url.query.decode().lower()
    )
    return Failure(
        reason=f"HTTP {status} {response.reason_phrase}".strip(),
        http_status=status,
        retry_after=response.headers.get("retry-after"),
        www_authenticate=response.headers.get("www-authenticate"),
        expired=with_session and (status == 404 or (status == 400 and bool(_SESSION.search(body)))),
    )


def failure_of(error: Exception) -> Failure:
    """What an exception of an HTTP request says."""
    text = " ".join(str(error).split())[:300]
    if isinstance(error, TooLarge):
        return Failure(text, too_large=True)
    if isinstance(error, NotMcp):
        return Failure(text)
    if isinstance(error, HeadersFailed):
        return Failure(text, sent=False)
    if isinstance(error, httpx2.TimeoutException):
        what = "connecting" if isinstance(error, httpx2.ConnectTimeout) else "the HTTP request"
        return Failure(f"{what} timed out", sent=not isinstance(error, _NEVER_SENT))
    if isinstance(error, httpx2.ConnectError):
        return Failure(f"cannot connect, is it running? {text or 'refused'}", sent=False)
    if isinstance(error, httpx2.TransportError):
        return Failure(f"the connection broke: {text or type(error).__name__}", sent=not isinstance(error, _NEVER_SENT))
    return Failure(f"{type(error).__name__}: {text}" if text else type(error).__name__)
