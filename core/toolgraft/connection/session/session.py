"""Keeps one server connected, inside one event loop: opens, loses, reopens with back-off, re-lists, closes."""

from __future__ import annotations

import asyncio
import contextvars
import logging
import random
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from toolgraft.calls import Deadline
from toolgraft.connection.events import Connected, Event, Lost, Reconnected
from toolgraft.connection.listing.listing import Listing
from toolgraft.connection.listing.settling import Settling
from toolgraft.connection.listing.tool_list import ToolList
from toolgraft.connection.listing.watch import watch_list
from toolgraft.connection.session.era import EraMemory
from toolgraft.connection.session.fallback import other_mode
from toolgraft.connection.session.live_client import Callbacks, LiveClient
from toolgraft.connection.session.ongoing import Ongoing
from toolgraft.connection.session.state import State, move
from toolgraft.connection.wire.foreign_errors import connect_error
from toolgraft.connection.wire.in_flight import CURRENT, OPENED_FOR, WireError
from toolgraft.connection.wire.person_time import Attempt
from toolgraft.connection.wire.stdio.child import PATIENCE
from toolgraft.connection.wire.stdio.runners import SLOW, fetching
from toolgraft.content.text import printable
from toolgraft.errors import ClosedError, ConnectError

if TYPE_CHECKING:
    import mcp_types as types
    from mcp.client import ClientRequestContext

    from toolgraft.config.options import CallContext
    from toolgraft.config.servers import Server
    from toolgraft.connection.wire.in_flight import InFlight

ATTEMPTS: Final = 3
"""Starts in one reconnect."""

_FIRST_PAUSE: Final = 0.2
_LONGEST_PAUSE: Final = 15.0
_SDK_PATIENCE: Final = 10.0
"""Seconds that the SDK waits for an answer to the probe."""

Elicited: TypeAlias = Callable[
    [Ongoing, "ClientRequestContext", "types.ElicitRequestParams"], Awaitable["types.ElicitResult | types.ErrorData"]
]
"""Answers a question that a server of the older protocols asks, of one of the calls under way."""

_log: Final = logging.getLogger("toolgraft")


