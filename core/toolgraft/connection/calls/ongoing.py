"""The calls of one connection that are under way."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolgraft.connection.wire.in_flight import InFlight


class Ongoing:
    """A set of calls whose changes can be waited for."""

    def __init__(self) -> None:
        self._calls: set[InFlight] = set()
        self._waiting: set[asyncio.Future[None]] = set()

    def __contains__(self, in_flight: object) -> bool:
        return in_flight in self._calls

    def __iter__(self) -> Iterator[InFlight]:
        return iter(self._calls)

    def add(self, in_flight: InFlight) -> None:
        """A call begins."""
        self._calls.add(in_flight)

    def discard(self, in_flight: InFlight) -> None:
        """A call has ended, however."""
        self._calls.discard(in_flight)
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)

    async def last_of(self, calls: Sequence[InFlight], seconds: float) -> list[InFlight]:
        """Wait until all but one of some calls have ended, and give those that are left when the time is up."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        left: list[InFlight] = list(calls)
        while len(left) > 1 and loop.time() < until:
            change: asyncio.Future[None] = loop.create_future()
            self._waiting.add(change)
            try:
                await asyncio.wait([change], timeout=until - loop.time())
            finally:
                self._waiting.discard(change)
            left = [in_flight for in_flight in left if in_flight in self._calls]
        return left
