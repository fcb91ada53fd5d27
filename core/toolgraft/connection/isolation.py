"""One failed request fails one call, never the client.

An exception out of one POST ends the SDK's whole HTTP transport, and statuses and headers are lost on the way up. Every
request goes through `AsyncClient.send`, so that is where failures are caught, noted in the `Record` of their call, and
answered in the server's place with a JSON-RPC error. While connecting they are raised instead: an outage must not pass
for an old server.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Final, cast

import httpx2
from pydantic_core import from_json, to_json

from toolgraft.config.options import CallContext, Headers
from toolgraft.connection.record import CURRENT, UNREADABLE, Failure, Record, TooLarge

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
_LARGE: Final = 32 * 1024


class WireError(Exception):
    """A request failed, and its failure is raised rather than answered."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.reason)
        self.failure = failure


class NotMcp(Exception):
    """What answered is something else."""


class Isolation:
    """Catches what goes wrong in the HTTP requests of one connection.

    With `raising`, failures are always raised: for a transport whose requests are made in the task of their caller.

    Attributes:
        answering: Failures are answered (the connection is open) rather than raised (it is being made).
    """

    def __init__(self, server: str, *, headers: Headers, wire_bytes: int, raising: bool) -> None:
        self.answering = False
        self._context = CallContext(server)
        self._headers = headers if callable(headers) else None
        self._wire_bytes = wire_bytes
        self._raising = raising

    def isolate(self, client: httpx2.AsyncClient) -> httpx2.AsyncClient:
        """Put this isolation before `client.send`, the one way out of the SDK's transports.

        Set on the object, not by a subclass: the client may have come from the user's own factory.
        """
        send = client.send

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
            return self._failed(request, record, failure_of(error), error)

    async def _add_headers(self, request: httpx2.Request, record: Record | None) -> None:
        if self._headers is None:
            return
        given = self._headers(record.context if record else self._context)
        headers: Mapping[str, str] = await given if inspect.isawaitable(given) else given
        request.headers.update(headers)

    async def _answered(self, response: httpx2.Response, record: Record | None) -> httpx2.Response:
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind == "text/event-stream":
            response.stream = _Quiet(cast("httpx2.AsyncByteStream", response.stream), record)
            return response
        if kind != "application/json":
            if b'"id"' not in response.request.content:
                return response  # to a notification; nobody reads it
            raise NotMcp(f"it answered with {kind or 'no content type'}, which is not MCP")
        body = await _read(response, self._wire_bytes)
        return _replacement(response, _checked(body, record))

    async def _refused(self, response: httpx2.Response, record: Record | None) -> httpx2.Response:
        body = await _read(response, _ERROR_BODY, cut=True)
        failure = _refusal(response, body)
        if _is_rpc_error(response, body) and not failure.expired and response.status_code not in _OUTAGE:
            return _replacement(response, body)  # the server's own words; a 4xx or 5xx only carries them
        if not self.answering:
            if response.status_code >= 500 or response.status_code in _OUTAGE:
                raise WireError(failure)
            return _replacement(response, body)  # how an old server answers the probe
        return self._failed(response.request, record, failure, None)

    def _failed(
        self, request: httpx2.Request, record: Record | None, failure: Failure, cause: Exception | None
    ) -> httpx2.Response:
        if not self.answering or self._raising:
            raise WireError(failure) from cause
        if record is not None:
            record.fail(failure)
        error = {"code": -32000, "message": failure.reason}
        body = json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode()
        return httpx2.Response(503, headers={"content-type": "application/json"}, content=body, request=request)


class _Quiet(httpx2.AsyncByteStream):
    """A body that ends, rather than raises, when its connection breaks."""

    def __init__(self, inner: httpx2.AsyncByteStream, record: Record | None) -> None:
        self._inner = inner
        self._record = record

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._inner:
                yield chunk
        except httpx2.TransportError as error:
            if self._record is not None:
                self._record.fail(failure_of(error))

    async def aclose(self) -> None:
        await self._inner.aclose()


async def _read(response: httpx2.Response, limit: int, *, cut: bool = False) -> bytes:
    """The decoded body, never more than `limit` of it in memory."""
    chunks: list[bytes] = []
    size = 0
    try:
        async for chunk in response.aiter_bytes():
            size += len(chunk)
            if size > limit and not cut:
                raise TooLarge(None, limit)
            chunks.append(chunk)
            if size > limit:
                break
    finally:
        await response.aclose()
    return b"".join(chunks)[:limit]


def _checked(body: bytes, record: Record | None) -> bytes:
    """A body that the SDK can read; a large result goes round it, since its parser is slow."""
    try:
        message: Any = from_json(body)
    except ValueError as error:
        raise NotMcp(UNREADABLE) from error
    if not isinstance(message, dict):
        raise NotMcp(UNREADABLE)
    result = cast("dict[str, Any]", message).get("result")
    if "error" not in message and not isinstance(result, dict):
        raise NotMcp(UNREADABLE)
    if record is None or result is None or len(body) < _LARGE:
        return body
    record.raw = result
    return to_json({**message, "result": {}})


def _replacement(response: httpx2.Response, body: bytes) -> httpx2.Response:
    """`response` with a body that has been read."""
    headers = [(key, value) for key, value in response.headers.multi_items() if key.lower() not in _FRAMING]
    copy = httpx2.Response(response.status_code, headers=headers, content=body, request=response.request)
    copy.next_request = response.next_request
    return copy


_FRAMING: Final = frozenset({"content-encoding", "content-length", "transfer-encoding"})


def _is_rpc_error(response: httpx2.Response, body: bytes) -> bool:
    if not response.headers.get("content-type", "").lower().startswith("application/json"):
        return False
    try:
        parsed: object = json.loads(body)
    except ValueError:
        return False
    return isinstance(parsed, dict) and "jsonrpc" in parsed and "error" in parsed


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
    if isinstance(error, httpx2.TimeoutException):
        what = "connecting" if isinstance(error, httpx2.ConnectTimeout) else "the HTTP request"
        return Failure(f"{what} timed out", sent=not isinstance(error, _NEVER_SENT))
    if isinstance(error, httpx2.ConnectError):
        return Failure(f"cannot connect: {text or 'refused'}", sent=False)
    if isinstance(error, httpx2.TransportError):
        return Failure(f"the connection broke: {text or type(error).__name__}", sent=not isinstance(error, _NEVER_SENT))
    return Failure(f"{type(error).__name__}: {text}" if text else type(error).__name__, sent=False)
