"""The calls of one connection that are under way."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolgraft.connection.in_flight import InFlight


class Ongoing:
    """A set of calls whose changes can be waited for."""

    def __init__(self) -> None:
        self._records: set[InFlight] = set()
        self._waiting: set[asyncio.Future[None]] = set()

    def __contains__(self, record: object) -> bool:
        return record in self._records

    def __iter__(self) -> Iterator[InFlight]:
        return iter(self._records)

    def add(self, record: InFlight) -> None:
        """A call begins."""
        self._records.add(record)

    def discard(self, record: InFlight) -> None:
        """A call has ended, however."""
        self._records.discard(record)
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)

    async def last_of(self, records: Sequence[InFlight], seconds: float) -> list[InFlight]:
        """Wait until all but one of some calls have ended, and give those that are left when the time is up."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        left: list[InFlight] = list(records)
        while len(left) > 1 and loop.time() < until:
            change: asyncio.Future[None] = loop.create_future()
            self._waiting.add(change)
            try:
                await asyncio.wait([change], timeout=until - loop.time())
            finally:
                self._waiting.discard(change)
            left = [record for record in left if record in self._records]
        return left
