"""The tool list of one server, kept: read whole, put in place at once, and told of when it changes."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import mcp_types as types
from mcp import MCPError

from toolgraft.calls import Deadline
from toolgraft.connection.events import Event, ListChanged, ListCut, Refused
from toolgraft.connection.listing.listing import Listing, Marks, NotAList, changes, list_all
from toolgraft.connection.listing.read_tool import ServerRefused
from toolgraft.connection.wire.clock import Clock
from toolgraft.connection.wire.foreign_errors import connect_error
from toolgraft.connection.wire.in_flight import CURRENT, InFlight, WireError
from toolgraft.content.text import printable
from toolgraft.errors import ConnectError

if TYPE_CHECKING:
    from toolgraft.config.options import CallContext
    from toolgraft.config.servers import Server
    from toolgraft.connection.session.live_client import LiveClient
    from toolgraft.spec import ToolRef

NEVER: Final = float("inf")

_LOGGED: Final = 20
"""Refusals of one list that are logged one by one."""

_log: Final = logging.getLogger("toolgraft")


class ToolList:
    """The list that a server last gave, and how long it holds.

    A server that gives no time, or none above zero, has its list read again only when it tells of a change, when it is
    reconnected, or when somebody asks: a request at every turn of an agent would buy nothing.

    Attributes:
        listing: The list.
        outdated: The server told of a change while it was being read.
    """

    def __init__(self, config: Server, who: CallContext, emit: Callable[[Event], None]) -> None:
        self.listing = Listing()
        self.outdated = False
        self._config = config
        self._who = who
        self._emit = emit
        self._was_read = False
        self._stale_at = NEVER

    @property
    def stale(self) -> bool:
        """Whether it must be read again before it is used."""
        return not self._was_read or time.monotonic() >= self._stale_at

    def expire(self) -> None:
        """It changed on the server."""
        self.outdated = True
        self._stale_at = 0.0

    def marks(self, ref: ToolRef | None) -> Marks:
        """Which arguments of a tool the server wants as HTTP headers too."""
        return self.listing.marks.get(ref.tool, {}) if ref is not None else {}

    async def read(self, client: LiveClient) -> None:
        """Read the whole list and put it in the place of the old one.

        Raises:
            ConnectError: The server does not answer with a list.
        """
        self.outdated = False
        listing = await self._whole(client)
        before, self.listing = self.listing, listing
        if not self.outdated:
            self._stale_at = time.monotonic() + listing.ttl if listing.ttl else NEVER
        self._tell(before, listing)
        self._was_read = True

    async def _whole(self, client: LiveClient) -> Listing:
        in_flight = InFlight(self._who)
        token = CURRENT.set(in_flight)
        try:
            async with Clock(Deadline(self._config.connect_timeout, "connect_timeout")) as in_flight.clock:
                limits = self._config.list_limits
                return await list_all(self._config.name, client.fetch_page, http=client.marks_count, limits=limits)
        except TimeoutError as error:
            reason = f"no tool list within {self._config.connect_timeout:g} s (set by connect_timeout)"
            raise ConnectError(self._config.name, self._config.target, reason) from error
        except ServerRefused as error:
            raise ConnectError(self._config.name, self._config.target, str(error)) from error
        except (MCPError, NotAList, WireError) as error:
            if (
                isinstance(error, MCPError)
                and error.code == types.METHOD_NOT_FOUND
                and not client.server_info.has_tools
            ):
                return Listing()
            failed = connect_error(self._config, error, client.way, doing="listing its tools")
            raise failed from failed.__cause__
        finally:
            CURRENT.reset(token)

    def _tell(self, before: Listing, now: Listing) -> None:
        known = set(before.refused)
        new = [refusal for refusal in now.refused if refusal not in known]
        for refusal in new[:_LOGGED]:
            level = logging.DEBUG if refusal.kind == "hidden" else logging.WARNING
            _log.log(level, "not served: %s", printable(str(refusal)))
        if len(new) > _LOGGED:
            _log.warning("server '%s': %s more tools are not served", self._config.name, f"{len(new) - _LOGGED:,}")
        for refusal in new:
            self._emit(Refused(self._config.name, refusal))
        if now.cut and now.cut != before.cut:
            _log.warning("server '%s': %s", self._config.name, printable(now.cut))
            self._emit(ListCut(self._config.name, now.cut))
        if self._was_read:
            added, removed, changed = changes(before, now)
            if added or removed or changed:
                self._emit(ListChanged(self._config.name, added, removed, changed))
