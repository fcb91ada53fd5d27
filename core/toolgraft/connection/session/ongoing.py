"""The calls of one session that are under way."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

from toolgraft.connection.session.turns import Turns

if TYPE_CHECKING:
    from collections.abc import Generator

    from toolgraft.connection.wire.in_flight import InFlight


class Ongoing:
    """A set of calls whose changes can be waited for.

    Attributes:
        turns: Which of them may run.
    """

    def __init__(self, *, may_ask: bool) -> None:
        self.turns = Turns(needed=may_ask)
        self._calls: set[InFlight] = set()
        self._asked_for: Counter[InFlight] = Counter()
        self._waiting: set[asyncio.Future[None]] = set()

    def __contains__(self, in_flight: object) -> bool:
        return in_flight in self._calls

    def __iter__(self) -> Iterator[InFlight]:
        return iter(self._calls)

    @asynccontextmanager
    async def running(self, in_flight: InFlight, *, modern: bool) -> AsyncGenerator[None]:
        """A call is under way while the block runs, which begins when it may be sent."""
        try:
            if not modern:
                await self.turns.take(in_flight)
            self._calls.add(in_flight)
            yield
            self.turns.answered(in_flight)
        except asyncio.CancelledError:
            if in_flight.clock is not None and in_flight.clock.is_over:
                self.turns.answered(in_flight)
            raise
        finally:
            self._discard(in_flight)
            self.turns.leave(in_flight)

    @contextmanager
    def asked_for(self, in_flight: InFlight) -> Generator[None]:
        """A person is asked for a call while the block runs; others may run meanwhile."""
        self._asked_for[in_flight] += 1
        self.turns.leave(in_flight)
        try:
            yield
        finally:
            self._asked_for[in_flight] -= 1
            if not self._asked_for[in_flight]:
                del self._asked_for[in_flight]

    async def runs_again(self, in_flight: InFlight) -> None:
        """Wait until a call may have the answer to its question."""
        if in_flight in self._calls:
            await self.turns.take(in_flight)

    def may_ask(self) -> list[InFlight]:
        """The calls that a question of which nothing is known may belong to: those that wait for no answer to one."""
        return [call for call in self._calls if call not in self._asked_for] or list(self._calls)

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

    def _discard(self, in_flight: InFlight) -> None:
        self._calls.discard(in_flight)
        for waiting in self._waiting:
            if not waiting.done():
                waiting.set_result(None)
