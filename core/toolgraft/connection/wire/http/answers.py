"""The answer to one POST of Streamable HTTP, read in the task of its caller: JSON, or an event stream."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Final, TypeAlias

import anyio
import httpx2
from mcp_types import JSONRPCError, JSONRPCRequest, JSONRPCResponse

from toolgraft.connection.wire.http.bodies import chunks, kind_of, read_body, read_message
from toolgraft.connection.wire.http.event_stream import EventReader
from toolgraft.connection.wire.http.failures import NotMcp
from toolgraft.connection.wire.http.underway import Underway
from toolgraft.connection.wire.in_flight import Failure, WireError
from toolgraft.connection.wire.messages import id_in
from toolgraft.connection.wire.unreadable import UNREADABLE, TooLarge

EVENT_STREAM: Final = "text/event-stream"

RESUMES: Final = 5
"""How often in a row a stream is resumed without anything coming of it."""

_HEAD: Final = 4096
_SOONEST, _LATEST, _USUAL = 0.05, 30.0, 1.0
"""Seconds before a stream is resumed."""

_REST_SECONDS, _REST_BYTES = 1.0, 64 * 1024

Resume: TypeAlias = Callable[[str], Awaitable[httpx2.Response]]
"""Opens a stream again after the event of an id."""


def pause_before_resuming(reader: EventReader, fruitless: int) -> float:
    """Seconds to wait, as the server says, and longer the less comes of it."""
    asked = reader.retry if reader.retry is not None else _USUAL
    return min(max(asked, _SOONEST) * float(2 ** min(10, max(0, fruitless - 1))), _LATEST)


class Answers:
    """Reads answers.

    Args of its making: what is on its way, the largest JSON body and the largest event, in bytes.
    """

    def __init__(self, underway: Underway, body_bytes: int, event_bytes: int) -> None:
        self._underway = underway
        self._body_bytes = body_bytes
        self._event_bytes = event_bytes
        self._rests: set[asyncio.Task[None]] = set()

    async def read(self, response: httpx2.Response, request: JSONRPCRequest, resume: Resume | None) -> None:
        """Deliver the answer to `request`, and what comes before it.

        Args:
            response: With 2xx.
            request: What was asked.
            resume: Opens a broken event stream again, where the protocol has that.

        Raises:
            WireError: The connection was ended meanwhile.
            NotMcp: No answer to the request came, but something else.
            TooLarge: It is larger than we take.
            httpx2.TransportError: The connection broke.
        """
        kind = kind_of(response)
        if kind == EVENT_STREAM and response.status_code == 200:
            await self._read_stream(response, request, resume)
            return
        body = await read_body(response, self._body_bytes)
        if not body.strip():
            status = f"HTTP {response.status_code} {response.reason_phrase}".strip()
            raise WireError(Failure(f"{status} without an answer in it", http_status=response.status_code))
        if kind != "application/json":
            raise NotMcp(f"it answered with {kind or 'no content type'}, which is not MCP")
        item = read_message(body, request)
        await self._underway.deliver(item, len(body))
        if not _answers(item.message, request):
            raise NotMcp("it answered something that was not asked")

    async def end(self) -> None:
        """Leave the streams whose rest is still read."""
        for task in self._rests:
            task.cancel()
        if self._rests:
            await asyncio.wait(self._rests)

    async def _read_stream(self, response: httpx2.Response, request: JSONRPCRequest, resume: Resume | None) -> None:
        reader = EventReader(self._event_bytes)
        fruitless = 0
        while True:
            before = reader.last_id
            broke = await self._read_events(response, reader, request)
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
        self, response: httpx2.Response, reader: EventReader, request: JSONRPCRequest
    ) -> NotMcp | httpx2.TransportError | None:
        """Read until the answer; why it did not come, or None."""
        stream = chunks(response)
        ending: NotMcp | httpx2.TransportError = NotMcp("its event stream ended before its answer")
        answered = False
        try:
            async for chunk in stream:
                for event in reader.feed(chunk):
                    if event.kind != "message" or not event.data:  # an empty one only gives an id
                        continue
                    if isinstance(event.data, TooLarge):
                        if id_in(event.data.head) in (None, request.id):
                            raise event.data
                        continue
                    try:
                        item = read_message(event.data, request)
                    except NotMcp:
                        if id_in(event.data[:_HEAD]) == request.id:
                            raise
                        ending = NotMcp(UNREADABLE)
                        continue
                    await self._underway.deliver(item, len(event.data))
                    answered = answered or _answers(item.message, request)
                if answered:
                    break
        except httpx2.TransportError as error:
            return None if answered else error
        finally:
            if answered:
                self._read_rest(response, stream)
            else:
                await response.aclose()
        return None if answered else ending

    def _read_rest(self, response: httpx2.Response, stream: AsyncIterator[bytes]) -> None:
        """Read a stream to its end, which should be near, so that its connection serves the next request."""
        task = asyncio.get_running_loop().create_task(_rest(response, stream))
        self._rests.add(task)
        task.add_done_callback(self._rests.discard)


async def _rest(response: httpx2.Response, stream: AsyncIterator[bytes]) -> None:
    read = 0
    try:
        with anyio.move_on_after(_REST_SECONDS):
            async for chunk in stream:
                read += len(chunk)
                if read > _REST_BYTES:
                    break
    except (httpx2.HTTPError, httpx2.StreamError):
        pass
    finally:
        await response.aclose()


def _answers(message: object, request: JSONRPCRequest) -> bool:
    return isinstance(message, JSONRPCResponse | JSONRPCError) and message.id == request.id
