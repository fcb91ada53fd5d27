"""The clock that counts how long a call takes."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from types import TracebackType

from toolgraft.calls import Deadline


class Clock:
    """Counts one call against its deadline; stops while a person is asked.

    Enter it around the work: it raises `TimeoutError` when the time is up, like `asyncio.timeout`.
    """

    __slots__ = ("_budget", "_cap_at", "_ended_by", "_left", "_loop", "_paused", "_seconds", "_timeout")

    def __init__(self, deadline: Deadline) -> None:
        self._loop = asyncio.get_running_loop()
        self._seconds = self._budget = deadline.seconds
        self._cap_at = None if deadline.progress_cap is None else self._loop.time() + deadline.progress_cap
        self._paused = 0
        self._ended_by: BaseException | None = None
        self._left = False
        self._timeout = asyncio.timeout(deadline.seconds)

    async def __aenter__(self) -> Clock:
        await self._timeout.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._left = True  # who asks a person for several calls may still hold this one's clock
        try:
            await self._timeout.__aexit__(kind, error, trace)
        except TimeoutError:
            if self._ended_by is not None:
                raise self._ended_by from self._ended_by.__cause__
            raise
        if self._ended_by is not None and kind is None:
            raise self._ended_by

    def end(self, error: BaseException) -> bool:
        """End the work now, from another task; the clock then raises `error`. False when it has ended already."""
        if self.is_over:
            return False
        self._timeout.reschedule(self._loop.time())
        self._ended_by = error
        return True

    @property
    def is_over(self) -> bool:
        """Whether the time is up, the work was ended, or it was left."""
        return self._left or self._ended_by is not None or self._timeout.expired()

    @property
    def wants_progress(self) -> bool:
        """Whether progress changes anything."""
        return self._cap_at is not None

    def progressed(self) -> None:
        """The server reported progress: restart the limit, under the cap, where that was asked for."""
        when = self._timeout.when()
        if self._cap_at is None or self._seconds is None or when is None or self.is_over:
            return
        self._timeout.reschedule(min(self._loop.time() + self._seconds, self._cap_at))

    @contextmanager
    def paused(self) -> Generator[None]:
        """Do not count the time spent in this block."""
        self._pause()
        try:
            yield
        finally:
            self._resume()

    def _pause(self) -> None:
        when = self._timeout.when()
        if not self._paused and when is not None and not self.is_over:
            self._budget = when - self._loop.time()
            self._timeout.reschedule(None)
        self._paused += 1

    def _resume(self) -> None:
        self._paused -= 1
        if not self._paused and self._budget is not None and not self.is_over:
            self._timeout.reschedule(self._loop.time() + self._budget)
