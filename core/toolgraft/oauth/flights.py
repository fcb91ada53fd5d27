"""One renewal at a time for the callers in one loop: who comes while it runs waits for it and shares what comes of it.

A renewal runs in a task of its own, so that a caller who is cancelled takes nothing from the others. One that asks a
person ends with the last caller who waits for it; one that spends a refresh token goes on to its end, for the answer
holds the only token that is good from then on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final, TypeAlias

from toolgraft.oauth.values import SignedIn

PersonTime: TypeAlias = Callable[[], AbstractContextManager[None]]
"""Stops the clocks of whoever enters it."""

_LAST_SECONDS: Final = 10.0
"""What is given to a renewal that no person is asked for, when the connection ends."""


class Flight:
    """A renewal on its way.

    Attributes:
        asking: How many ask a person just now, here or elsewhere.
    """

    def __init__(self) -> None:
        self.asking = 0
        self._turned = asyncio.Event()
        self._waiting = 0
        self._task: asyncio.Task[SignedIn] | None = None

    @property
    def over(self) -> bool:
        """Whether nothing more comes of it."""
        return self._task is not None and self._task.done()

    @contextmanager
    def asks(self) -> Generator[None]:
        """While the block runs, a person is asked."""
        self._turn(1)
        try:
            yield
        finally:
            self._turn(-1)

    def start(self, work: Coroutine[Any, Any, SignedIn]) -> None:
        """Begin."""
        self._task = asyncio.get_running_loop().create_task(work)
        self._task.add_done_callback(_looked_at)

    async def joined(self, person_time: PersonTime) -> SignedIn:
        """Wait for what comes of it; while a person is asked, the caller's clocks are stopped."""
        task = self._task
        assert task is not None
        self._waiting += 1
        try:
            while not task.done():
                with person_time() if self.asking else nullcontext():
                    await self._changed(task)
            return task.result()
        finally:
            self._waiting -= 1
            if not self._waiting and self.asking:
                task.cancel()

    async def _changed(self, task: asyncio.Task[SignedIn]) -> None:
        turned = asyncio.get_running_loop().create_task(self._turned.wait())
        try:
            await asyncio.wait([task, turned], return_when=asyncio.FIRST_COMPLETED)
        finally:
            turned.cancel()

    async def end(self, seconds: float) -> None:
        """End it, at once where a person is asked, else when it does not end by itself."""
        if self._task is None:
            return
        if not self.asking:
            await asyncio.wait([self._task], timeout=seconds)
        self._task.cancel()
        await asyncio.wait([self._task])

    def _turn(self, by: int) -> None:
        self.asking += by
        self._turned.set()
        self._turned = asyncio.Event()


class Flights:
    """The renewals of one connection, one at a time for each identity."""

    def __init__(self) -> None:
        self._by_identity: dict[str, Flight] = {}

    def of(self, identity: str, work: Callable[[Flight], Coroutine[Any, Any, SignedIn]]) -> Flight:
        """The one that runs for an identity, or a new one."""
        flight = self._by_identity.get(identity)
        if flight is None or flight.over:
            flight = self._by_identity[identity] = Flight()
            flight.start(work(flight))
        return flight

    async def end(self) -> None:
        """End all of them; those that no person is asked for are given some time."""
        await asyncio.gather(*(flight.end(_LAST_SECONDS) for flight in self._by_identity.values()))


def _looked_at(task: asyncio.Task[SignedIn]) -> None:
    """Its failure is that of its callers; where all of them have left, it is nobody's."""
    if not task.cancelled():
        task.exception()
