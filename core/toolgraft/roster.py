"""The connections behind a toolbox: opened side by side, closed side by side, listed into one catalogue."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from toolgraft.bound import Line
from toolgraft.catalogue import Catalogue, Member, Terms, compile_catalogue
from toolgraft.config import AnyServer, Http, Sse
from toolgraft.connection import EraMemory, Event, ListChanged, Reconnected
from toolgraft.connection.connection import Connection
from toolgraft.errors import ToolgraftError
from toolgraft.plugins import Plugins, load_plugins

if TYPE_CHECKING:
    from toolgraft.toolbox import Options

_log: Final = logging.getLogger("toolgraft")


class Roster:
    """Servers that are connected, and the catalogue of their tools. Lives in one event loop.

    Attributes:
        catalogue: The tools served now; replaced as a whole.
        plugins: The plugins of this toolbox.
    """

    def __init__(self, options: Options, changed: Callable[[], None]) -> None:
        self.catalogue = Catalogue()
        self.plugins: Plugins = load_plugins(options.plugins, discover=options.discover_plugins)
        self._options = options
        self._changed = changed
        self._members: dict[str, Member] = {}
        self._gate = asyncio.Semaphore(max(options.at_once, 1))
        self._relisting: set[asyncio.Task[None]] = set()
        self._era = EraMemory()

    async def open(self, servers: Iterable[AnyServer]) -> dict[str, ToolgraftError]:
        """Connect the servers that are not connected yet; give the errors of those that fail, by name."""
        failures: dict[str, ToolgraftError] = {}
        missing = [server for server in servers if server.name not in self._members]
        await _side_by_side([self._join(server, failures) for server in missing])
        return {server.name: failures[server.name] for server in missing if server.name in failures}

    async def relist(self) -> None:
        """List every connected server anew."""
        await _side_by_side([self._relist(name) for name in self._members])

    def compile(self, order: Iterable[str]) -> None:
        """Make the catalogue anew from what the servers list; servers in the order given.

        Raises:
            ConfigError: A filter names a tool that its server does not list.
        """
        members = [self._members[name] for name in order if name in self._members]
        terms = Terms(self._options.strict, self._options.description_limit)
        self.catalogue = compile_catalogue(members, terms, self.catalogue)

    async def close(self) -> None:
        """Close all connections at once; none is left behind, whatever one of them raises."""
        for task in self._relisting:
            task.cancel()
        members, self._members = self._members, {}
        await _side_by_side([member.line.connection.close() for member in members.values()])

    def connections(self) -> dict[str, Connection]:
        """The open connections, by server name."""
        return {name: member.line.connection for name, member in self._members.items()}

    async def _join(self, server: AnyServer, failures: dict[str, ToolgraftError]) -> None:
        async with self._gate:
            ready = self._with_auth(server)
            layers, policies = self.plugins.middleware(ready), self.plugins.policies(ready)  # may raise
            connection = Connection(ready, emit=self._heard, era=self._era, watch=self._options.live)
            try:
                await connection.open()
                listing = await connection.list_tools()
            except ToolgraftError as error:
                await connection.close()
                _log.warning("%s", error)
                failures[server.name] = error
                return
            except BaseException:
                await connection.close()
                raise
            line = Line(ready, connection, layers, self.plugins.part)
            self._members[server.name] = Member(line, listing, policies)

    def _with_auth(self, server: AnyServer) -> AnyServer:
        auth = self.plugins.auth(server)
        return replace(server, auth=auth) if auth is not None and isinstance(server, Http | Sse) else server

    async def _relist(self, name: str) -> None:
        member = self._members[name]
        try:
            listing = await member.line.connection.list_tools(refresh=True)
        except ToolgraftError as error:
            _log.warning("the tool list of server '%s' stays as it was: %s", name, error)
        else:
            self._members[name] = replace(member, listing=listing)

    def _heard(self, event: Event) -> None:
        if self._options.on_event is not None:
            self._options.on_event(event)
        if isinstance(event, ListChanged | Reconnected) and event.server in self._members:
            task = asyncio.get_running_loop().create_task(self._take_up(event.server))
            self._relisting.add(task)
            task.add_done_callback(self._relisting.discard)

    async def _take_up(self, name: str) -> None:
        """Serve what a server lists now; the connection has re-listed already, so that this costs no request."""
        member = self._members.get(name)
        if member is None:
            return
        try:
            listing = await member.line.connection.list_tools()
            self._members[name] = replace(member, listing=listing)
            self._changed()
        except ToolgraftError as error:
            _log.warning("the tool list of server '%s' stays as it was: %s", name, error)


async def _side_by_side(work: Sequence[Coroutine[Any, Any, None]]) -> None:
    """Run all, wait for all, then raise the first error; cancelled, it cancels all and waits for them."""
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    except asyncio.CancelledError:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
    for outcome in outcomes:
        if outcome is not None:
            raise outcome
