"""The transport as the SDK sees it: results go round its models, so that nothing a server answers can raise there.

The SDK validates each result twice and fails whole lists for one member. Here each answer to a request of ours is put
aside as it was sent, and the SDK is handed an empty, valid result that carries it (`Envelope`). Works on the public
`Transport` seam: any transport, both eras.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, cast

import anyio
from mcp.shared.message import ClientMessageMetadata, SessionMessage
from mcp_types import (
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)
from pydantic import ValidationError

from toolgraft.connection.lines import id_in
from toolgraft.connection.record import CURRENT, UNREADABLE, Failure, Record, TooLarge, Unreadable
from toolgraft.connection.streams import Incoming, Stream

if TYPE_CHECKING:
    import contextvars

    from mcp.client import Transport
    from mcp.shared._stream_protocols import ReadStream, WriteStream  # only public under this name

EMPTY: Final[dict[str, dict[str, Any]]] = {
    "tools/list": {"tools": []},
    "tools/call": {"content": []},
    "resources/list": {"resources": []},
    "resources/templates/list": {"resourceTemplates": []},
    "resources/read": {"contents": []},
    "prompts/list": {"prompts": []},
    "prompts/get": {"messages": []},
}
"""The methods whose results are put aside, each with a valid empty one."""

MODERN: Final[dict[str, Any]] = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
"""What the 2026-07-28 models require on top."""


class Envelope(dict[str, Any]):
    """A valid empty result that carries the real one."""

    def __init__(self, empty: dict[str, Any], raw: dict[str, Any]) -> None:
        super().__init__(empty)
        self.raw = raw


@dataclass(frozen=True, slots=True)
class _Out:
    method: str
    record: Record | None


class Desk:
    """Knows which requests are out, so that each answer is treated by what was asked.

    Attributes:
        modern: Whether the 2026-07-28 protocol is spoken.
    """

    def __init__(self, on_end: Callable[[], None]) -> None:
        self.modern = False
        self._out: dict[RequestId, _Out] = {}
        self._on_end = on_end

    def goes_out(self, item: SessionMessage) -> None:
        """Note a message that is about to be sent."""
        message = item.message
        if isinstance(message, JSONRPCRequest):
            record = CURRENT.get()
            self._out[message.id] = _Out(message.method, record)
            if record is not None:
                record.handed = True
                if record.headers and isinstance(item.metadata, ClientMessageMetadata):
                    item.metadata.headers = {**(item.metadata.headers or {}), **record.headers}
        elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            self._out.pop((message.params or {}).get("requestId", ""), None)

    def not_gone(self) -> None:
        """The message did not leave after all."""
        record = CURRENT.get()
        if record is not None:
            record.handed = False

    def came_in(self, item: SessionMessage | Exception) -> SessionMessage | Exception:
        """Put a result aside; answer for a server whose answer is not JSON-RPC."""
        if isinstance(item, Exception):
            return self._answer_for(item)
        message = item.message
        if isinstance(message, JSONRPCResponse):
            out = self._take(message.id)
            empty = EMPTY.get(out.method) if out is not None else None
            if out is not None and empty is not None:
                raw = message.result
                if out.record is not None and out.record.raw is not None:
                    raw, out.record.raw = out.record.raw, None
                message.result = Envelope({**MODERN, **empty} if self.modern else empty, raw)
        elif isinstance(message, JSONRPCError) and message.id is not None:
            self._take(message.id)
        return item

    def ended(self) -> None:
        """The server went away."""
        self._out.clear()
        self._on_end()

    def _take(self, request_id: RequestId) -> _Out | None:
        out = self._out.pop(request_id, None)
        if out is None and isinstance(request_id, str) and request_id.isdecimal():
            out = self._out.pop(int(request_id), None)
        return out

    def _answer_for(self, error: Exception) -> SessionMessage | Exception:
        """An unreadable message that answers a request of ours ends that request, instead of letting it wait."""
        request_id = _id_in(error)
        if request_id is None and isinstance(error, TooLarge) and len(self._out) == 1:
            request_id = next(iter(self._out))  # nothing else can be meant
        out = None if request_id is None else self._take(request_id)
        if request_id is None or out is None:
            return error
        if out.record is not None and isinstance(error, TooLarge):
            out.record.fail(Failure(str(error), too_large=True))
        data = ErrorData(code=PARSE_ERROR, message=UNREADABLE)
        return SessionMessage(JSONRPCError(jsonrpc="2.0", id=request_id, error=data))


def _id_in(error: Exception) -> RequestId | None:
    if isinstance(error, TooLarge):
        return id_in(error.head)
    if isinstance(error, Unreadable):
        return error.request_id
    if not isinstance(error, ValidationError):
        return None
    for each in error.errors(include_url=False, include_context=False):
        given: object = each["input"]
        if isinstance(given, dict):
            found = cast("dict[str, object]", given).get("id")
            if isinstance(found, int | str) and not isinstance(found, bool):
                return found
        elif isinstance(given, str | bytes):
            return id_in(given if isinstance(given, bytes) else given[:4096].encode(errors="replace"))
    return None


class MendedRead(Incoming):
    """The read stream of a transport, with results put aside."""

    def __init__(self, inner: ReadStream[SessionMessage | Exception], desk: Desk) -> None:
        self._inner = inner
        self._desk = desk

    @property
    def last_context(self) -> contextvars.Context | None:
        """The context that the last message was sent in, where the transport knows."""
        return getattr(self._inner, "last_context", None)

    async def receive(self) -> SessionMessage | Exception:
        """The next message."""
        return self._desk.came_in(await self._inner.receive())

    async def aclose(self) -> None:
        """Close the stream."""
        await self._inner.aclose()

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            item = await self._inner.__anext__()
        except BaseException:
            self._desk.ended()
            raise
        return self._desk.came_in(item)


class WatchedWrite(Stream):
    """The write stream of a transport, with requests noted."""

    def __init__(self, inner: WriteStream[SessionMessage], desk: Desk) -> None:
        self._inner = inner
        self._desk = desk

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message."""
        self._desk.goes_out(item)
        try:
            await self._inner.send(item)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            self._desk.not_gone()
            raise

    async def aclose(self) -> None:
        """Close the stream."""
        await self._inner.aclose()


@asynccontextmanager
async def mended(transport: Transport, desk: Desk) -> AsyncGenerator[tuple[MendedRead, WatchedWrite]]:
    """`transport`, with its answers put aside at `desk`."""
    async with transport as (read, write):
        yield MendedRead(read, desk), WatchedWrite(write, desk)
