"""Any transport, watched: what is sent and answered is noted in the exchange that it belongs to.

The SDK validates each result twice and fails whole lists for one member. Here each answer to a request of ours is kept
as it was sent, and the SDK, which only has to wake whoever waits, is handed an empty result that is valid.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Any, Final, cast

from mcp import MCPError
from mcp.shared.message import ClientMessageMetadata, SessionMessage
from mcp_types import (
    CONNECTION_CLOSED,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)
from pydantic import ValidationError

from toolgraft.connection.wire.in_flight import CURRENT, Exchange, Failure, WireError
from toolgraft.connection.wire.messages import id_in
from toolgraft.connection.wire.streams import Incoming, NotSent, Stream
from toolgraft.connection.wire.unreadable import UNREADABLE, TooLarge, Unreadable

if TYPE_CHECKING:
    import contextvars

    from toolgraft.connection.wire.opener import Streams
    from toolgraft.connection.wire.streams import Reading, Writing

EMPTY: Final[dict[str, dict[str, Any]]] = {
    "tools/list": {"tools": []},
    "tools/call": {"content": []},
    "resources/list": {"resources": []},
    "resources/templates/list": {"resourceTemplates": []},
    "resources/read": {"contents": []},
    "prompts/list": {"prompts": []},
    "prompts/get": {"messages": []},
}
"""A valid empty result for each method that we ask."""

MODERN: Final[dict[str, Any]] = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}
"""What the 2026-07-28 models require on top."""

_HANDSHAKE: Final = frozenset({"initialize", "server/discover"})


class Exchanges:
    """Knows which requests are out, so that each answer is noted where it belongs.

    Attributes:
        modern: Whether the 2026-07-28 protocol is spoken.
    """

    def __init__(self, on_end: Callable[[], None]) -> None:
        self.modern = False
        self._out: dict[RequestId, Exchange] = {}
        self._on_end = on_end

    def goes_out(self, item: SessionMessage) -> Exchange | None:
        """Note a message that is about to be sent; the exchange of a request that is ours, not the SDK's own."""
        message = item.message
        if isinstance(message, JSONRPCRequest):
            in_flight = CURRENT.get()
            exchange = in_flight.exchange if in_flight is not None else Exchange()
            exchange.method, exchange.handed = message.method, True
            self._out[message.id] = exchange
            if in_flight is not None and in_flight.headers and isinstance(item.metadata, ClientMessageMetadata):
                item.metadata.headers = {**(item.metadata.headers or {}), **in_flight.headers}
            return exchange
        if isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
            self._take((message.params or {}).get("requestId"))
        return None

    def failed(self, item: SessionMessage, failure: Failure) -> None:
        """A request could not be sent, or was answered by something else than a message."""
        exchange = self._take(getattr(item.message, "id", None))
        if exchange is not None:
            exchange.handed = failure.sent
            exchange.fail(failure)

    def came_in(self, item: SessionMessage | Exception) -> SessionMessage | Exception:
        """Note an answer."""
        if isinstance(item, Exception):
            return self._answer_for(item)
        message = item.message
        if isinstance(message, JSONRPCResponse):
            exchange = self._take(message.id)
            if exchange is not None:
                exchange.result = exchange.result if exchange.settled else message.result
                empty = EMPTY.get(exchange.method)
                if empty is not None:
                    message.result = {**MODERN, **empty} if self.modern else dict(empty)
        elif isinstance(message, JSONRPCError):
            exchange = self._take(message.id)
            if exchange is not None and not exchange.settled:
                exchange.error = message.error
        return item

    def ended(self) -> None:
        """The server went away."""
        self._out.clear()
        self._on_end()

    def _take(self, request_id: object) -> Exchange | None:
        if isinstance(request_id, bool) or not isinstance(request_id, int | str):
            return None
        exchange = self._out.pop(request_id, None)
        if exchange is None and isinstance(request_id, str) and request_id.isdecimal() and len(request_id) < 19:
            exchange = self._out.pop(int(request_id), None)
        return exchange

    def _answer_for(self, error: Exception) -> SessionMessage | Exception:
        """An unreadable message that answers a request of ours ends that request, instead of letting it wait."""
        request_id = _id_in(error)
        if request_id is None and isinstance(error, TooLarge) and len(self._out) == 1:
            request_id = next(iter(self._out))  # nothing else can be meant
        exchange = self._take(request_id)
        if request_id is None or exchange is None:
            return error
        too_large = isinstance(error, TooLarge)
        exchange.fail(Failure(str(error) if too_large else UNREADABLE, too_large=too_large))
        data = ErrorData(code=PARSE_ERROR, message=UNREADABLE)  # only wakes whoever waits
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


class WatchedReading(Incoming):
    """The stream that the session reads, with answers noted."""

    def __init__(self, inner: Reading[SessionMessage | Exception], exchanges: Exchanges) -> None:
        self._inner = inner
        self._exchanges = exchanges

    @property
    def last_context(self) -> contextvars.Context | None:
        """The context that the last message was sent in, where the transport knows."""
        return getattr(self._inner, "last_context", None)

    async def aclose(self) -> None:
        """Close the stream."""
        await self._inner.aclose()

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            item = await self._inner.__anext__()
        except BaseException:
            self._exchanges.ended()
            raise
        return self._exchanges.came_in(item)


class WatchedWriting(Stream):
    """The stream that the session writes to, with requests noted."""

    def __init__(self, inner: Writing[SessionMessage], exchanges: Exchanges) -> None:
        self._inner = inner
        self._exchanges = exchanges

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message.

        Raises:
            WireError: A request of ours failed.
            mcp.MCPError: One that the SDK makes for itself failed; another exception would end its whole session.
        """
        exchange = self._exchanges.goes_out(item)
        try:
            await self._inner.send(item)
        except NotSent:
            if exchange is not None:
                exchange.handed = False
            raise
        except WireError as error:
            self._exchanges.failed(item, error.failure)
            if exchange is not None and CURRENT.get() is None and exchange.method not in _HANDSHAKE:
                raise MCPError(CONNECTION_CLOSED, error.failure.reason) from error
            raise

    async def aclose(self) -> None:
        """Close the stream."""
        await self._inner.aclose()


@asynccontextmanager
async def watched(
    transport: AbstractAsyncContextManager[Streams], exchanges: Exchanges
) -> AsyncGenerator[tuple[WatchedReading, WatchedWriting]]:
    """`transport`, with what goes over it noted in `exchanges`."""
    async with transport as (reading, writing):
        yield WatchedReading(reading, exchanges), WatchedWriting(writing, exchanges)
