"""The answer to one POST of Streamable HTTP, read in the task of its caller: JSON, or an event stream."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

import httpx2
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

from toolgraft.connection.wire.bounds import Bounds
from toolgraft.connection.wire.http.bodies import chunks, kind_of, read_body, read_message
from toolgraft.connection.wire.http.event_stream import Event, EventReader
from toolgraft.connection.wire.http.failures import NotMcp
from toolgraft.connection.wire.http.media import EVENT_STREAM, JSON
from toolgraft.connection.wire.http.rests import Rests
from toolgraft.connection.wire.http.said import reason_in
from toolgraft.connection.wire.in_flight import Failure, WireError
from toolgraft.connection.wire.messages import id_in
from toolgraft.connection.wire.unreadable import TooLarge

RESUMES: Final = 5
"""How often in a row a stream is resumed without anything coming of it."""

_HEAD: Final = 4096
_JSON_ENOUGH: Final = frozenset({JSON, "text/json", "text/plain", ""})
"""Media types under which JSON is sent: what can be read is not thrown away."""

_SOONEST, _LATEST, _USUAL = 0.05, 30.0, 1.0
"""Seconds before a stream is resumed."""

Resume: TypeAlias = Callable[[str], Awaitable[httpx2.Response]]
"""Opens a stream again after the event of an id."""

Deliver: TypeAlias = Callable[[SessionMessage, int], Awaitable[None]]
"""Takes a message and its size in bytes."""


def pause_before_resuming(reader: EventReader, fruitless: int) -> float:
    """Seconds to wait, as the server says, and longer the less comes of it."""
    asked = reader.retry if reader.retry is not None else _USUAL
    return min(max(asked, _SOONEST) * float(2 ** min(10, max(0, fruitless - 1))), _LATEST)


class Answers:
    """Reads answers.

    Args of its making: who reads rests, the largest JSON body, and the largest event in bytes.
    """

    def __init__(self, rests: Rests, bounds: Bounds, event_bytes: int) -> None:
        self._rests = rests
        self._bounds = bounds
        self._event_bytes = event_bytes

    async def read(
        self, response: httpx2.Response, request: JSONRPCRequest, deliver: Deliver, resume: Resume | None
    ) -> None:
        """Deliver the answer to `request`, and what comes before it.

        Args:
            response: With 2xx.
            request: What was asked.
            deliver: Takes the messages.
            resume: Opens a broken event stream again, where the protocol has that.

        Raises:
            WireError: The connection was ended meanwhile.
            NotMcp: No answer to the request came, but something else.
            TooLarge: It is larger than we take.
            httpx2.TransportError: The connection broke.
        """
        kind = kind_of(response)
        if kind == EVENT_STREAM and response.status_code == 200:
            await self._read_stream(response, request, deliver, resume)
            return
        body = await read_body(response, self._bounds.bytes)
        if not body.strip():
            status = f"HTTP {response.status_code} {response.reason_phrase}".strip()
            raise WireError(Failure(f"{status} without an answer in it", http_status=response.status_code))
        if kind not in _JSON_ENOUGH and not kind.endswith("+json"):
            raise NotMcp(f"it answered with {kind or 'no content type'}, which is not MCP")
        item = read_message(body, request, self._bounds.values)
        await deliver(item, len(body))
        if not _answers(item.message, request):
            raise NotMcp("it answered something that was not asked")

    async def _read_stream(
        self, response: httpx2.Response, request: JSONRPCRequest, deliver: Deliver, resume: Resume | None
    ) -> None:
        reader = EventReader(self._event_bytes)
        fruitless = 0
        while True:
            before = reader.last_id
            broke = await self._read_events(response, reader, request, deliver)
            if broke is None:
                return
            if resume is None or reader.last_id is None:
                raise broke
            fruitless = fruitless + 1 if reader.last_id == before else 0
            if fruitless >= RESUMES:
                raise broke
            await asyncio.sleep(pause_before_resuming(reader, fruitless))
            response = await resume(reader.last_id)

    async def _read_events(
        self, response: httpx2.Response, reader: EventReader, request: JSONRPCRequest, deliver: Deliver
    ) -> NotMcp | httpx2.TransportError | None:
        """Read until the answer; why it did not come, or None."""
        stream = chunks(response)
        ending: NotMcp | httpx2.TransportError = NotMcp("its event stream ended before its answer")
        answered = False
        try:
            async for chunk in stream:
                for event in reader.feed(chunk):
                    if not event.data:  # it only gives an id
                        continue
                    if event.kind != "message":
                        ending = _ended_with(event) or ending
                        continue
                    item = self._message(event.data, request)
                    if isinstance(item, NotMcp):
                        ending = item
                    elif item is not None and isinstance(event.data, bytes):
                        await deliver(item, len(event.data))
                        answered = answered or _answers(item.message, request)
                if answered:
                    break
        except httpx2.TransportError as error:
            return None if answered else error
        finally:
            if answered:
                self._rests.read(response, stream)
            else:
                await response.aclose()
        return None if answered else ending

    def _message(self, data: bytes | TooLarge, request: JSONRPCRequest) -> SessionMessage | NotMcp | None:
        """The message of an event; what is none, and None for one that is too large, where they are not the answer."""
        try:
            if isinstance(data, TooLarge):
                raise data
            return read_message(data, request, self._bounds.values)
        except TooLarge as error:
            if id_in(error.head) in (None, request.id):
                raise
            return None
        except NotMcp as error:
            if not isinstance(data, TooLarge) and id_in(data[:_HEAD]) == request.id:
                raise
            return error


def _ended_with(event: Event) -> NotMcp | None:
    """The end of a stream for a reason that its server gave in an event of its own, such as `error`."""
    said = reason_in(event.data) if isinstance(event.data, bytes) else ""
    return NotMcp(f"its event stream ended before its answer: {said}") if said else None


def _answers(message: object, request: JSONRPCRequest) -> bool:
    return isinstance(message, JSONRPCResponse | JSONRPCError) and message.id == request.id
