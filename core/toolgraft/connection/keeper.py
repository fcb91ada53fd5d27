"""Keeps one server connected, inside one event loop: opens, loses, reopens with back-off, re-lists, closes."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import random
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final

from toolgraft.calls import Deadline
from toolgraft.connection.child import PATIENCE
from toolgraft.connection.era import EraMemory
from toolgraft.connection.events import Connected, Event, Lost, Reconnected
from toolgraft.connection.fallback import other_mode
from toolgraft.connection.freshness import Freshness
from toolgraft.connection.in_flight import CURRENT, WireError
from toolgraft.connection.link import Ears, Link
from toolgraft.connection.listing import Listing
from toolgraft.connection.person import Attempt
from toolgraft.connection.runners import SLOW, fetching
from toolgraft.connection.settling import Settling
from toolgraft.connection.state import State, move
from toolgraft.connection.translate import connect_error
from toolgraft.connection.watch import watch_list
from toolgraft.content.text import printable
from toolgraft.errors import ClosedError, ConnectError

if TYPE_CHECKING:
    from mcp.client.session import ElicitationFnT

    from toolgraft.config.options import CallContext
    from toolgraft.config.servers import Server

ATTEMPTS: Final = 3
"""Starts in one reconnect."""

_FIRST_PAUSE: Final = 0.2
_LONGEST_PAUSE: Final = 15.0
_SDK_PATIENCE: Final = 10.0
"""Seconds that the SDK waits for an answer to the probe."""

_log: Final = logging.getLogger("toolgraft")


class Keeper:
    """Keeps one server connected.

    Attributes:
        state: Where the connection stands.
        link: The living client; only meaningful while `state` is `OPEN`.
        who: Whom the connection is made for.
        fresh: The tool list.
    """

    def __init__(
        self,
        config: Server,
        *,
        era: EraMemory,
        emit: Callable[[Event], None],
        elicit: ElicitationFnT,
        watch: bool,
        who: CallContext,
    ) -> None:
        self.config = config
        self.who = who
        self.fresh = Freshness(config, who, emit)
        self.state = State.NEW
        self.link: Link | None = None
        self._era = era
        self._emit = emit
        self._watch = watch
        self._ears = Ears(self._lost, self._list_changed, elicit, who)
        self._was_open = False
        self._failed_rows = 0
        self._rest_until = 0.0
        self._last_error: ConnectError | None = None
        self._connecting: asyncio.Task[Link] | None = None
        self._attempt = Attempt()
        self._waiting = 0
        self._tasks: set[asyncio.Task[Any]] = set()
        self._links: set[Link] = set()
        self._relisting: asyncio.Task[Any] | None = None
        self._settling = Settling()
        self._context = contextvars.copy_context()

    async def linked(self) -> Link:
        """The living client, connecting first where there is none. Callers share one attempt.

        Raises:
            ConnectError: The server cannot be reached.
            ClosedError: The connection is closed.
        """
        if self.state is State.OPEN and self.link is not None:
            return self.link
        if self.state is State.CLOSED:
            raise closed(self.config.name)
        if self._connecting is None:
            rest = self._rest_until - time.monotonic()
            if self._last_error is not None and rest > 0:
                reason = f"{self._last_error.reason} (it is tried again in {rest:.1f} s)"
                raise ConnectError(self.config.name, self.config.target, reason)
            self._connecting = self._spawn(self._reconnect() if self._was_open else self._first_start())
        task = self._connecting
        self._waiting += 1
        try:
            return await self._shared(task)
        except asyncio.CancelledError:
            if task.cancelled():
                raise ClosedError(f"the connection to server '{self.config.name}' was closed") from None
            if not self._was_open and self._waiting == 1:  # nobody else wants it
                task.cancel()
                await asyncio.wait([task])
            raise
        finally:
            self._waiting -= 1

    async def _shared(self, task: asyncio.Task[Link]) -> Link:
        """Wait for the connecting that others may wait for too; a person's time counts for none of them."""
        record = CURRENT.get()
        if record is None or record.clock is None:
            return await asyncio.shield(task)
        with self._attempt.holding(record.clock):
            return await asyncio.shield(task)

    async def listing(self, *, refresh: bool) -> Listing:
        """The tools, from memory while that holds.

        Raises:
            ConnectError: The server cannot be reached, or does not answer with a list.
        """
        link = await self.linked()
        if refresh or self.fresh.stale:
            try:
                await self.fresh.read(link)
            except ConnectError as error:
                if _expired(error):
                    self.lose(link, "its session expired")
                elif not link.lost and self.link is link and self.state is State.OPEN:
                    raise
                await self.linked()  # which reads the list
        return self.fresh.listing

    def lose(self, link: Link, reason: str) -> None:
        """Give a client up; the next call makes a new one. What is on its way on the old one goes on."""
        if link is self.link and self.state is State.OPEN:
            self.state = move(self.state, State.LOST)
            self._spawn(self._retire(link))
            self._emit(Lost(self.config.name, reason))

    async def close(self) -> None:
        """End everything. Safe to call again."""
        if self.state is not State.CLOSED:
            self.state = move(self.state, State.CLOSED)
        for task in tuple(self._tasks):
            task.cancel()
        ending = [asyncio.ensure_future(self._retire(link)) for link in self._links]
        if ending or self._tasks:
            await asyncio.wait((*ending, *self._tasks))

    def abandon(self) -> None:
        """Count as closed, after the loop that everything lived in has ended."""
        if self.state is not State.CLOSED:
            self.state = move(self.state, State.CLOSED)

    async def _first_start(self) -> Link:
        started = time.monotonic()
        self.state = move(self.state, State.OPENING)
        try:
            link = await self._start()
        finally:
            self._connecting = None
            if self.state is State.OPENING and self.link is None:
                self.state = move(self.state, State.NEW)
        self._opened(link)
        self._emit(Connected(self.config.name, link.told.version, time.monotonic() - started))
        return link

    async def _reconnect(self) -> Link:
        """Start again, a few times, with growing pauses; the old process is gone before a new one comes."""
        self.state = move(self.state, State.OPENING)
        old, self.link = self.link, None
        try:
            if old is not None and old.child is not None:
                await self._retire(old)
            for attempt in range(1, ATTEMPTS + 1):
                try:
                    link = await self._start()
                except ConnectError as error:
                    self._last_error = error
                    if attempt == ATTEMPTS or self._failed_rows:
                        raise
                    await asyncio.sleep(_jittered(_FIRST_PAUSE * 4 ** (attempt - 1)))
                else:
                    self._opened(link)
                    self._emit(Reconnected(self.config.name, link.told.version, attempt))
                    return link
            raise AssertionError("unreachable")
        except ConnectError:
            self._failed_rows += 1
            self._rest_until = time.monotonic() + min(_FIRST_PAUSE * 2**self._failed_rows, _LONGEST_PAUSE)
            raise
        finally:
            self._connecting = None
            if self.state is State.OPENING:
                self.state = move(self.state, State.LOST)

    def _opened(self, link: Link) -> None:
        self.state = move(self.state, State.OPEN)
        self._was_open = True
        self._failed_rows, self._last_error = 0, None
        if link.lost:  # it went while it was being listed
            self.lose(link, "the server went away at once")
        elif self._watch and link.modern:
            self._spawn(watch_list(link, self._list_changed))

    async def _start(self) -> Link:
        """Start, once or once more in another mode: client, handshake, tool list; all of it or nothing.

        Raises:
            ConnectError: Why not.
        """
        mode: str | None = self._era.mode(self.config)
        patience = _SDK_PATIENCE if self._era.spoken(self.config) == "modern" else PATIENCE
        link: Link | None = None
        errors: list[ConnectError] = []
        limit = Deadline(self.config.connect_timeout, "connect_timeout")
        try:
            async with self._attempt.within(limit):
                while mode is not None:
                    link = self._new_link(mode, patience)
                    try:
                        await self._enter(link)
                    except ConnectError as error:
                        errors.append(error)
                        mode = self._next_mode(mode, error, link) if len(errors) < 2 else None
                        patience = _SDK_PATIENCE
                    else:
                        return link
        except TimeoutError as error:
            raise self._too_slow(link) from error
        raise _both(errors)

    def _new_link(self, mode: str, patience: float) -> Link:
        link = Link(self.config, mode, self._ears)
        if link.child is not None:
            link.child.patience = patience
            link.child.on_deaf = lambda: self._lost(link)
        self._links.add(link)
        return link

    def _next_mode(self, mode: str, error: ConnectError, link: Link) -> str | None:
        spoken = self._era.spoken(self.config)
        other = other_mode(mode, self.config.era, spoken, error, link.child)
        if other is not None:
            self._era.forget(self.config)
            _log.info("server '%s' is tried again in mode %s: %s", self.config.name, other, printable(error.reason))
        return other

    async def _enter(self, link: Link) -> None:
        """Connect a new client and read the list.

        Raises:
            ConnectError: Why not; nothing is left of it.
        """
        slow = asyncio.get_running_loop().call_later(SLOW, self._say_slow)
        try:
            await link.start()
            await self.fresh.read(link)
        except BaseException as error:
            await self._retire(link)
            if not isinstance(error, Exception) or isinstance(error, ConnectError):
                raise
            failed = connect_error(self.config, error, link.way)
            raise failed from failed.__cause__ or error
        finally:
            slow.cancel()
        self.link = link
        if self.config.era != "legacy":
            self._era.learn(self.config, legacy=not link.modern)

    def _say_slow(self) -> None:
        if fetch := fetching(self.config):
            _log.info("server '%s' does not answer yet: %s", self.config.name, fetch)

    async def _retire(self, link: Link) -> None:
        if not link.lost and self.state is not State.CLOSED:
            await link.drained()
        await link.stop()
        self._links.discard(link)

    def _too_slow(self, link: Link | None) -> ConnectError:
        limit = f"no handshake and tool list within {self.config.connect_timeout:g} s (set by connect_timeout)"
        if fetch := fetching(self.config):
            limit += f"; {fetch}: raise connect_timeout, or start it once by hand"
        story = link.child.story() if link is not None and link.child else ""
        return ConnectError(self.config.name, self.config.target, f"{limit}; {story}" if story else limit)

    def _lost(self, link: Link) -> None:
        story = link.child.story() if link.child else ""
        self.lose(link, f"the server went away; {story}" if story else "the server went away")

    def _list_changed(self) -> None:
        """Re-list once for all changes that are told within a moment."""
        self.fresh.expire()
        if self.state is State.OPEN and self._relisting is None:
            self._relisting = self._spawn(self._relist_soon())

    async def _relist_soon(self) -> None:
        await self._settling.settled()
        self._relisting = None
        link = self.link
        if link is None or self.state is not State.OPEN:
            return
        try:
            await self.fresh.read(link)
        except ConnectError as error:
            reason = printable(str(error))
            _log.warning("the changed tool list of server '%s' cannot be read: %s", self.config.name, reason)

    def _spawn(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        """A task of ours, in the context of the opener rather than of a call that happens to come by."""
        task = asyncio.get_running_loop().create_task(work, context=self._context.copy())
        self._tasks.add(task)
        task.add_done_callback(self._tidy)
        return task

    def _tidy(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled():
            task.exception()  # retrieved: those who wait have it, and nobody may be waiting


def closed(server: str) -> ClosedError:
    """The connection to a server was closed and does not come back."""
    return ClosedError(f"the connection to server '{server}' is closed: use its tools inside the `with` that opened it")


def _expired(error: ConnectError) -> bool:
    cause = error.__cause__
    return isinstance(cause, WireError) and cause.failure.expired


def _both(errors: list[ConnectError]) -> ConnectError:
    """What came of two tries, each told once."""
    first, last = errors[0], errors[-1]
    if last.reason == first.reason:
        return last
    both = ConnectError(first.server, first.target, f"{first.reason}; and by the other handshake: {last.reason}")
    both.__cause__ = first.__cause__
    return both


def _jittered(seconds: float) -> float:
    return seconds * (0.75 + random.random() / 2)
