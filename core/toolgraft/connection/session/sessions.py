"""A session for each identity: what one caller's token opened is not used for another's calls.

Only servers of the 2025 protocols and before have sessions, and only a `headers` or `identity` function tells callers
apart; everybody else shares one. A session that is in use is never closed; of those that are not, the ones that were
not used for longest are closed beyond a bound.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from contextvars import copy_context
from typing import TYPE_CHECKING, Final

from toolgraft.connection.wire.in_flight import CURRENT, InFlight, WireError
from toolgraft.connection.wire.kinds import identities

if TYPE_CHECKING:
    from toolgraft.config.options import CallContext
    from toolgraft.connection.session.session import Session

IDLE: Final = 64
"""Sessions that are kept open though nobody uses them."""

STRANGERS: Final = 20
"""Calls, each of another caller from the first on, after which it is said what that may come from."""

_log: Final = logging.getLogger("toolgraft")


class Sessions:
    """The sessions of one connection, by identity.

    Attributes:
        main: The one that listed the tools; nobody in particular.
        single: There is no other.
    """

    def __init__(self, main: Session, make: Callable[[CallContext], Session]) -> None:
        self.main = main
        self._identities = identities(main.config)
        self.single = self._identities is None
        self._make = make
        self._by_identity: OrderedDict[str, Session] = OrderedDict()
        self._users: Counter[str] = Counter()
        self._main_identity: str | None = None
        self._in_a_row: int | None = 0
        self._leaving: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def of(self, in_flight: InFlight) -> AsyncGenerator[Session]:
        """The session that belongs to the caller; it is in use until the block ends.

        Raises:
            ConnectError: The server cannot be reached.
            WireError: A function of the declaration that tells callers apart raised.
        """
        if self._identities is None:
            yield self.main
            return
        identity = await self._identities.recognise(in_flight)
        client = await self.main.connected()
        if client.modern or identity == await self._identity_of_main():
            yield self.main  # without sessions, each request carries all that it needs
            return
        session = self._by_identity.get(identity)
        if session is None:
            session = self._by_identity[identity] = self._made(in_flight.context)
            self._count(new=True)
        else:
            self._count(new=False)
        self._by_identity.move_to_end(identity)
        self._users[identity] += 1
        try:
            yield session
        finally:
            self._users[identity] -= 1
            if not self._users[identity]:
                del self._users[identity]
            self._close_idle()

    async def close(self) -> None:
        """Close all of them."""
        sessions = [self.main, *self._by_identity.values()]
        await asyncio.gather(*(session.close() for session in sessions), *self._leaving)

    async def _identity_of_main(self) -> str | None:
        """None as long as a function fails without a caller: then nobody is taken for nobody in particular."""
        if self._main_identity is None and self._identities is not None:
            try:
                self._main_identity = await self._identities.recognise(InFlight(self.main.who))
            except WireError:
                return None
        return self._main_identity

    def _count(self, *, new: bool) -> None:
        """Say once that no two calls seem to be of the same caller, which costs each a handshake."""
        if self._in_a_row is None:
            return
        self._in_a_row = self._in_a_row + 1 if new else None
        if self._in_a_row == STRANGERS:
            _log.warning(
                "each of %d calls of server '%s' was taken for another caller and opened a session of its own: where "
                "its headers function gives something new for each call, say who the caller is by identity=",
                STRANGERS,
                self.main.config.name,
            )

    def _made(self, who: CallContext) -> Session:
        """A session whose tasks do not run in the context of the call that it was first needed for."""
        context = copy_context()
        context.run(CURRENT.set, None)
        return context.run(self._make, who)

    def _close_idle(self) -> None:
        idle = [identity for identity in self._by_identity if identity not in self._users]
        for identity in idle[: max(0, len(idle) - IDLE)]:
            closing = asyncio.get_running_loop().create_task(self._by_identity.pop(identity).close())
            self._leaving.add(closing)
            closing.add_done_callback(self._leaving.discard)
