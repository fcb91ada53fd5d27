"""From other loops and threads to the loop that a connection lives in."""

from __future__ import annotations

import asyncio
import concurrent.futures
import os
import threading
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar
from weakref import WeakKeyDictionary

from toolgraft.connection.loops.blocked import is_blocked_by_us
from toolgraft.errors import ClosedError

T = TypeVar("T")

_LOOK: Final = 0.5
"""Seconds between looks at whether the home loop still runs: one that was stopped never answers."""

PATIENCE: Final = 10.0
"""Seconds without any sign of the home loop after which it is taken for blocked. A busy one is late by less."""

LONG_PATIENCE: Final = 30.0
"""The same where the call has begun: to give it up then is to lose what comes of it."""

_INSTEAD: Final = (
    "in async code write `await agent.ainvoke(...)` (or `await tool.ainvoke(...)`), run what blocks in a thread "
    "(`await asyncio.to_thread(agent.invoke, ...)`), or open the tools by `with graft(...)`, "
    "which runs a loop of its own"
)


@dataclass(frozen=True, slots=True)
class _Home:
    """Where a loop runs: its process, and its thread where that is known."""

    process: int
    thread: int | None


class Homes:
    """Loops that something lives in. A fork inherits such a loop as an object that says it runs; nobody runs it."""

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[asyncio.AbstractEventLoop, _Home] = WeakKeyDictionary()

    def settle(self, home: asyncio.AbstractEventLoop) -> asyncio.AbstractEventLoop:
        """Note where a loop runs, before anything lives in it."""
        thread = threading.get_ident() if running_loop() is home else None
        self._known.setdefault(home, _Home(os.getpid(), thread))
        return home

    def inherited(self, home: asyncio.AbstractEventLoop) -> bool:
        """Whether a loop is the one of a process that this one was forked from."""
        known = self._known.get(home)
        return known is not None and known.process != os.getpid()

    def run(self, home: asyncio.AbstractEventLoop) -> bool:
        """Whether a loop still runs, so that something may be carried over to it."""
        return home.is_running() and not self.inherited(home)

    def blocked_by_us(self, home: asyncio.AbstractEventLoop) -> bool:
        """Whether the thread of a loop is blocked until this thread is done."""
        known = self._known.get(home)
        return known is not None and known.thread is not None and is_blocked_by_us(known.thread)


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
        ClosedError: `home` has ended, is not running, or is blocked.
    """
    carried = _Carried(home, make, what)
    here = asyncio.wrap_future(carried.future)
    try:
        while not here.done():
            await asyncio.wait([here], timeout=_LOOK)
            if not here.done():
                carried.look()
    except BaseException:
        carried.give_up()
        here.cancel()
        raise
    return _value(here.result())


def wait(home: asyncio.AbstractEventLoop, make: Callable[[], Coroutine[Any, Any, T]], what: str) -> T:
    """Run a coroutine in `home` and block this thread until it is done; an interrupt here cancels it there.

    Raises:
        ClosedError: `home` has ended, is not running, or is blocked, e.g. by waiting for this thread; or it is run by
            this very thread, which would wait for itself.
    """
    if running_loop() is home:
        raise ClosedError(
            f"{what} lives in the event loop of this thread, which cannot wait for itself: await the call, "
            "or call from another thread (asyncio.to_thread)"
        )
    carried = _Carried(home, make, what)
    try:
        while True:
            try:
                return _value(carried.future.result(_LOOK))
            except concurrent.futures.TimeoutError:
                if carried.future.done():  # just now, or it is the coroutine's own error
                    return _value(carried.future.result())
                carried.look()
    except BaseException:
        carried.give_up()
        carried.future.cancel()
        raise


@dataclass(frozen=True, slots=True)
class _Interrupt:
    """What would end the loop that it is raised in; it belongs to the one who waits."""

    error: BaseException


def _value(outcome: T | _Interrupt) -> T:
    if isinstance(outcome, _Interrupt):
        raise outcome.error
    return outcome


class _Carried(Generic[T]):
    """A coroutine on its way to another loop. It begins there or is given up here, never both.

    Attributes:
        future: What comes of it.
    """

    def __init__(self, home: asyncio.AbstractEventLoop, make: Callable[[], Coroutine[Any, Any, T]], what: str) -> None:
        _check(home, what)
        self._home, self._make, self._what = home, make, what
        self._sign = time.monotonic()
        self._asked = False
        self._begun: concurrent.futures.Future[None] = concurrent.futures.Future()
        running = self._run()
        try:
            self.future = asyncio.run_coroutine_threadsafe(running, home)
        except RuntimeError as error:  # it closed just now
            running.close()
            raise _gone(what) from error

    def give_up(self) -> bool:
        """Keep it from beginning; False when it has begun."""
        return self._begun.cancel()

    def look(self) -> None:
        """Look whether it can still come to an end.

        Raises:
            ClosedError: It cannot: the loop has ended, or is blocked.
        """
        _check(self._home, self._what)
        begun = self._begun.running()
        if HOMES.blocked_by_us(self._home):
            ran = "was sent and may have run" if begun and not self.give_up() else "was not sent"
            raise ClosedError(
                f"{self._what} lives in an event loop whose thread is blocked until this call is done, and the call "
                f"needs that loop: {_INSTEAD}. The call {ran}"
            )
        silent = time.monotonic() - self._sign
        if not begun and silent > PATIENCE and self.give_up():
            raise self._silent(PATIENCE, "was not sent")
        if begun and silent > LONG_PATIENCE:
            raise self._silent(LONG_PATIENCE, "was sent and may have run")
        if begun and not self._asked:
            self._asked = True
            with suppress(RuntimeError):  # it ended just now, which the next look tells
                self._home.call_soon_threadsafe(self._signed)

    def _signed(self) -> None:
        """The loop runs: in its thread."""
        self._asked, self._sign = False, time.monotonic()

    def _silent(self, seconds: float, ran: str) -> ClosedError:
        return ClosedError(
            f"{self._what} lives in an event loop that gave no sign for {seconds:g} s, as one does whose thread "
            f"is blocked: {_INSTEAD}. The call {ran}"
        )

    async def _run(self) -> T | _Interrupt:
        if not self._begun.set_running_or_notify_cancel():
            raise asyncio.CancelledError
        self._signed()
        try:
            return await self._make()
        except (KeyboardInterrupt, SystemExit) as error:
            return _Interrupt(error)


def _check(home: asyncio.AbstractEventLoop, what: str) -> None:
    if HOMES.inherited(home):
        raise ClosedError(
            f"{what} belongs to the process that this one was forked from: open it here, or pickle the tool for here"
        )
    if not HOMES.run(home):
        raise _gone(what)


def _gone(what: str) -> ClosedError:
    return ClosedError(f"{what} is gone: the event loop that it lived in has ended; open it in the loop that runs now")