class Session:
    """Keeps one server connected.

    Attributes:
        state: Where the connection stands.
        client: The living client; only meaningful while `state` is `OPEN`.
        who: Whom the connection is made for.
        tool_list: The tool list.
        ongoing: The calls under way.
    """

    def __init__(
        self,
        config: Server,
        *,
        era: EraMemory,
        emit: Callable[[Event], None],
        elicit: Elicited,
        watch: bool,
        who: CallContext,
        own: bool,
    ) -> None:
        self.config = config
        self.who = who
        self.tool_list = ToolList(config, who, emit)
        self.ongoing = Ongoing(may_ask=config.elicit is not None)
        self.state = State.NEW
        self.client: LiveClient | None = None
        self._era = era
        self._emit = emit
        self._watch = watch
        self._elicit = elicit
        self._own = own
        self._callbacks = Callbacks(self._lost, self._list_changed, self._elicited, who)
        self._was_open = False
        self._failed_rows = 0
        self._rest_until = 0.0
        self._last_error: ConnectError | None = None
        self._connecting: asyncio.Task[LiveClient] | None = None
        self._attempt = Attempt()
        self._waiting = 0
        self._tasks: set[asyncio.Task[Any]] = set()
        self._clients: set[LiveClient] = set()
        self._relisting: asyncio.Task[Any] | None = None
        self._settling = Settling()
        self._context = contextvars.copy_context()

    async def connected(self) -> LiveClient:
        """The living client, connecting first where there is none. Callers share one attempt.

        Raises:
            ConnectError: The server cannot be reached.
            ClosedError: The connection is closed.
        """
        if self.state is State.OPEN and self.client is not None:
            return self.client
        if self.state is State.CLOSED:
            raise closed(self.config.name)
        if self._connecting is None:
            rest = self._rest_until - time.monotonic()
            if self._last_error is not None and rest > 0:
                reason = f"{self._last_error.reason} (it is tried again in {rest:.1f} s)"
                raise ConnectError(self.config.name, self.config.target, reason)
            work = self._reconnect() if self._was_open else self._first_start()
            self._connecting = self._spawn(work, opened_for=CURRENT.get() if self._own else None)
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

    async def _shared(self, task: asyncio.Task[LiveClient]) -> LiveClient:
        """Wait for the connecting that others may wait for too; a person's time counts for none of them."""
        in_flight = CURRENT.get()
        if in_flight is None or in_flight.clock is None:
            return await asyncio.shield(task)
        with self._attempt.holding(in_flight.clock):
            return await asyncio.shield(task)

    async def listing(self, *, refresh: bool) -> Listing:
        """The tools, from memory while that holds.

        Raises:
            ConnectError: The server cannot be reached, or does not answer with a list.
        """
        client = await self.connected()
        if refresh or self.tool_list.stale:
            try:
                await self.tool_list.read(client)
            except ConnectError as error:
                if _expired(error):
                    self.lose(client, "its session expired")
                elif not client.lost and self.client is client and self.state is State.OPEN:
                    raise
                await self.connected()  # which reads the list
        return self.tool_list.listing

    def lose(self, client: LiveClient, reason: str) -> None:
        """Give a client up; the next call makes a new one. What is on its way on the old one goes on."""
        if client is self.client and self.state is State.OPEN:
            self.state = move(self.state, State.LOST)
            self._spawn(self._retire(client))
            self._emit(Lost(self.config.name, reason))

    async def close(self) -> None:
        """End everything. Safe to call again."""
        if self.state is not State.CLOSED:
            self.state = move(self.state, State.CLOSED)
        for task in tuple(self._tasks):
            task.cancel()
        ending = [asyncio.ensure_future(self._retire(client)) for client in self._clients]
        if ending or self._tasks:
            await asyncio.wait((*ending, *self._tasks))

    def abandon(self) -> None:
        """Count as closed, after the loop that everything lived in has ended."""
        if self.state is not State.CLOSED:
            self.state = move(self.state, State.CLOSED)

    async def _first_start(self) -> LiveClient:
        started = time.monotonic()
        self.state = move(self.state, State.OPENING)
        try:
            client = await self._start()
        finally:
            self._connecting = None
            if self.state is State.OPENING and self.client is None:
                self.state = move(self.state, State.NEW)
        self._opened(client)
        self._emit(Connected(self.config.name, client.server_info.version, time.monotonic() - started))
        return client

    async def _reconnect(self) -> LiveClient:
        """Start again, a few times, with growing pauses; the old process is gone before a new one comes."""
        self.state = move(self.state, State.OPENING)
        old, self.client = self.client, None
        try:
            if old is not None and old.child is not None:
                await self._retire(old)
            for attempt in range(1, ATTEMPTS + 1):
                try:
                    client = await self._start()
                except ConnectError as error:
                    self._last_error = error
                    if attempt == ATTEMPTS or self._failed_rows:
                        raise
                    await asyncio.sleep(_jittered(_FIRST_PAUSE * 4 ** (attempt - 1)))
                else:
                    self._opened(client)
                    self._emit(Reconnected(self.config.name, client.server_info.version, attempt))
                    return client
            raise AssertionError("unreachable")
        except ConnectError:
            self._failed_rows += 1
            self._rest_until = time.monotonic() + min(_FIRST_PAUSE * 2**self._failed_rows, _LONGEST_PAUSE)
            raise
        finally:
            self._connecting = None
            if self.state is State.OPENING:
                self.state = move(self.state, State.LOST)

    def _opened(self, client: LiveClient) -> None:
        self.state = move(self.state, State.OPEN)
        self._was_open = True
        self._failed_rows, self._last_error = 0, None
        if client.lost:  # it went while it was being listed
            self.lose(client, "the server went away at once")
        elif self._watch and client.modern:
            self._spawn(watch_list(client, self._list_changed))
        if self.tool_list.outdated:  # told of while the first list was read
            self._list_changed()

    async def _start(self) -> LiveClient:
        """Start, once or once more in another mode: client, handshake, tool list; all of it or nothing.

        Raises:
            ConnectError: Why not.
        """
        mode: str | None = self._era.mode(self.config)
        patience = _SDK_PATIENCE if self._era.spoken(self.config) == "modern" else PATIENCE
        client: LiveClient | None = None
        errors: list[ConnectError] = []
        limit = Deadline(self.config.connect_timeout, "connect_timeout")
        try:
            async with self._attempt.within(limit):
                while mode is not None:
                    client = self._new_client(mode, patience)
                    try:
                        await self._enter(client)
                    except ConnectError as error:
                        errors.append(error)
                        mode = self._next_mode(mode, error, client) if len(errors) < 2 else None
                        patience = _SDK_PATIENCE
                    else:
                        return client
        except TimeoutError as error:
            raise self._too_slow(client) from error
        raise _both(errors)

    def _new_client(self, mode: str, patience: float) -> LiveClient:
        client = LiveClient(self.config, mode, self._callbacks)
        if client.child is not None:
            client.child.patience = min(patience, self.config.connect_timeout / 2)  # the rest is for the handshake
            client.child.on_deaf = lambda: self._lost(client)
        self._clients.add(client)
        return client

    def _next_mode(self, mode: str, error: ConnectError, client: LiveClient) -> str | None:
        spoken = self._era.spoken(self.config)
        other = other_mode(mode, self.config, spoken, error, client)
        if other is not None:
            self._era.forget(self.config)
            _log.info("server '%s' is tried again in mode %s: %s", self.config.name, other, printable(error.reason))
        return other

    async def _enter(self, client: LiveClient) -> None:
        """Connect a new client and read the list.

        Raises:
            ConnectError: Why not; nothing is left of it.
        """
        slow = asyncio.get_running_loop().call_later(SLOW, self._say_slow)
        try:
            await client.start()
            await self.tool_list.read(client)
        except BaseException as error:
            await self._retire(client)
            if not isinstance(error, Exception) or isinstance(error, ConnectError):
                raise
            failed = connect_error(self.config, error, client.way)
            raise failed from failed.__cause__ or error
        finally:
            slow.cancel()
        self.client = client
        if self.config.era != "legacy":
            self._era.learn(self.config, legacy=not client.modern)

    def _say_slow(self) -> None:
        if fetch := fetching(self.config):
            _log.info("server '%s' does not answer yet: %s", self.config.name, fetch)

    async def _retire(self, client: LiveClient) -> None:
        if not client.lost and self.state is not State.CLOSED:
            await client.drained()
        await client.stop()
        self._clients.discard(client)

    def _too_slow(self, client: LiveClient | None) -> ConnectError:
        limit = f"no handshake and tool list within {self.config.connect_timeout:g} s (set by connect_timeout)"
        if fetch := fetching(self.config):
            limit += f"; {fetch}: raise connect_timeout, or start it once by hand"
        story = client.child.story() if client is not None and client.child else ""
        return ConnectError(self.config.name, self.config.target, f"{limit}; {story}" if story else limit)

    async def _elicited(
        self, context: ClientRequestContext, params: types.ElicitRequestParams
    ) -> types.ElicitResult | types.ErrorData:
        return await self._elicit(self.ongoing, context, params)

    def _lost(self, client: LiveClient) -> None:
        story = client.child.story() if client.child else ""
        self.lose(client, f"the server went away; {story}" if story else "the server went away")

    def _list_changed(self) -> None:
        """Re-list once for all changes that are told within a moment."""
        self.tool_list.expire()
        if self.state is State.OPEN and self._relisting is None:
            self._relisting = self._spawn(self._relist_soon())

    async def _relist_soon(self) -> None:
        await self._settling.settled()
        self._relisting = None
        client = self.client
        if client is None or self.state is not State.OPEN:
            return
        try:
            await self.tool_list.read(client)
        except ConnectError as error:
            reason = printable(str(error))
            _log.warning("the changed tool list of server '%s' cannot be read: %s", self.config.name, reason)

    def _spawn(self, work: Coroutine[Any, Any, Any], *, opened_for: InFlight | None = None) -> asyncio.Task[Any]:
        """A task of ours, in the context of the opener rather than of a call that happens to come by."""
        context = self._context.copy()
        context.run(OPENED_FOR.set, opened_for)
        task = asyncio.get_running_loop().create_task(work, context=context)
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
    return isinstance(cause, WireError) and cause.failure.session != "open"


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
