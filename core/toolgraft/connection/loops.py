"""From other loops and threads to the loop that a connection lives in."""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar
from weakref import WeakKeyDictionary

from toolgraft.errors import ClosedError

T = TypeVar("T")

_LOOK: Final = 0.5
"""Seconds between looks at whether the home loop still runs: one that was stopped never answers."""


class Homes:
    """Loops that something lives in. A fork inherits such a loop as an object that says it runs; nobody runs it."""

    def __init__(self) -> None:
        self._processes: WeakKeyDictionary[asyncio.AbstractEventLoop, int] = WeakKeyDictionary()

    def settle(self, home: asyncio.AbstractEventLoop) -> asyncio.AbstractEventLoop:
        """Note in which process a loop runs, before anything lives in it."""
        self._processes.setdefault(home, os.getpid())
        return home

    def inherited(self, home: asyncio.AbstractEventLoop) -> bool:
        """Whether a loop is the one of a process that this one was forked from."""
        return self._processes.get(home, os.getpid()) != os.getpid()

    def run(self, home: asyncio.AbstractEventLoop) -> bool:
        """Whether a loop still runs, so that something may be carried over to it."""
        return home.is_running() and not self.inherited(home)


HOMES: Final = Homes()
"""One for the process, as forks are."""


def running_loop() -> asyncio.AbstractEventLoop | None:
    """The loop that runs in this thread, or None."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def loop_of_its_own(name: str) -> asyncio.AbstractEventLoop:
    """Start an event loop in a thread that lives as long as this process."""
    loop = HOMES.settle(asyncio.new_event_loop())
    threading.Thread(target=loop.run_forever, name=name, daemon=True).start()
    while not loop.is_running():  # a few microseconds: until then nobody can be carried over to it
        time.sleep(0)
    return loop


async def across(home: asyncio.AbstractEventLoop, make: Callable[[], Coroutine[Any, Any, T]], what: str) -> T:
    """Run a coroutine in `home` and wait for it in this loop; a cancellation here cancels it there.

    Raises:
        ClosedError: `home` has ended or is not running.
    """
    future = _submit(home, make, what)
    here = asyncio.wrap_future(future)
    try:
        while not here.done():
            await asyncio.wait([here], timeout=_LOOK)
            if not here.done():
                _check(home, what)
    except BaseException:
        here.cancel()
        raise
    return here.result()


def wait(home: asyncio.AbstractEventLoop, make: Callable[[], Coroutine[Any, Any, T]], what: str) -> T:
    """Run a coroutine in `home` and block this thread until it is done; an interrupt here cancels it there.

    Raises:
        ClosedError: `home` has ended, is not running, or is run by this very thread, which would wait for itself.
    """
    if running_loop() is home:
        raise ClosedError(
            f"{what} lives in the event loop of this thread, which cannot wait for itself: await the call, "
            "or call from another thread (asyncio.to_thread)"
        )
    future = _submit(home, make, what)
    try:
        while True:
            try:
                return future.result(_LOOK)
            except concurrent.futures.TimeoutError:
                if future.done():  # the coroutine's own error
                    raise
                _check(home, what)
    except BaseException:
        future.cancel()
        raise


def _submit(
    home: asyncio.AbstractEventLoop, make: Callable[[], Coroutine[Any, Any, T]], what: str
) -> concurrent.futures.Future[T]:
    _check(home, what)
    coroutine = make()
    try:
        return asyncio.run_coroutine_threadsafe(coroutine, home)
    except RuntimeError as error:  # it closed just now
        coroutine.close()
        raise _gone(what) from error


def _check(home: asyncio.AbstractEventLoop, what: str) -> None:
    if HOMES.inherited(home):
        raise ClosedError(
            f"{what} belongs to the process that this one was forked from: open it here, or pickle the tool for here"
        )
    if not HOMES.run(home):
        raise _gone(what)


def _gone(what: str) -> ClosedError:
    return ClosedError(f"{what} is gone: the event loop that it lived in has ended; open it in the loop that runs now")
