"""A transport whose server may be silent when it is probed: the probe is answered in its place, in time to go on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Final

from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest

from toolgraft.connection.wire.probe import Patience, Probe
from toolgraft.connection.wire.streams import Incoming, Stream

if TYPE_CHECKING:
    from toolgraft.connection.wire.opener import Streams
    from toolgraft.connection.wire.streams import Reading, Writing

LONGEST: Final = 10.0
"""Seconds that the probe is waited for, and never more than half of the time for connecting."""


@asynccontextmanager
async def probed(
    transport: AbstractAsyncContextManager[Streams], connect_timeout: float
) -> AsyncGenerator[tuple[ProbedReading, ProbedWriting]]:
    """`transport`, with the probe answered where its server does not."""
    async with transport as (reading, writing):
        probe = Probe(Patience(min(LONGEST, connect_timeout / 2)))
        heard = ProbedReading(reading, probe)
        try:
            yield heard, ProbedWriting(writing, probe)
        finally:
            probe.over()
            await heard.leave()


class ProbedReading(Incoming):
    """The stream that the session reads: until something is heard and no probe is out, that is waited for beside it."""

    def __init__(self, inner: Reading[SessionMessage | Exception], probe: Probe) -> None:
        self._inner = inner
        self._probe = probe
        self._over = False
        self._arriving: asyncio.Task[SessionMessage | Exception] | None = None
        self._silence: asyncio.Event = asyncio.Event()
        probe.on_silence = self._silence.set

    async def aclose(self) -> None:
        """Close the stream."""
        await self.leave()
        await self._inner.aclose()

    async def leave(self) -> None:
        """Wait for nothing any more."""
        if self._arriving is not None and not self._arriving.done():
            self._arriving.cancel()
            await asyncio.wait([self._arriving])

    async def __anext__(self) -> SessionMessage | Exception:
        return await (self._inner.__anext__() if self._over else self._first())

    async def _first(self) -> SessionMessage | Exception:
        """The next message, or the answer in the server's place."""
        loop = asyncio.get_running_loop()
        self._arriving = self._arriving or loop.create_task(_next(self._inner))
        silence = loop.create_task(self._silence.wait())
        try:
            await asyncio.wait([self._arriving, silence], return_when=asyncio.FIRST_COMPLETED)
        finally:
            silence.cancel()
        if not self._arriving.done() and (unanswered := self._probe.unanswered()) is not None:
            self._silence.clear()
            self._probe.over()
            return unanswered
        arrived, self._arriving = self._arriving, None
        item = await arrived
        if isinstance(item, SessionMessage):
            self._probe.came_in(item.message)
        self._over = not self._probe.waits
        return item


async def _next(stream: Reading[SessionMessage | Exception]) -> SessionMessage | Exception:
    return await stream.__anext__()


class ProbedWriting(Stream):
    """The stream that the session writes to, with the probe noted."""

    def __init__(self, inner: Writing[SessionMessage], probe: Probe) -> None:
        self._inner = inner
        self._probe = probe

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message."""
        if isinstance(item.message, JSONRPCRequest):
            self._probe.goes_out(item.message)
        await self._inner.send(item)

    async def aclose(self) -> None:
        """Close the stream."""
        await self._inner.aclose()
