"""Connections that were pickled into this process: one for each declaration, whatever number of tools brings it along.

They live in a loop of their own, in a thread that all of them share, so that tools may be called from one event loop
after the other. Declarations that differ in anything have one each, also where only a bound value differs: what a
server remembers of one caller (a cookie, a chosen project) is not the other's. A function in `bind` is the same for all
of its callers, so that these share one. A connection that nothing holds any more is closed, a while after it last came;
all are closed when the process ends.
"""

from __future__ import annotations

import asyncio
import atexit
import hashlib
import os
import pickle
import sys
import threading
import time
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from toolgraft.connection.loops import home_loop
from toolgraft.connection.session.state import State

KEPT: Final = 30.0
"""Seconds that a connection stays, for tools to come, after it was last unpickled and nothing holds it any more."""

CLOSING: Final = 10.0
"""Seconds that the end of the process waits for all of them to be closed."""


class Kept(Protocol):
    """What is kept of a connection here."""

    @property
    def state(self) -> State:
        """Where it stands."""
        ...


C = TypeVar("C", bound=Kept)
Close = Callable[[], Coroutine[Any, Any, None]]


@dataclass(slots=True, eq=False)
class _Entry(Generic[C]):
    """One connection that came.

    Attributes:
        config: Its declaration.
        fingerprint: See `fingerprint`.
        living: The connection, for as long as anything holds it.
        close: Closes what it is made of, without holding it.
        held: The connection itself, until it has stayed for long enough.
        until: When that is.
    """

    config: object
    fingerprint: str
    living: weakref.ref[C]
    close: Close
    held: C | None
    until: float


class Unpickled(Generic[C]):
    """The connections that came into this process. A fork begins anew."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._entries: list[_Entry[C]] = []
        self._leaving: set[Future[None]] = set()
        self._home: asyncio.AbstractEventLoop | None = None
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forked)

    def connection(
        self, config: object, fingerprint: str, make: Callable[[asyncio.AbstractEventLoop], tuple[C, Close]]
    ) -> C:
        """The connection of a declaration; made where there is none that can be used.

        Args:
            config: The declaration.
            fingerprint: The one that came with it.
            make: Makes a connection that lives in the loop that it is given, and what closes it.
        """
        with self._lock:
            entry, connection = self._find(config, fingerprint)
            if entry is None or connection is None:
                connection, close = make(self._loop())
                entry = _Entry(config, fingerprint, weakref.ref(connection), close, None, 0.0)
                weakref.finalize(connection, self._leave, entry).atexit = False
                self._entries.append(entry)
            self._hold(entry, connection)
            return connection

    def close(self) -> None:
        """Close all of them, at the end of the process."""
        with self._lock:
            entries, self._entries, home = self._entries, [], self._home
        if home is None or not home_loop.HOMES.run(home) or not entries:
            return

        async def all_of_them() -> None:
            await asyncio.gather(*(entry.close() for entry in entries), return_exceptions=True)

        with suppress(Exception):
            asyncio.run_coroutine_threadsafe(all_of_them(), home).result(CLOSING)

    def _forked(self) -> None:
        """What is here is our parent's: its loop does not run, and its lock may never be free."""
        self._lock = threading.RLock()
        self._entries, self._leaving, self._home = [], set(), None

    def _loop(self) -> asyncio.AbstractEventLoop:
        if self._home is None:
            self._home = home_loop.loop_of_its_own("toolgraft unpickled")
            atexit.register(self.close)
            workers = sys.modules.get("multiprocessing.util")
            if workers is not None:  # its processes end without what atexit knows
                workers.Finalize(None, self.close, exitpriority=10)
        return self._home

    def _find(self, config: object, fingerprint: str) -> tuple[_Entry[C] | None, C | None]:
        """An entry and its connection, so that it does not go meanwhile."""
        living = [(entry, entry.living()) for entry in self._entries]
        usable = [(entry, each) for entry, each in living if each is not None and each.state is not State.CLOSED]
        self._entries = [entry for entry, _ in usable]
        for entry, connection in usable:
            if entry.fingerprint == fingerprint or _equal(entry.config, config):
                return entry, connection
        return None, None

    def _hold(self, entry: _Entry[C], connection: C) -> None:
        is_timed = entry.held is not None
        entry.held, entry.until = connection, time.monotonic() + KEPT
        if not is_timed:
            loop = self._loop()
            loop.call_soon_threadsafe(loop.call_later, KEPT, self._let_go, entry)

    def _let_go(self, entry: _Entry[C]) -> None:
        with self._lock:
            left = entry.until - time.monotonic()
            if left > 0:
                self._loop().call_later(left, self._let_go, entry)
                return
            held, entry.held = entry.held, None
        del held  # outside the lock: it may be the last

    def _leave(self, entry: _Entry[C]) -> None:
        """Nothing holds a connection any more; called wherever the last tool went."""
        home = self._home
        if home is None or not home_loop.HOMES.run(home):
            return
        with suppress(RuntimeError):
            leaving: Future[None] = asyncio.run_coroutine_threadsafe(entry.close(), home)
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)


def fingerprint(config: object, otherwise: str) -> str:
    """Tell a declaration from others whose parts cannot be compared, e.g. an `auth` object that has no equality.

    Args:
        config: The declaration, as it is when it leaves.
        otherwise: For one that only other picklers can take.
    """
    try:
        return hashlib.sha256(pickle.dumps(config)).hexdigest()
    except Exception:
        return otherwise


def _equal(one: object, other: object) -> bool:
    try:
        return bool(one == other)
    except Exception:  # of a part that is compared as arrays are
        return False
