"""A session for each identity: what one caller's token opened is not used for another's calls.

Only old HTTP servers have sessions, and only a `headers` function can give different callers different headers;
everybody else has one lane.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from toolgraft.config.servers import Http, Sse
from toolgraft.connection.headers import headers_for

if TYPE_CHECKING:
    from toolgraft.config.options import CallContext
    from toolgraft.connection.keeper import Keeper
    from toolgraft.connection.record import Record

LANES: Final = 64
"""Sessions kept at once; the one that was not used for longest makes place."""


class Lanes:
    """The keepers of one connection, by identity.

    Attributes:
        main: The one that listed the tools; nobody in particular.
        single: There is no other.
    """

    def __init__(self, main: Keeper, make: Callable[[CallContext], Keeper]) -> None:
        config = main.config
        self.main = main
        self.single = not (isinstance(config, Http | Sse) and callable(config.headers))
        self._make = make
        self._by_identity: OrderedDict[bytes, Keeper] = OrderedDict()
        self._main_identity: bytes | None = None
        self._leaving: set[asyncio.Task[None]] = set()

    async def keeper(self, record: Record) -> Keeper:
        """The keeper whose session belongs to the caller of `record`.

        Raises:
            ConnectError: The server cannot be reached.
        """
        link = await self.main.linked()
        if link.modern:  # no sessions: each request carries all that it needs
            return self.main
        config = self.main.config
        if self._main_identity is None:
            self._main_identity = _digest(await headers_for(config, self.main.who))
        record.given = await headers_for(config, record.context)
        identity = _digest(record.given)
        if identity == self._main_identity:
            return self.main
        if identity not in self._by_identity:
            self._by_identity[identity] = self._make(record.context)
            self._make_place()
        self._by_identity.move_to_end(identity)
        return self._by_identity[identity]

    async def close(self) -> None:
        """Close all of them."""
        await asyncio.gather(self.main.close(), *(keeper.close() for keeper in self._by_identity.values()))

    def _make_place(self) -> None:
        if len(self._by_identity) > LANES:
            _, oldest = self._by_identity.popitem(last=False)
            task = asyncio.get_running_loop().create_task(oldest.close())
            self._leaving.add(task)
            task.add_done_callback(self._leaving.discard)


def _digest(headers: Mapping[str, str]) -> bytes:
    """Not the headers themselves: they hold secrets."""
    lines = sorted(f"{key.lower()}:{value}" for key, value in headers.items())
    return hashlib.sha256("\n".join(lines).encode(errors="surrogateescape")).digest()
