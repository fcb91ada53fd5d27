"""An event loop in a thread of its own, for programs that have none: `with graft(...)`."""

from __future__ import annotations

import asyncio
import atexit
import logging
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final, TypeVar

from toolgraft.connection.loops import home_loop

T = TypeVar("T")

_WHAT: Final = "the graft"
_log: Final = logging.getLogger("toolgraft")


class Background:
    """A running event loop, ended by `close`.

    One that is forgotten is closed when the interpreter ends, while its thread still runs: later, whoever waits for it
    waits for ever. In a fork there is no such thread, and nothing is waited for.
    """

    def __init__(self, at_end: Callable[[], object]) -> None:
        """Start it.

        Args:
            at_end: Called when the interpreter ends and nobody has closed it.
        """
        started: Future[asyncio.AbstractEventLoop] = Future()
        self._at_end = at_end
        self._done = asyncio.Event()
        self._thread = threading.Thread(target=self._run, args=(started,), name="toolgraft", daemon=True)
        self._thread.start()
        self._loop = started.result()
        atexit.register(at_end)

    def call(self, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Run a coroutine there and wait for it; an interrupt here cancels it there.

        Raises:
            ClosedError: It has ended, or this is a fork.
        """
        return home_loop.wait(self._loop, make, _WHAT)

    @property
    def inherited(self) -> bool:
        """Whether this is a fork of the process that it runs in."""
        return home_loop.HOMES.inherited(self._loop)

    def close(self) -> None:
        """End the loop: what still runs there is cancelled and waited for."""
        atexit.unregister(self._at_end)
        with suppress(RuntimeError):  # it has ended
            self._loop.call_soon_threadsafe(self._done.set)
        self._thread.join()

    def _run(self, started: Future[asyncio.AbstractEventLoop]) -> None:
        async def live() -> None:
            started.set_result(home_loop.HOMES.settle(asyncio.get_running_loop()))
            await self._done.wait()

        try:
            asyncio.run(live())
        except BaseException as error:  # no loop could be made, e.g. for want of file descriptors
            if not started.done():
                started.set_exception(error)
                return
            # Only tidying up can fail by now: from Python 3.12 on, an interpreter that ends gives no thread for that.
            _log.debug("the background loop ended with an error", exc_info=error)
