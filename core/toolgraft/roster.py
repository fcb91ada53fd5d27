"""The connections behind a toolbox: opened side by side, closed side by side, listed into one catalogue."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from anyio import CancelScope

from toolgraft.bound import Line
from toolgraft.catalogue import Catalogue, Member, Terms, chosen, compile_catalogue
from toolgraft.config import AnyServer, Http, Sse
from toolgraft.connection import EraMemory, Event, ListChanged, Listing, Reconnected, crossing
from toolgraft.connection.connection import Connection
from toolgraft.errors import ClosedError, ToolgraftError
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
        self._connections: set[Connection] = set()
        self._closed = False
        self._home = crossing.HOMES.settle(asyncio.get_running_loop())
        self._turn = asyncio.Lock()
        self._gate = asyncio.Semaphore(max(options.at_once, 1))
        self._relisting: set[asyncio.Task[None]] = set()
        self._era = EraMemory()

    async def open(self, servers: Iterable[AnyServer]) -> dict[str, ToolgraftError]:
        """Connect the servers that are not connected yet; give the errors of those that fail, by name.

        Raises:
            ClosedError: It was closed meanwhile.
            ConfigError: A filter names a tool that its server does not list.
        """
        async with self._turn:  # or two at once would each start the same server
            failures: dict[str, ToolgraftError] = {}
            missing = [server for server in servers if server.name not in self._members]
            await _side_by_side([self._join(server, failures) for server in missing])
        self._require_open()
        return {server.name: failures[server.name] for server in missing if server.name in failures}

    async def relist(self) -> None:
        """List every connected server anew."""
        await _side_by_side([self._relist(name) for name in self._members])

    def compile(self, order: Iterable[str]) -> None:
        """Make the catalogue anew from what the servers list; servers in the order given."""
        members = [self._members[name] for name in order if name in self._members]
        terms = Terms(self._options.strict, self._options.description_limit)
        self.catalogue = compile_catalogue(members, terms, self.catalogue)

    async def close(self) -> None:
        """Close all connections at once; none is left behind, whatever one of them raises, or is still opening."""
        self._closed = True
        self._members = {}
        closing = self.at_home(self._close) if crossing.HOMES.run(self._home) else self._close()
        await _to_the_end(closing)

    async def _close(self) -> None:
        if self._home is crossing.running_loop():  # else they ended with it
            for task in self._relisting:
                task.cancel()
        await _side_by_side([connection.close() for connection in self._connections])

    async def at_home(self, make: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """Run a coroutine in the loop that this lives in, whichever loop asks.

        Raises:
            ClosedError: That loop has ended.
        """
        if self._home is crossing.running_loop():
            await make()
        else:
            await crossing.across(self._home, make, "the toolbox")

    def connections(self) -> dict[str, Connection]:
        """The open connections, by server name."""
        return {name: member.line.connection for name, member in self._members.items()}

    async def _join(self, server: AnyServer, failures: dict[str, ToolgraftError]) -> None:
        async with self._gate:
            self._require_open()
            ready = self._with_auth(server)
            layers, policies = self.plugins.middleware(ready), self.plugins.policies(ready)  # may raise
            connection = Connection(ready, emit=self._heard, era=self._era, watch=self._options.live)
            self._connections.add(connection)
            try:
                listing = await self._listed(connection, failures)
                if listing is not None and not self._closed:
                    line = Line(ready, connection, layers, self.plugins.part)
                    self._members[server.name] = Member(line, listing, chosen(ready, listing, policies), policies)
            finally:
                if server.name not in self._members:
                    await connection.close()
                    self._connections.discard(connection)

    async def _listed(self, connection: Connection, failures: dict[str, ToolgraftError]) -> Listing | None:
        try:
            await connection.open()
            return await connection.list_tools()
        except ToolgraftError as error:
            if not self._closed:
                _log.warning("%s", error)
                failures[connection.config.name] = error
            return None

    def _require_open(self) -> None:
        if self._closed:
            raise ClosedError("the toolbox was closed while its servers were started")

    def _with_auth(self, server: AnyServer) -> AnyServer:
        auth = self.plugins.auth(server)
        return replace(server, auth=auth) if auth is not None and isinstance(server, Http | Sse) else server

    async def _relist(self, name: str, *, refresh: bool = True) -> bool:
        """Take up what a server lists now, if it can be had and suits the filters; what it had stays else.

        One server's list must not keep those of the others from being taken up.
        """
        try:
            listing = await self._members[name].line.connection.list_tools(refresh=refresh)
            if (member := self._members.get(name)) is None:  # closed meanwhile
                return False
            specs = chosen(member.line.server, listing, member.policies)
        except ToolgraftError as error:
            if not self._closed:
                _log.warning("the tool list of server '%s' stays as it was: %s", name, error)
            return False
        self._members[name] = replace(member, listing=listing, specs=specs)
        return True

    def _heard(self, event: Event) -> None:
        if isinstance(event, ListChanged | Reconnected) and event.server in self._members:
            task = self._home.create_task(self._take_up(event.server))
            self._relisting.add(task)
            task.add_done_callback(self._relisting.discard)
        if self._options.on_event is not None:
            self._options.on_event(event)

    async def _take_up(self, name: str) -> None:
        """Serve what a server lists now; the connection has re-listed already, so that this costs no request."""
        try:
            if name in self._members and await self._relist(name, refresh=False):
                self._changed()
        except Exception:
            _log.exception("the changed tool list of server '%s' could not be served", name)


async def _side_by_side(work: Sequence[Coroutine[Any, Any, object]]) -> None:
    """Run all, wait for all, then raise the first error; cancelled, it cancels all and waits for them."""
    tasks = [asyncio.ensure_future(each) for each in work]
    try:
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    except asyncio.CancelledError:
        for task in tasks:
            task.cancel()
        with CancelScope(shield=True):  # a cancelled scope of anyio interrupts every wait
            await asyncio.gather(*tasks, return_exceptions=True)
        raise
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome


async def _to_the_end(work: Coroutine[Any, Any, None]) -> None:
    """Run all of it, also when this is cancelled meanwhile: what is left half closed stays behind as a process."""
    task = asyncio.ensure_future(work)
    with CancelScope(shield=True):
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            await asyncio.wait([task])  # a second cancellation is taken at its word
            raise
